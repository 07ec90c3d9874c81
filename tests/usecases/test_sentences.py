"""The first sentence of an answer, as a list shows it."""

from __future__ import annotations

import pytest

from kb_agent.usecases import sentences


@pytest.mark.parametrize(
    ("answer", "first"),
    [
        ("Yes, up to three times. [e1] Then a person takes over.", "Yes, up to three times."),
        ("**Yes, up to 3 times**, after 1 minute.[e1]", "Yes, up to 3 times, after 1 minute."),
        ("会\uff0c最多 3 次。[e1][e2]之后转人工。", "会\uff0c最多 3 次。"),
        ("能吗\uff1f能。", "能吗\uff1f"),
        ("It is `retry.py` 1.5 that decides. More.", "It is retry.py 1.5 that decides."),
        ("# Refunds\n\nThey are retried.", "Refunds"),
        ("- first\n- second", "first"),
        ("No full stop", "No full stop"),
        ("", ""),
        ("x" * 300 + ".", "x" * 199 + "…"),
    ],
)
def test_the_first_sentence_is_plain_text_without_marks(answer: str, first: str) -> None:
    assert sentences.first(answer) == first
