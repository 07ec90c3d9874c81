"""A memory-able topic: one is finished, another recalls it, opens a part of it, and its owner dismisses it (P7)."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.llm import endpoints, scripted
from kb_agent.llm.script import calls, says
from tests.agent.stories import story
from tests.flows import aftermath
from tests.flows.harness import until
from tests.flows.person import Found, Person
from topics.models import HookRun
from topics.models.recall import Recollection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb_agent.accounts.models import User
    from kb_agent.llm.scripted import ScriptedServer

pytestmark = pytest.mark.usefixtures("a_worker")

BETTER = '{"title": "退款重试", "summary": "失败的退款最多自动重试 3 次。"}'
HEAD = re.compile(r'"text": "Earlier topics .*?\\n- ')
SCORE = re.compile(r'"score": [\d.]+')


TAPE = dedent("""
        message user: 退款失败后会自动重试吗？
        event turn_started {"attempt": 1}
        event model_call_started
        event model_call_ended ok
        tool_call search_code {"queries": ["退款 重试"]}
        tool_result search_code: lands in: shop
        event model_call_started
        event model_call_ended ok
        message assistant: 会，失败后最多重试 3 次。[e1]
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
        anchor topic_finalized {"reason": "owner", "status": "finalized", "summary": "问：退款失败后会自动重试吗？答：会，失败后最多重试 3 次。出处：shop payments/retry.py。", "title": "退款失败后会自动重试吗？"}
        event topic_described {"summary": "失败的退款最多自动重试 3 次。", "title": "退款重试"}
        event hook {"attempt": 1, "hook": "kb_agent.topic_hooks.summary.from_model", "outcome": "done: described", "stage": "post_topic_finalized"}
        anchor topic_initial {"continues": null, "owner": 1, "title": "Is a failed refund retried automatically?"}
        message user: Is a failed refund retried automatically?
        event turn_started {"attempt": 1}
        anchor recall_anchor {"text": "…\\n- topic 1 (entries 2 to 18): 退款重试\\n  失败的退款最多自动重试 3 次。", "topics": [{"range": [2, 18], "score": …, "summary": "失败的退款最多自动重试 3 次。", "tape": 1, "title": "退款重试"}]}
        event hook {"attempt": 1, "hook": "kb_agent.topic_hooks.recall.recall", "outcome": "done: 1 topic recalled", "stage": "post_topic_initial"}
        event model_call_started
        event model_call_ended ok
        tool_call open_range {"topic": 1, "first": 2, "last": 18}
        tool_result open_range: entry 2, anchor: topic_initial: 退款失败后会自动重试吗？
        event model_call_started
        event model_call_ended ok
        message assistant: Yes, as topic:1 found: at most 3 times. [e1]
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
        event recall_dismissed {"seq": 32}
        message user: Anything else?
        event turn_started {"attempt": 1}
        event model_call_started
        event model_call_ended ok
        message assistant: Nothing more.
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
    """).strip()
"""The tape of both topics, from the first question on."""


@pytest.fixture
def model(shop: Any) -> Iterator[ScriptedServer]:
    """The model the company has set up."""
    with scripted.serve() as server:
        endpoints.add("scripted", base_url=server.url, model="m")
        yield server


def told(tape_id: int) -> str:
    """The story, without the words that stand at the head of every recall."""
    return SCORE.sub('"score": …', HEAD.sub(r'"text": "…\\n- ', story(tape_id)))


def remembered(topic: Found) -> None:
    """Wait until the worker has run the hooks of a finished topic, and it can be found."""
    aftermath.hooks_ended(topic)
    found = Recollection.objects.filter(topic=topic["id"], words__contains=["失败"])
    until(found.exists, within=60)
    assert not HookRun.objects.filter(topic=topic["id"]).exclude(status="done").exists()


def test_P7_a_memory_able_topic_is_recalled_opened_and_dismissed(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    model.add(
        calls("search_code", queries=["退款 重试"]),
        says("会，失败后最多重试 3 次。[e1]"),
    )
    model.add_beside("You name and sum up", says(BETTER))
    first = person.is_answered("退款失败后会自动重试吗？")["topic"]
    person.finishes(first)
    remembered(first)
    found = person.sees(f"/api/topics/{first['id']}")
    assert (found["title"], found["status"]) == ("退款重试", "finalized")
    opens = {"first": found["initial_seq"], "last": found["finalized_seq"]}
    model.add(
        calls("open_range", topic=first["id"], **opens),
        says(f"Yes, as topic:{first['id']} found: at most 3 times. [e1]"),
        says("Nothing more."),
    )
    second = person.is_answered("Is a failed refund retried automatically?", language="en")
    assert second["answer"]["meta"]["citations"][0]["path"] == "payments/retry.py"
    (recalled,) = person.sees(f"/api/topics/{second['topic']['id']}/recalled")["results"]
    assert (recalled["topic"], recalled["title"]) == (first["id"], "退款重试")
    assert (recalled["dismissed"], recalled["withheld"]) == (False, False)
    person.client.post(f"/api/topics/{second['topic']['id']}/recalled/{first['id']}/dismiss")
    (gone,) = person.sees(f"/api/topics/{second['topic']['id']}/recalled")["results"]
    assert gone["dismissed"] is True
    person.is_answered("Anything else?", topic=second["topic"]["id"], language="en")
    notes = ["Earlier topics that may bear" in str(one["messages"]) for one in model.requests]
    assert notes == [False, False, True, True, False]
    assert told(second["topic"]["tape"]) == TAPE
