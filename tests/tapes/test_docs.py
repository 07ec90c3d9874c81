"""docs/tapes.md says of anchors and refusals what the code does."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import tapes
from tapes import anchors, errors, messages

PAGE = (Path(__file__).parents[2] / "docs" / "tapes.md").read_text(encoding="utf-8")


def test_the_table_of_anchors_says_what_moves_the_window_and_what_is_shown() -> None:
    rows = re.findall(r"^\| `([a-z_/…]+)` \| (yes|no) \| (yes|no) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 6
    for name, moves, shown in rows:
        assert anchors.moves_window(name) == (moves == "yes"), name
        assert messages.shows_anchor(name) == (shown == "yes"), name


def test_every_refusal_is_listed_by_its_code() -> None:
    listed = re.findall(r"^\| `([a-z_]+)` \| [^|]+ \|$", PAGE, re.MULTILINE)
    for module in pkgutil.walk_packages(tapes.__path__, "tapes."):
        importlib.import_module(module.name)
    known = {one.code for one in _refusals(errors.TapeError)}
    assert set(listed) == known


def _refusals(of: type[errors.TapeError]) -> Iterator[type[errors.TapeError]]:
    for one in of.__subclasses__():
        # Others of this project may refuse in the same way; they have pages of their own.
        if one.__module__.startswith("tapes."):
            yield one
            yield from _refusals(one)


def test_every_file_the_page_sends_readers_to_is_there() -> None:
    root = Path(__file__).parents[2]
    named = set(re.findall(r"`(tapes/[a-z0-9_/.]+)`", PAGE))
    assert len(named) > 10
    assert [path for path in named if not (root / path).exists()] == []
