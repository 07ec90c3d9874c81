"""The passages of an entry that vectors are made of: what was said and concluded, not lines of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from tapes import entries, paging
from tapes.matching import searchable
from tapes.models import Entry as Row
from tapes.models import Tape

if TYPE_CHECKING:
    from tapes.entries import Entry

CHARS = 1_500
"""A passage has at most so many characters, some hundreds of tokens of any model."""
MOST = 20
"""Passages of one entry; a longer text is found by its words alone from there on."""
_KINDS = (entries.MESSAGE, entries.TOOL_RESULT, entries.ANCHOR)
_SAID = Q(kind__in=_KINDS) | Q(kind=entries.EVENT, payload__name="correction")
_CODE = re.compile(r"^[ \t]*\d+: .*$", re.MULTILINE)
"""A line of code as tools number them."""
_LETTERS = re.compile(r"\w")
_FEWEST = 4
"""A text of fewer letters ("ok") is near to everything and to nothing."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of an entry's text, and whose it is."""

    entry: Entry
    part: int
    begins: int
    text: str


@dataclass(frozen=True, slots=True)
class Batch:
    """The next passages of a tape, and how far it was looked at with them."""

    tape_id: int
    passages: list[Passage]
    upto: int


def after(tape_id: int, seq: int, *, size: int) -> Batch:
    """Return the passages of the entries after a seq, about `size` of them, whole entries always."""
    head = Tape.objects.values_list("head", flat=True).get(id=tape_id)
    rows = Row.objects.filter(
        _SAID, tape_id=tape_id, seq__gt=seq, seq__lte=head, salt__isnull=False
    )
    found: list[Passage] = []
    for entry in paging.entries(rows):
        found += of(entry)
        if len(found) >= size:
            return Batch(tape_id, found, entry.seq)
    return Batch(tape_id, found, head)


def of(entry: Entry) -> Iterator[Passage]:
    """Yield the passages of an entry; lines of code, and what holds no words, are left out.

    `begins` counts in the text that search looks at, so that a snippet shows the place.
    """
    if not _says(entry):
        return
    kept = searchable.text(entry)[: CHARS * MOST]
    if entry.kind == entries.TOOL_RESULT:
        kept = _CODE.sub(lambda line: " " * len(line[0]), kept)
    for part, (begins, end) in enumerate(_cut(kept)):
        said = " ".join(kept[begins:end].split())
        if len(_LETTERS.findall(said)) >= _FEWEST:
            yield Passage(entry, part, begins, said)


def _says(entry: Entry) -> bool:
    """Whether somebody said something here; an anchor's bare name says nothing."""
    if entry.kind == entries.ANCHOR:
        state = entry.payload.get("state")
        return isinstance(state, dict) and any(isinstance(part, str) for part in state.values())
    correction = entry.kind == entries.EVENT and entry.payload.get("name") == "correction"
    return correction or entry.kind in _KINDS


def _cut(text: str) -> Iterator[tuple[int, int]]:
    """Cut at the end of a line, a sentence or a word, whichever comes last in the second half."""
    begins = 0
    while begins < len(text):
        end = min(begins + CHARS, len(text))
        if end < len(text):
            half = begins + CHARS // 2
            for mark in ("\n", "。", ". ", " "):
                at = text.rfind(mark, half, end)
                if at >= 0:
                    end = at + len(mark)
                    break
        yield begins, end
        begins = end
