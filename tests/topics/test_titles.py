"""Titles come from the question's own first line, cut by what fits, not by characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topics import titles


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Who may refund?", "Who may refund?"),
        ("\n\n  Who may\t refund?  \nAnd why?", "Who may refund?"),
        ("退款失败后会自动重试吗？", "退款失败后会自动重试吗？"),
        ("x" * 80, "x" * 80),
        ("x" * 81, "x" * 79 + "…"),
        ("退" * 40, "退" * 40),
        ("退" * 41, "退" * 39 + "…"),
        ("a" + "退" * 40, "a" + "退" * 39 + "…"),
        ("e\u0301" * 80, "e\u0301" * 80),
        ("e\u0301" * 81, "e\u0301" * 79 + "…"),
        ("x" * 77 + "👨\u200d👩\u200d👧" * 2, "x" * 77 + "…"),
        (" \n ", "…"),
    ],
)
def test_a_title_is_the_first_line_at_most_eighty_columns_wide(question: str, title: str) -> None:
    assert titles.from_question(question) == title


@given(st.text(max_size=300))
def test_any_text_has_a_title_that_fits_and_is_one_line(question: str) -> None:
    title = titles.from_question(question)
    assert len(title) > 0
    assert titles.width(title) <= titles.COLUMNS
    assert len(title.splitlines()) == 1
