"""Narrows a place to the stretch that decides: the lines that say most about the question."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from kb_agent.llm.evidence_model import rewording

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kb_agent.llm.evidence_model.places import Place

# A place so short is cited whole; a longer one by a stretch of about so many lines.
WHOLE, SPAN = 14, 12
# How far above the stretch its own head (`def`, `if`) may stand to be taken along.
HEAD = 4
# How many lines that say nothing themselves may follow the last that does: what becomes of it.
AFTER = 2
DECIDES, FIGURE, SAID, IMPORTED = 0.3, 0.4, 0.6, 0.1
OWN_WORD = 1.5
# A line that says so little beside the best of its stretch does not begin it.
FAINT = 0.4
# Words shorter than this are met as they are; of longer ones the ending may differ.
STEM = 5
_CJK = re.compile(r"[\u3400-\u9fff]")
_WEIGHTY = re.compile(
    r"(?i:\b(if|unless|return|raise|throw|elif|case|when|assert|max|min|limit|require|forbid|deny)\b)"
    r"|[<>]=?|[=!]=|\b[A-Z][A-Z0-9_]{2,}\b\s*[:=]"
)
_FIGURES = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w])|timedelta|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
_COMMENT = re.compile(r"^\s*(#|//|/\*|\*|--|\"\"\"|'''|<!--)")
_DEFINES = re.compile(
    r"^\s*(?:async\s+)?(?:def|func|function|fn|fun)\s+(?:\([^)]*\)\s*)?(\w+)"
    r"|^\s*(?:(?:public|private|protected|static|final|async|override|internal)\s+)+[\w<>\[\], ]*?(\w+)\s*\([^;]*$"
)
_HOLDS = re.compile(
    r"^\s*(?:(?:export|public|abstract|final|data|sealed)\s+)*(?:class|interface|struct|enum|trait)\s+(\w+)"
)
# What belongs to the definition below it: decorators and comments.
_ABOVE = re.compile(r"^\s*(@|#|//|/\*|\*)")
_IMPORT = re.compile(r"^\s*(import|from|using|#include|package|require)\b")
_HEADS = re.compile(
    r"^\s*(@|def\b|async def\b|class\b|func\b|function\b|public\b|private\b|protected\b|fn\b|if\b|for\b|elif\b"
    r"|else\b|case\b|try\b|with\b|while\b|switch\b)"
)


def stretch(place: Place, asked: Sequence[str], *, measured: bool = False) -> tuple[int, int]:
    """First and last line of what decides in a place. `measured`: the question asks how many or how long."""
    numbers = sorted(place.lines)
    if not numbers:
        return place.start, place.end
    if len(numbers) <= WHOLE:
        return _trimmed(place.lines, numbers[0], numbers[-1])
    weights = _weights(place.lines, asked, measured=measured)
    totals = [
        (sum(weights[number] for number in numbers[at : at + SPAN]), -at)
        for at in range(len(numbers) - SPAN + 1)
    ]
    first = numbers[-max(totals)[1]]
    telling = FAINT * max(weights[number] for number in range(first, first + SPAN))
    first = next(number for number in range(first, first + SPAN) if weights[number] >= telling)
    first = _with_head(place.lines, first, first + SPAN - 1)
    last = min(first + SPAN - 1 + HEAD, numbers[-1])
    return _trimmed(place.lines, *_within_one(place.lines, first, last, weights), weights)


def _within_one(
    lines: Mapping[int, str], first: int, last: int, weights: Mapping[int, float]
) -> tuple[int, int]:
    """Of lines that reach from one function into the next, those of the one that says most."""
    begins = [first]
    for number in range(first + 1, last + 1):
        if _DEFINES.match(lines[number]):
            begins.append(_with_above(lines, number, begins[-1] + 1))
    parts = list(zip(begins, [*(each - 1 for each in begins[1:]), last], strict=True))
    return max(
        parts, key=lambda part: sum(weights[number] for number in range(part[0], part[1] + 1))
    )


def function_of(place: Place, start: int) -> int:
    """Where the function that a line stands in begins, with what is written above it; else the place's first line."""
    for number in range(start, place.start - 1, -1):
        if _DEFINES.match(place.lines.get(number, "")):
            return _with_above(place.lines, number, place.start)
    return place.start


