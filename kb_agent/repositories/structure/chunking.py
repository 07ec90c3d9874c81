"""Cuts a text into chunks that follow the code's own structure, with the symbols it defines (C4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from kb_agent.repositories.structure import languages, markup, naming, outlines, parsing
from kb_agent.repositories.structure.parsing import Definition

LONGEST_UNIT = 60
LONGEST_BETWEEN = 40
# A class so short is read whole, with its methods.
SHORT_CLASS = 12
# Parts of markup and settings so short are read with their neighbours.
SHORT_PART = 8
LONGEST_COMMENT = 40
GATHERED = frozenset(["html", "vue", "xml", "sql", "yaml", "properties", "ini", "toml"])
_COMMENT = re.compile(r"^\s*(?://|/\*|\*|@\w|\[\w[^\]]*\]\s*$|#\[)")
_HASH = re.compile(r"^\s*#")
_DASHES = re.compile(r"^\s*(?:--|/\*|\*)")
_TAGS = re.compile(r"^\s*<!--.*-->\s*$")
COMMENTS: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(("python", "ruby", "bash", "yaml", "properties", "ini", "toml"), _HASH),
    **dict.fromkeys(("sql", "lua"), _DASHES),
    **dict.fromkeys(("xml", "html"), _TAGS),
}
_SAYS = re.compile(r"\w")
ALONE = frozenset(["function", "class", "type"])
# Kinds of parts that say what lines are, and define nothing.
REGIONS = frozenset(["code", "text"])


@dataclass(frozen=True)
class Chunk:
    """A stretch of lines; `symbol` is the definition it belongs to, if any.

    `names` are those set between definitions, `labels` what people call the class it stands in.
    """

    kind: str
    symbol: str
    start_line: int
    end_line: int
    names: str = ""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Structure:
    """What a text holds."""

    chunks: tuple[Chunk, ...]
    definitions: tuple[Definition, ...] = ()


def cut(text: str, lines: list[str], language: str) -> Structure:
    """Chunks covering every line that says something, in order."""
    parts = [_commented(lines, part, language) for part in _parts(text, lines, language)]
    if language in languages.STRUCTURES:
        parts = list(_labelled(lines, parts))
    symbols = tuple(part for part in parts if part.kind not in REGIONS)
    return Structure(tuple(_chunks(lines, parts, language)), symbols)


def _parts(text: str, lines: list[str], language: str) -> list[Definition]:
    if language in languages.STRUCTURES:
        return parsing.definitions(text.encode(), language)
    if language in {"vue", "html"}:
        return markup.page(text, language)
    if language == "xml":
        return markup.elements(text)
    return READ_BY_LINES[language](lines) if language in READ_BY_LINES else []


def _sections(lines: list[str], heads: list[tuple[int, str]]) -> list[Definition]:
    ends = [number - 1 for number, _ in heads[1:]] + [len(lines)]
    return [
        Definition(title[:200], title[:300], "section", number, end)
        for (number, title), end in zip(heads, ends, strict=False)
    ]


READ_BY_LINES: dict[str, Callable[[list[str]], list[Definition]]] = {
    "sql": outlines.statements,
    "yaml": outlines.keys,
    **dict.fromkeys(("properties", "ini", "toml"), outlines.settings),
    "markdown": lambda lines: _sections(lines, naming.headings(lines)),
    "text": lambda lines: _sections(lines, naming.underlined(lines)),
}


def _commented(lines: list[str], part: Definition, language: str) -> Definition:
    """The part with the line its comment, attributes or annotations begin on."""
    if part.kind in REGIONS or language in {"markdown", "text"}:
        return part
    pattern = COMMENTS.get(language, _COMMENT)
    row = part.start_line - 1
    lowest = max(0, row - LONGEST_COMMENT)
    while row > lowest and pattern.match(lines[row - 1]):
        row -= 1
    return replace(part, from_line=row + 1) if row + 1 < part.start_line else part


def _labelled(lines: list[str], definitions: list[Definition]) -> Iterator[Definition]:
    for definition in definitions:
        if definition.holds:
            own = lines[definition.start_line - 1 : definition.end_line]
            yield replace(definition, labels=naming.labels(own))
        else:
            yield definition


def _chunks(lines: list[str], definitions: list[Definition], language: str) -> Iterator[Chunk]:
    """Each definition's own lines as one chunk or, when long, several; the rest by the nearest holder."""
    owner: list[Definition | None] = [None] * len(lines)
    labels: list[tuple[str, ...]] = [()] * len(lines)
    whole_until = 0
    for definition in definitions:  # outer definitions come first, so the innermost wins
        first = min(definition.from_line or definition.start_line, definition.start_line)
        last = min(definition.end_line, len(lines))
        if definition.end_line <= whole_until or definition.thin:
            continue
        if definition.holds and definition.end_line - definition.start_line < SHORT_CLASS:
            whole_until = definition.end_line
        for row in range(first - 1, last):
            owner[row] = definition
            if definition.labels:
                labels[row] = definition.labels
    runs = list(_runs(lines, owner))
    if language in GATHERED:
        yield from _gathered(lines, runs, language)
        return
    for first, last, owned in runs:
        yield from _pieces(lines, (first, last), (owned, labels[first]), language)


