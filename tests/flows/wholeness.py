"""The turn that fault tests disturb, and what must be true of its tape whatever happened to it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kb_agent.llm.script import calls, calls_all, says
from tapes import store, verify, views
from tapes.views import View
from tests.agent.stories import story

if TYPE_CHECKING:
    from topics.models import Turn

QUESTION = "退款失败后会自动重试吗?"
STEPS = (
    calls_all(
        calls("search_code", queries=["退款 重试"]), calls("list_files", repository="shop")
    ).using(900, 20),
    calls("read_lines", repository="shop", path="payments/retry.py").using(1200, 10),
    says("会, 最多重试 3 次。[e1]").using(1500, 30),
)
PAID = 920 + 1210 + 1530
WHOLE = """\
message user: 退款失败后会自动重试吗?
event turn_started {"attempt": 1}
event model_call_started
event model_call_ended ok 920 tokens
tool_call search_code {"queries": ["退款 重试"]} | list_files {"repository": "shop"}
tool_result search_code: lands in: shop | list_files: payments/manual.py
event model_call_started
event model_call_ended ok 1210 tokens
tool_call read_lines {"repository": "shop", "path": "payments/retry.py"}
tool_result read_lines:
event model_call_started
event model_call_ended ok 1530 tokens
message assistant: 会, 最多重试 3 次。[e1]
event turn_ended {"reason": "", "status": "done"}
event fork_merged"""
LEASE, SWEEP = 3, 1
SHORT = {
    "KB_AGENT_TURN_LEASE_SECONDS": str(LEASE),
    "KB_AGENT_TURN_HEARTBEAT_SECONDS": "1",
    "KB_AGENT_SWEEP_SECONDS": str(SWEEP),
}
"""A worker's environment in which a lost turn is found soon."""


def check(turn: Turn, *, attempts: int = 2) -> None:
    """Answered, every entry once, the chain unbroken, each call begun also ended, all costs kept."""
    assert (turn.status, turn.reason) == ("done", "")
    assert turn.attempts <= attempts
    assert _undisturbed(turn) == WHOLE
    entries = views.read(turn.tape_id, View.seqs())
    assert [entry.seq for entry in entries] == list(range(1, store.get(turn.tape_id).head + 1))
    assert verify.verify(turn.tape_id).ok
    events = [entry.payload for entry in entries if entry.kind == "event"]
    begun = [event["data"]["call"] for event in events if event["name"] == "model_call_started"]
    ended = [event["data"] for event in events if event["name"] == "model_call_ended"]
    assert Counter(begun) == Counter(call["call"] for call in ended)
    assert Counter(call["status"] for call in ended)["unknown"] <= turn.attempts - 1
    assert sum(sum(call["usage"].values()) for call in ended if call["usage"]) == PAID


def _undisturbed(turn: Turn) -> str:
    """Its story without what tells of lost attempts: that others began, and calls lost with them."""
    kept: list[str] = []
    for line in story(turn.tape_id).splitlines():
        if line.startswith("event turn_started") and '"attempt": 1}' not in line:
            continue
        if line == "event model_call_ended unknown":
            assert kept.pop() == "event model_call_started"
        else:
            kept.append(line)
    return "\n".join(kept)