def _with_above(lines: Mapping[int, str], number: int, lowest: int) -> int:
    """A definition's first line with the decorators and comments above it."""
    while number > lowest and _ABOVE.match(lines.get(number - 1, "")):
        number -= 1
    return number


def _weights(lines: Mapping[int, str], asked: Sequence[str], *, measured: bool) -> dict[int, float]:
    """What each line says about the question; a word that stands everywhere says little about where."""
    folded = {number: line.casefold() for number, line in lines.items()}
    weights = dict.fromkeys(lines, 0.0)
    for term in dict.fromkeys(word.casefold() for word in asked):
        met = {number: share for number, line in folded.items() if (share := meets(line, term))}
        # The asker's own Chinese word in the code was written for this very matter.
        worth = (OWN_WORD if _CJK.match(term) else 1) / math.sqrt(1 + len(met))
        for number, share in met.items():
            weights[number] += share * worth
    near = {number + step for number, weight in weights.items() if weight for step in (-1, 0, 1)}
    for number, line in lines.items():
        if _IMPORT.match(line):
            weights[number] *= IMPORTED
        elif _COMMENT.match(line) and not _CJK.search(line):
            weights[number] *= SAID
        elif number in near:
            weights[number] += DECIDES * bool(_WEIGHTY.search(line))
            weights[number] += FIGURE * bool(measured and _FIGURES.search(line))
    return weights


def meets(line: str, term: str) -> float:
    """How much of a term stands in a line, both case-folded: pairs of Chinese characters, or the word's stem."""
    if _CJK.match(term):
        pairs = [term[at : at + 2] for at in range(len(term) - 1)]
        return sum(pair in line for pair in pairs) / len(pairs) if pairs else 0.0
    if len(term) < 3:
        return 0.0
    return float(term[: max(STEM, len(term) - 3)] in line)


def _with_head(lines: Mapping[int, str], first: int, last: int) -> int:
    """The stretch with the head it stands under, when that is near: it does not begin inside a deeper block."""
    said = [line for number, line in lines.items() if first <= number <= last and line.strip()]
    lowest = min(map(_indent, said), default=0)
    for number in range(first, first - HEAD - 1, -1):
        line = lines.get(number)
        if line is None:
            break
        if line.strip() and _indent(line) <= lowest and _HEADS.match(line):
            return number
    return first


def named_at(place: Place, start: int, end: int) -> str:
    """The name of what lines of a place define or stand in; the place's own where that cannot be told."""
    lowest = min(
        (
            _indent(line)
            for number, line in place.lines.items()
            if start <= number <= end and line.strip()
        ),
        default=0,
    )
    for number in range(end, place.start - 1, -1):
        line = place.lines.get(number, "")
        defined = _DEFINES.match(line) or _HOLDS.match(line)
        if defined and (number >= start or _indent(line) < max(lowest, 1)):
            name = next(group for group in defined.groups() if group)
            return place.symbol if place.symbol.rpartition(".")[2] == name else name
    return place.symbol


def _trimmed(
    lines: Mapping[int, str], first: int, last: int, weights: Mapping[int, float] | None = None
) -> tuple[int, int]:
    """Without empty lines and loose brackets at the ends, nor many lines at the end that say nothing."""

    telling = [number for number in range(first, last + 1) if weights and weights.get(number)]
    enough = telling[-1] + AFTER if telling else last

    def idle(number: int) -> bool:
        return number > enough or not lines.get(number, "").strip(" \t)]}>;,")

    while first < last and not lines.get(first, "").strip():
        first += 1
    end = last
    while end > first and idle(end):
        end -= 1
    # A call that was opened within is shown closed.
    while (
        end < last
        and not lines.get(end + 1, "x").strip(" \t)]}>;,")
        and lines.get(end + 1, "").strip()
    ):
        end += 1
    return first, end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def covered(place: Place, lines: tuple[int, int], asked: Sequence[str]) -> float:
    """The share of the question's words that some lines of a place meet; the longest say most."""
    text = "\n".join(
        line for number, line in place.lines.items() if lines[0] <= number <= lines[1]
    ).casefold()
    weights = {word.casefold(): math.sqrt(len(word)) for word in asked}
    total = sum(weights.values())
    met = sum(meets(text, word) * weight for word, weight in weights.items())
    return met / total if total else 0.0


def asked_words(question: str, place: Place) -> list[str]:
    """The question's words, and the code's own words for them in a place."""
    return rewording.keywords(question) + [match.code for match in place.matches]
