"""Plays the loop for the evidence model: runs its calls against results that a test gives."""

from __future__ import annotations

import json
from typing import Any

from kb_agent.llm import evidence_model
from kb_agent.llm.protocol import Call, Completed, Message, Request, TextDelta

TOOLS = [
    {"type": "function", "function": {"name": name}}
    for name in ("search_code", "read_lines", "find_symbol")
]


FOUND = """\
lands in: shop, certainty high, because vocabulary 退款 = refund
next to it: billing

[e1] shop/payments/retry.py lines 28-39 `retry_failed`
matched: vocabulary 退款 = refund; symbol 重试 = retry_failed
28: MAX_ATTEMPTS = 3

[e2] shop/README.md lines 1-20
matched: word 退款 = 退款
1: # 退款

[e3] shop/payments/manual.py lines 5-9 `to_manual`
matched: vocabulary 退款 = refund
5: def to_manual(refund):
"""
READ = '''\
[e1] shop/payments/retry.py lines 28-39
28: MAX_ATTEMPTS = 3
29: BACKOFF = (60, 600, 3600)  # seconds
30:
31: def retry_failed(refund, now):
32:     """退款失败后自动重试，最多 MAX_ATTEMPTS 次。"""
33:     if refund.attempts >= MAX_ATTEMPTS:
34:         return to_manual(refund, reason="exhausted")
'''


class Conversation:
    """Plays the loop: runs the model's calls against canned results until it answers."""

    def __init__(self, question: str, *, earlier: list[Message] | None = None) -> None:
        self.messages: list[Message] = [
            {"role": "system", "content": "rules"},
            *(earlier or []),
            {"role": "user", "content": question},
        ]
        self.steps: list[list[str]] = []

    def answer(self, searched: str, read: str = READ, defined: str = "") -> str:
        for _ in range(6):
            completed = self._next()
            if not completed.calls:
                return completed.content
            self._give(
                completed.calls,
                {"search_code": searched, "read_lines": read, "find_symbol": defined},
            )
        raise AssertionError("the evidence model did not come to an answer")

    def _next(self) -> Completed:
        request = Request(messages=self.messages, tools=TOOLS, purpose="answer", payer=1)
        *pieces, completed = evidence_model.stream(request)
        assert isinstance(completed, Completed)
        assert (
            "".join(piece.text for piece in pieces if isinstance(piece, TextDelta))
            == completed.content
        )
        return completed

    def _give(self, calls: tuple[Call, ...], results: dict[str, str]) -> None:
        self.steps.append([f"{call.name} {call.arguments}" for call in calls])
        functions: list[dict[str, Any]] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in calls
        ]
        self.messages.append({"role": "assistant", "content": "", "tool_calls": functions})
        for call in calls:
            content = results[call.name]
            self.messages.append({"role": "tool", "tool_call_id": call.id, "content": content})


def calls_of(step: list[str], tool: str) -> list[dict[str, Any]]:
    """The arguments of a step's calls of one tool."""
    return [json.loads(call.removeprefix(f"{tool} ")) for call in step if call.startswith(tool)]
