"""Puts accepted facts before a model: each with evidence minted anew for the topic, and its origin (P10, A5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb_agent.repositories import evidence, mirror, secrets
from kb_agent.repositories.facts import standing
from topics import markers
from topics.models.facts import FactUse

if TYPE_CHECKING:
    from kb_agent.repositories.models import Evidence
    from topics.models.facts import Fact

MOST_BYTES = 2_000
"""500 tokens, at four bytes of UTF-8 each."""
HEAD = (
    "Accepted facts that may answer the question. A reviewer accepted each, and the lines it cites"
    " are still in the code. Name a fact you use, with who accepted it, and cite its ids; where the"
    " code says otherwise, say so."
)
OPERATOR = "the operator"


@dataclass(frozen=True)
class Note:
    """A fact as a model is told of it, with what it rests on in this topic."""

    fact: Fact
    evidence: list[Evidence]

    @property
    def line(self) -> str:
        """`Fact 12: … [e1] (by Mei, accepted by Li Si on 2026-11-30)`."""
        ids = "".join(f"[e{row.number}]" for row in self.evidence)
        said = markers.without(" ".join(secrets.mask(self.fact.text).text.split()))
        day = f"{self.fact.decided_at:%Y-%m-%d}" if self.fact.decided_at else "undated"
        by = f"by {self.fact.contributor.shown_name}, accepted by {accepted_by(self.fact)} on {day}"
        return f"Fact {self.fact.pk}: {said} {ids} ({by})"

    @property
    def data(self) -> dict[str, Any]:
        """The same for people's pages."""
        fact = self.fact
        return {
            "fact": fact.pk,
            "version": fact.version,
            "text": fact.text,
            "topic": fact.topic_id,
            "contributor": fact.contributor_id,
            "contributor_name": fact.contributor.shown_name,
            "accepted_by": accepted_by(fact),
            "accepted_at": fact.decided_at.isoformat() if fact.decided_at else None,
            "evidence": [
                {
                    "id": f"e{row.number}",
                    "evidence_id": row.pk,
                    "repository_id": row.repository_id,
                    "path": row.path,
                    "start_line": row.start_line,
                    "end_line": row.end_line,
                }
                for row in self.evidence
            ],
        }


def accepted_by(fact: Fact) -> str:
    """Whose word it is that the fact stands."""
    return fact.decided_by.shown_name if fact.decided_by else OPERATOR


def minted(
    found: Iterable[Fact], *, topic_id: int, turn_id: int, readable: frozenset[int]
) -> list[Note]:
    """Facts of which every source may be read now and a cited place is still in the code, used by this turn."""
    notes = []
    for fact in found:
        if not readable.issuperset(fact.sources):
            continue
        try:
            rows = evidence.mint(topic_id, turn_id, standing.located(fact.places.order_by("pk")))
        except mirror.MissingFile:
            continue
        if rows:
            notes.append(Note(fact, rows))
    return notes


def use(notes: Sequence[Note], *, topic_id: int, turn_id: int) -> None:
    """Note which turn was told of them."""
    FactUse.objects.bulk_create(
        [FactUse(fact=note.fact, topic_id=topic_id, turn_id=turn_id) for note in notes],
        ignore_conflicts=True,
    )


def fitting(notes: Sequence[Note]) -> list[Note]:
    """The first notes that fit into MOST_BYTES together."""
    kept: list[Note] = []
    size = len(HEAD.encode())
    for note in notes:
        size += len(note.line.encode()) + 1
        if size > MOST_BYTES and kept:
            break
        kept.append(note)
    return kept


def text(notes: Sequence[Note]) -> str:
    """What the model reads: a head line, then a line a fact."""
    return "\n".join([HEAD, *(note.line for note in notes)])


def sources(notes: Sequence[Note]) -> frozenset[int]:
    """The repositories that these facts were written from."""
    return frozenset(source for note in notes for source in note.fact.sources)
