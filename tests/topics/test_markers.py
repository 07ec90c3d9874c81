"""Evidence ids in answers are found however they are bracketed, and nothing else is taken for one."""

from __future__ import annotations

import pytest

from topics import markers


@pytest.mark.parametrize(
    ("text", "numbers", "without"),
    [
        ("Three times. [e1]", [1], "Three times."),
        ("最多三次。【e2，e5】然后通知。[E2]", [2, 5], "最多三次。然后通知。"),
        ("See [ e3 , e4 ] and [e3].", [3, 4], "See and."),
        ("A list [email] of [1] and [ex].", [], "A list [email] of [1] and [ex]."),
        ("[e1234567890]", [], ""),
        ("", [], ""),
    ],
)
def test_A5_ids_are_read_once_each_and_can_be_left_out(
    text: str, numbers: list[int], without: str
) -> None:
    assert markers.numbers(text) == numbers
    assert markers.without(text) == without


def test_A5_ids_get_other_numbers_and_those_without_one_go() -> None:
    text = "Yes [e1] and no [e2, e3]."
    assert markers.renumbered(text, {1: 7, 3: 9}.get) == "Yes [e7] and no [e9]."
