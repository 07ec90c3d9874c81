"""The outline of a file at a commit: what it defines, where; from the index, else read on the spot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.repositories import mirror, secrets, text
from kb_agent.repositories.indexing import analysis
from kb_agent.repositories.models import Blob
from kb_agent.repositories.structure import chunking, languages, skipping

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository

MOST = 2_000


@dataclass(frozen=True)
class Outlined:
    """A class, function, section or the like; lines are 1-based and inclusive."""

    symbol: str
    kind: str
    start_line: int
    end_line: int


def of(repository: Repository, commit: str, path: str) -> list[Outlined]:
    """What the file defines, in its order. Raises `mirror.MissingFile`, `mirror.TooLarge`, `text.Binary`."""
    language = languages.language(path)
    sha = mirror.find(repository, commit, path).sha
    known = Blob.objects.filter(
        sha=sha, language=language, analyser=analysis.ANALYSER, skipped=""
    ).first()
    if known is None:
        return on_the_spot(mirror.read(repository, commit, path), language)[:MOST]
    rows = known.symbols.order_by("start_line", "-end_line", "pk").values_list(
        "qualified", "kind", "start_line", "end_line"
    )
    return [Outlined(*row) for row in rows[:MOST]]


def on_the_spot(data: bytes, language: str) -> list[Outlined]:
    """What bytes define, read as the index reads them; nothing of what it leaves out. Raises `text.Binary`."""
    decoded = text.decode(data)
    if skipping.by_content(data, decoded):
        return []
    return of_lines(text.lines(secrets.mask(decoded).text), language)


def of_lines(lines: list[str], language: str) -> list[Outlined]:
    """What masked lines define."""
    found = chunking.cut("\n".join(lines), lines, language).definitions
    ordered = sorted(found, key=lambda each: (each.start_line, -each.end_line))
    return [Outlined(each.qualified, each.kind, each.start_line, each.end_line) for each in ordered]
