"""docs/tapes.md says of anchors and refusals what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from tapes import anchors, errors, messages, saw

PAGE = (Path(__file__).parents[2] / "docs" / "tapes.md").read_text(encoding="utf-8")


def test_the_table_of_anchors_says_what_moves_the_window_and_what_is_shown() -> None:
    rows = re.findall(r"^\| `([a-z_/…]+)` \| (yes|no) \| (yes|no) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 6
    for name, moves, shown in rows:
        assert anchors.moves_window(name) == (moves == "yes"), name
        assert messages.shows_anchor(name) == (shown == "yes"), name


def test_every_refusal_is_listed_by_its_code() -> None:
    listed = re.findall(r"^\| `([a-z_]+)` \| [^|]+ \|$", PAGE, re.MULTILINE)
    known = {
        one.code for one in vars(errors).values() if isinstance(one, type) and hasattr(one, "code")
    }
    assert set(listed) == (known | {saw.EntriesMissing.code}) - {errors.TapeError.code}


def test_every_file_the_page_sends_readers_to_is_there() -> None:
    root = Path(__file__).parents[2]
    named = set(re.findall(r"`(tapes/[a-z0-9_/.]+)`", PAGE))
    assert len(named) > 10
    assert [path for path in named if not (root / path).exists()] == []
