"""A topic is shared, read, built on and closed again; the tapes' text says what each act leaves (P9)."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Group

from kb_agent.llm import endpoints, scripted
from kb_agent.llm.script import calls, says
from tests.agent.stories import story
from tests.api import company
from tests.flows.person import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb_agent.accounts.models import User
    from kb_agent.llm.scripted import ScriptedServer

pytestmark = pytest.mark.usefixtures("a_worker")

SEARCH = calls("search_code", queries=["退款 重试"])
ANSWER = says("会, 最多重试 3 次。[e1]")


@pytest.fixture
def model(shop: Any) -> Iterator[ScriptedServer]:
    """The model the company has set up; a test adds what it will answer."""
    with scripted.serve() as server:
        endpoints.add("scripted", base_url=server.url, model="m")
        yield server


@pytest.fixture
def li(mei: User) -> User:
    """A colleague who reads the same code."""
    assert mei.pk
    return company.person("li", Group.objects.get(name="product"))


def opens(by: Person, topic: int, **how: Any) -> dict[str, Any]:
    """Open one's topic so."""
    made = by.client.post(f"/api/topics/{topic}/shares", how, format="json")
    assert made.status_code == 201, made.content
    found: dict[str, Any] = made.json()
    return found


def closes(person: Person, topic: int, share: dict[str, Any]) -> None:
    """Take it back."""
    gone = person.client.delete(f"/api/topics/{topic}/shares/{share['id']}")
    assert gone.status_code == 204


def test_P9_a_topic_is_shared_gone_on_from_and_closed_again(
    mei: User, li: User, model: ScriptedServer
) -> None:
    owner, reader = Person(mei), Person(li)
    model.add(SEARCH, ANSWER, says("之后转人工。"), says("不知道了。"))
    first = owner.is_answered("退款失败后会自动重试吗?")["topic"]
    owner.finishes(first)
    named = opens(owner, first["id"], kind="person", person=li.pk)
    everyone = opens(owner, first["id"], kind="company")
    assert reader.sees(f"/api/topics/{first['id']}")["owner"]["display_name"] == "Mei"

    own = reader.is_answered("超过次数呢?", topic=first["id"])["topic"]
    assert (own["continues"], own["mine"]) == (first["id"], True)
    for share in (named, everyone):
        closes(owner, first["id"], share)
    assert reader.client.get(f"/api/topics/{first['id']}").status_code == 404
    reader.is_answered(f"topic:{first['id']} 里怎么说?", topic=own["id"])

    assert story(first["tape"]).splitlines()[-5:] == [
        'anchor topic_finalized {"reason": "owner", "status": "finalized", "summary":'
        ' "问：退款失败后会自动重试吗?答：会, 最多重试 3 次。出处：shop payments/retry.py。",'
        ' "title": "退款失败后会自动重试吗?"}',
        f'event topic_shared {{"kind": "person", "person": {li.pk}, "share": {named["id"]}}}',
        f'event topic_shared {{"kind": "company", "share": {everyone["id"]}}}',
        f'event topic_unshared {{"kind": "person", "person": {li.pk}, "share": {named["id"]}}}',
        f'event topic_unshared {{"kind": "company", "share": {everyone["id"]}}}',
    ]
    assert story(own["tape"]) == expected(f"""
        message user: 超过次数呢?
        event turn_started {{"attempt": 1}}
        event model_call_started
        event model_call_ended ok
        message assistant: 之后转人工。
        event turn_ended {{"reason": "", "status": "done"}}
        event fork_merged
        message user: topic:{first["id"]} 里怎么说?
        anchor recall_anchor {{"references": [{{"kind": "topic", "shown": false, "written": "topic:{first["id"]}"}}], "text": "Named in the question; what follows was true when it was written.\\nNamed: topic:{first["id"]}\\ntopic:{first["id"]} is not open to the asker.", "topics": []}}
        event turn_started {{"attempt": 1}}
        event model_call_started
        event model_call_ended ok
        message assistant: 不知道了。
        event turn_ended {{"reason": "", "status": "done"}}
        event fork_merged
    """)
    while_open, after = (str(request) for request in answers(model)[-2:])
    assert "会, 最多重试 3 次" in while_open
    assert "会, 最多重试 3 次" not in after
    assert "[recall_anchor] [withheld]" in after


def answers(model: ScriptedServer) -> list[dict[str, Any]]:
    """What the model was asked in turns, not beside them."""
    return [request for request in model.requests if request.get("tools")]


def expected(text: str) -> str:
    """A story as it is written down in a test."""
    return dedent(text).strip()


def test_P9_a_link_lets_in_who_is_signed_in_until_it_is_taken_back(
    mei: User, gao: User, model: ScriptedServer
) -> None:
    owner, visitor = Person(mei), Person(gao)
    model.add(SEARCH, ANSWER)
    topic = owner.is_answered("退款失败后会自动重试吗?")["topic"]
    link = opens(owner, topic["id"], kind="link")
    came = visitor.client.post("/api/links", {"token": link["token"]}, format="json")
    assert came.json() == {"topic": topic["id"], "view": None}
    # Sharing widens no grant: the answer comes from code that this person may not read.
    shown = visitor.sees(f"/api/topics/{topic['id']}/entries")["results"]
    said = [entry for entry in shown if entry["kind"] == "message"]
    assert [entry["withheld"] for entry in said] == [False, True]
    closes(owner, topic["id"], link)
    assert visitor.client.get(f"/api/topics/{topic['id']}").status_code == 404
    again = visitor.client.post("/api/links", {"token": link["token"]}, format="json")
    assert again.status_code == 404
    assert link["token"] not in story(topic["tape"])


def test_P9_what_is_opened_to_everyone_is_used_where_its_owner_is_named(
    mei: User, li: User, model: ScriptedServer
) -> None:
    owner, asker = Person(mei), Person(li)
    model.add(SEARCH, ANSWER, says("听 Mei 的。"), says("没有了。"))
    topic = owner.is_answered("退款失败后会自动重试吗?")["topic"]
    owner.finishes(topic)
    everyone = opens(owner, topic["id"], kind="company")
    asked = asker.is_answered("@Mei 退款失败会重试几次?")["topic"]
    closes(owner, topic["id"], everyone)
    asker.is_answered("@Mei 退款失败会重试几次?", topic=asked["id"])
    while_open, after = (str(request) for request in answers(model)[-2:])
    assert f"Open topic {topic['id']}, 退款失败后会自动重试吗?" in while_open
    assert "Nothing that Mei has opened fits this question." in after
    assert f"Open topic {topic['id']}" not in after
