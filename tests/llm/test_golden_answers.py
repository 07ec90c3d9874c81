"""Whole answers of the evidence model, kept word for word: how they read is what people judge by (A3)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.llm.conversations import FOUND, Conversation
from tests.llm.test_asking_back import EQUAL
from tests.llm.test_evidence_model import CALLED, DEFINED, EXACT, HIT, LONG, NOTHING, USES

GOLDEN = Path(__file__).parent / "golden"
NOT_HERE = "lands in: shop, certainty low\ntried: claim; settled → close\nnot found here: below.\n"


def cancelling() -> str:
    """English, with the lines that decide opened by themselves."""
    conversation = Conversation("Who may still cancel a paid order?")
    conversation.answer(HIT, LONG, CALLED)
    opened = [
        at
        for at, one in enumerate(conversation.messages)
        if "read_lines" in str(one.get("tool_calls"))
    ]
    conversation.messages[opened[-1] + 1]["content"] = EXACT
    return conversation.answer(HIT)


ANSWERS = {
    "found.en": cancelling,
    "found.zh": lambda: Conversation("退款失败后会自动重试吗？重试几次？").answer(FOUND),
    "value.zh": lambda: Conversation("退款失败后最多重试几次？").answer(FOUND, USES, DEFINED),
    "asks_back.en": lambda: Conversation("Who may refund?").answer(EQUAL),
    "not_found.zh": lambda: Conversation("会员积分怎么过期").answer(NOTHING),
    "not_found.en": lambda: Conversation("How is a claim settled?").answer(
        f"{NOT_HERE}\n[e1] shop/a.py lines 1-1\n1: x"
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_A3_an_answer_reads_as_it_was_written_down(name: str) -> None:
    assert ANSWERS[name]() == (GOLDEN / f"{name}.txt").read_text("utf-8").rstrip("\n")
