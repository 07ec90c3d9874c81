"""P10: a topic teaches a fact, a reviewer accepts it, others are answered with it until the code changes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Group

from kb_agent.accounts import roles
from kb_agent.llm import endpoints, scripted
from kb_agent.llm.script import calls, says
from tests.agent import facts as acting
from tests.agent import shops
from tests.agent.stories import story
from tests.api import company
from tests.flows import harness
from tests.flows.person import Person
from tests.flows.test_asking_about_code import expected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb_agent.accounts.models import User
    from kb_agent.llm.scripted import ScriptedServer
    from kb_agent.repositories.models import Repository

pytestmark = pytest.mark.usefixtures("a_worker")

READ = calls("read_lines", repository="shop", path="payments/retry.py", start_line=7, end_line=12)
FACT = "退款失败后系统自动重试，最多 3 次。"
DRAWN = f'{{"facts": [{{"text": "{FACT}", "evidence": ["e1"]}}]}}'
ASKS_FOR_FACTS = "You draw business facts"


@pytest.fixture
def model(shop: Repository) -> Iterator[ScriptedServer]:
    """The company's model; a test adds what it will answer."""
    with scripted.serve() as server:
        endpoints.add("scripted", base_url=server.url, model="m")
        yield server


@pytest.fixture
def li(shop: Repository) -> User:
    """The reviewer."""
    return acting.reviewer("li", Group.objects.get(name="product"))


@pytest.fixture
def wang(shop: Repository) -> User:
    """A tester, who reads the same code."""
    return company.person("wang", Group.objects.get(name="product"))


@pytest.fixture
def root(shop: Repository) -> User:
    """The administrator."""
    person = company.person("root")
    roles.grant(person, "administrator", by=None)
    return person


def _act(person: Person, fact: int, name: str, **said: Any) -> dict[str, Any]:
    body = {"version": 1, **said}
    response = person.client.post(f"/api/facts/{fact}/{name}", body, format="json")
    assert response.status_code == 200, response.content
    return dict(response.json())


def _proposed(person: Person) -> dict[str, Any]:
    """The fact in the reviewer's queue, once the hook has drawn it."""
    harness.until(lambda: person.sees("/api/facts", state="review")["results"] != [], within=30)
    (fact,) = person.sees("/api/facts", state="review")["results"]
    return dict(fact)


def _changed(shop: Repository, root: Person) -> None:
    """A commit that changes the cited lines, indexed by the worker as an administrator asks."""
    file = Path(shop.source) / "payments/retry.py"
    file.write_text(file.read_text("utf-8").replace("attempts += 1", "attempts += 2"), "utf-8")
    command = ["git", *shops.IDENTITY, "commit", "-qam", "Count otherwise."]
    subprocess.run(command, cwd=shop.source, check=True)
    response = root.client.post(f"/api/repositories/{shop.pk}/index")
    assert response.status_code == 202, response.content


def told(tape_id: int) -> str:
    """The story without what differs from run to run: dates, hashes, hooks of other kinds of topic."""
    lines = [
        re.sub(r'"(?:evidence": \[.*?\]|text": "Accepted facts.*?"), ', "", line)
        for line in story(tape_id).splitlines()
        if "topic_hooks.recall" not in line and "topic_hooks.summary" not in line
    ]
    return "\n".join(line for line in lines if not line.startswith("event topic_described"))


def test_P10_a_fact_topic_from_the_question_to_the_fact_that_is_stale(
    shop: Repository, mei: User, li: User, wang: User, root: User, model: ScriptedServer
) -> None:
    asking, reviewing, testing = Person(mei), Person(li), Person(wang)
    model.add(READ, says("会，最多重试 3 次。[e1]"))
    model.add_beside(ASKS_FOR_FACTS, says(DRAWN))
    first = asking.is_answered("退款失败后会自动重试吗？")
    asking.finishes(first["topic"])
    fact = _proposed(reviewing)
    assert (fact["text"], fact["contributor"]["display_name"]) == (FACT, "Mei")
    assert testing.sees("/api/facts")["results"] == []
    _act(reviewing, fact["id"], "accept")

    model.add(says("会，按已采纳的事实 1，最多 3 次。[e1]"))
    second = testing.is_answered("退款失败以后系统还会再重试几次？")
    assert second["answer"]["meta"]["citations"][0]["path"] == "payments/retry.py"
    assert f"Fact {fact['id']}: {FACT} [e1] (by Mei, accepted by li on " in str(model.requests[-1])
    assert told(second["topic"]["tape"]) == expected("""
        message user: 退款失败以后系统还会再重试几次？
        event turn_started {"attempt": 1}
        anchor recall_anchor {"facts": [{"accepted_by": "li", "contributor": 1, "contributor_name": "Mei", "fact": 1, "text": "退款失败后系统自动重试，最多 3 次。", "version": 1}], "topics": []}
        event hook {"attempt": 1, "hook": "kb_agent.topic_hooks.known_facts.note_facts", "outcome": "done: 1 facts", "stage": "post_topic_initial"}
        event model_call_started
        event model_call_ended ok
        message assistant: 会，按已采纳的事实 1，最多 3 次。[e1]
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
    """)

    _changed(shop, Person(root))
    harness.until(lambda: reviewing.sees(f"/api/facts/{fact['id']}")["stale"], within=60)
    assert [each["id"] for each in reviewing.sees("/api/facts", state="stale")["results"]] == [
        fact["id"]
    ]
    model.add(says("不清楚。"))
    testing.is_answered("退款失败以后系统还会再重试几次呢？", tape=second["topic"]["tape"])
    assert "Fact " not in str(model.requests[-1]["messages"][-2:])
    assert told(first["topic"]["tape"]) == expected("""
        message user: 退款失败后会自动重试吗？
        event turn_started {"attempt": 1}
        event model_call_started
        event model_call_ended ok
        tool_call read_lines {"repository": "shop", "path": "payments/retry.py", "start_line": 7, "end_line": 12}
        tool_result read_lines:
        event model_call_started
        event model_call_ended ok
        message assistant: 会，最多重试 3 次。[e1]
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
        anchor topic_finalized {"reason": "owner", "status": "finalized", "summary": "问：退款失败后会自动重试吗？答：会，最多重试 3 次。出处：shop payments/retry.py。", "title": "退款失败后会自动重试吗？"}
        event fact_proposed {"contributor": 1, "fact": 1, "language": "zh", "origin": "model", "range": [4, 14], "text": "退款失败后系统自动重试，最多 3 次。", "version": 1}
        event hook {"attempt": 1, "hook": "kb_agent.topic_hooks.facts.draw_facts", "outcome": "done: 1 conclusions", "stage": "post_topic_finalized"}
        event fact_accepted {"fact": 1, "version": 1}
        event fact_stale {"fact": 1, "places": [{"branch": "main", "path": "payments/retry.py", "repository": 1}], "version": 1}
    """)