def _runs(
    lines: list[str], owner: list[Definition | None]
) -> Iterator[tuple[int, int, Definition | None]]:
    """(first row, row after the last, owner) of each stretch that one definition owns; closing brackets join it."""
    start = 0
    first, last, owned = 0, 0, None
    for row in range(1, len(lines) + 1):
        if row < len(lines) and owner[row] is owner[start]:
            continue
        closes = last > first and not any(_SAYS.search(line) for line in lines[start:row])
        if closes:
            last = row
        else:
            if last > first:
                yield first, last, owned
            first, last, owned = start, row, owner[start]
        start = row
    if last > first:
        yield first, last, owned


def _gathered(
    lines: list[str], runs: list[tuple[int, int, Definition | None]], language: str
) -> Iterator[Chunk]:
    """Short neighbours as one chunk that names them all; code and what surrounds it are not mixed."""
    held: list[tuple[int, int, Definition | None]] = []
    for run in runs:
        first, last, owner = run
        alone = last - first >= SHORT_PART or (owner is not None and owner.kind in ALONE)
        if held and (
            alone or last - held[0][0] > LONGEST_BETWEEN or _reads(owner) != _reads(held[0][2])
        ):
            yield from _together(lines, held, language)
            held = []
        held.append(run)
        if alone:
            yield from _together(lines, held, language)
            held = []
    if held:
        yield from _together(lines, held, language)


def _reads(owner: Definition | None) -> bool:
    """Whether lines are read as code."""
    return owner is not None and owner.kind not in {"text", "section", "element"}


def _together(
    lines: list[str], held: list[tuple[int, int, Definition | None]], language: str
) -> Iterator[Chunk]:
    owners = list(dict.fromkeys(owner for _, _, owner in held if owner is not None))
    rows = (held[0][0], held[-1][1])
    if len(owners) <= 1:
        yield from _pieces(lines, rows, (owners[0] if owners else None, ()), language)
        return
    kind = "code" if _reads(owners[0]) else "text"
    names = " ".join(each.name for each in owners if each.kind not in REGIONS)
    for piece in _pieces(lines, rows, (None, ()), language):
        here = lines[piece.start_line - 1 : piece.end_line]
        set_here = naming.set_here(here) if kind == "code" else ""
        yield replace(piece, kind=kind, names=f"{names} {set_here}".strip())


def _pieces(
    lines: list[str],
    rows: tuple[int, int],
    owned: tuple[Definition | None, tuple[str, ...]],
    language: str,
) -> Iterator[Chunk]:
    """Rows of one owner (end excluded), blank edges dropped, cut where little is nested."""
    start, end = rows
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    definition, labels = owned
    structured = language in languages.STRUCTURES
    kind = definition.kind if definition else ("code" if structured else "text")
    symbol = definition.qualified if definition and kind not in REGIONS else ""
    longest = LONGEST_UNIT if symbol else LONGEST_BETWEEN
    while start < end:
        row = end
        if end - start > longest:
            row = _best_cut(lines, start + longest // 2, start + longest)
        names = naming.set_here(lines[start:row]) if not symbol and kind == "code" else ""
        yield Chunk(kind, symbol, start + 1, row, names, labels)
        start = row


def _best_cut(lines: list[str], low: int, high: int) -> int:
    """The row in low..high that begins the least nested line, after a blank one when there is a choice."""

    def cost(row: int) -> tuple[int, int, int]:
        line = lines[row]
        indent = len(line) - len(line.lstrip()) if line.strip() else 200
        return indent, 0 if not lines[row - 1].strip() else 1, abs(row - (low + high) // 2)

    return min(range(low, high), key=cost)
