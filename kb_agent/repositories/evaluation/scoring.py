"""Scores how well a search found the known places of a question (C9), as `docs/bench/score.py` does.

Repositories are compared by whatever names them, a name or an id, as long as both sides use the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

FIRST = 10
EVERY = "all"
NAMES = {
    "repo_at_1": "repo@1",
    "file_at_1": "file@1",
    "file_at_5": "file@5",
    "file_at_10": "file@10",
    "mrr": "mrr",
    "span_at_10": "span@10",
    "all_at_10": "all@10",
}
Key = int | str
Figures = dict[str, float | int | None]


@dataclass(frozen=True)
class Spot:
    """A place, known or found: lines are 1-based and inclusive; None for a known file as a whole."""

    repository: Key
    path: str
    start_line: int | None = None
    end_line: int | None = None

    @property
    def file(self) -> tuple[Key, str]:
        """Its file."""
        return self.repository, self.path

    def overlaps(self, other: Spot) -> bool:
        """Whether a line is in both."""
        if self.file != other.file or None in (self.start_line, self.end_line):
            return False
        return (self.start_line or 0) <= (other.end_line or 0) and (other.start_line or 0) <= (
            self.end_line or 0
        )


@dataclass(frozen=True)
class Score:
    """How one question went: `file_rank` of the first right file, `span` None where no lines are known."""

    repo_first: bool
    file_rank: int | None
    span: bool | None
    whole: bool


def score(gold: Sequence[Spot], also: Iterable[Spot], found: Sequence[Spot]) -> Score:
    """Score the places found for a question, best first; a file counts once, at its best place."""
    right = {spot.file for spot in gold}
    accepted = right | {spot.file for spot in also}
    files = list(dict.fromkeys(spot.file for spot in found))
    with_lines = [spot for spot in gold if spot.start_line is not None]
    return Score(
        repo_first=bool(files) and files[0][0] in {spot.repository for spot in gold},
        file_rank=next((rank for rank, file in enumerate(files, 1) if file in accepted), None),
        span=any(known.overlaps(spot) for spot in found[:FIRST] for known in with_lines)
        if with_lines
        else None,
        whole=right <= set(files[:FIRST]),
    )


def by_language(scores: Iterable[tuple[str, Score]]) -> dict[str, Figures]:
    """Figures of each language, and of all questions under `all`, which comes last."""
    groups: dict[str, list[Score]] = {}
    every: list[Score] = []
    for language, each in scores:
        groups.setdefault(language, []).append(each)
        every.append(each)
    return {name: _figures(groups[name]) for name in sorted(groups)} | {EVERY: _figures(every)}


def _figures(scores: Sequence[Score]) -> Figures:
    ranks = [each.file_rank for each in scores]
    spans = [each.span for each in scores if each.span is not None]
    count = len(scores)
    return {
        "questions": count,
        "repo_at_1": _share(each.repo_first for each in scores),
        "file_at_1": _share(rank == 1 for rank in ranks),
        "file_at_5": _share(rank is not None and rank <= 5 for rank in ranks),
        "file_at_10": _share(rank is not None and rank <= FIRST for rank in ranks),
        "mrr": sum(1 / rank for rank in ranks if rank and rank <= FIRST) / count if count else None,
        "span_at_10": _share(spans),
        "all_at_10": _share(each.whole for each in scores),
    }


def _share(held: Iterable[bool]) -> float | None:
    rows = list(held)
    return sum(rows) / len(rows) if rows else None


def ordered(figures: Mapping[str, Figures]) -> dict[str, Figures]:
    """Figures in the order of `by_language`, which a database does not keep."""
    return {name: figures[name] for name in sorted(figures, key=lambda name: (name == EVERY, name))}


def table(figures: Mapping[str, Figures]) -> str:
    """The figures as `score.py` prints them, a line a language."""
    head = f"{'':5}{'n':>5}" + "".join(f"{name:>9}" for name in NAMES.values())
    lines = [
        f"{group:5}{row['questions']:5}" + "".join(_cell(row[name]) for name in NAMES)
        for group, row in figures.items()
    ]
    return "\n".join([head, *lines])


def _cell(value: float | None) -> str:
    return f"{'–':>9}" if value is None else f"{value:9.3f}"
