"""What a finished topic said and on what it rests: its answers, their checked evidence, their corrections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kb_agent.repositories import evidence, secrets
from kb_agent.repositories.models import Evidence
from tapes import browsing, views
from topics import markers
from topics.facts import MOST_PLACES, Cited, Draft

if TYPE_CHECKING:
    from tapes.entries import Entry
    from topics.models import Topic


@dataclass(frozen=True)
class Answered:
    """A question and its answer, which cites at least one place that is true to git."""

    topic: Topic
    question: str
    question_seq: int
    entry: Entry
    evidence: dict[str, Evidence]
    """Of the topic, by id: only what is true to git."""
    corrections: Sequence[Entry]

    @property
    def text(self) -> str:
        """The answer's words, with its evidence ids."""
        return str(self.entry.payload["content"])

    def cited(self, ids: Iterable[str]) -> list[Evidence]:
        """The places behind these ids; ids that name none are left out."""
        return [self.evidence[each] for each in dict.fromkeys(ids) if each in self.evidence]

    def draft(self, text: str, cited: Sequence[Evidence], *, origin: str) -> Draft:
        """A conclusion of this answer, contributed by the topic's owner; secrets are masked (C8)."""
        return Draft(
            topic_id=self.topic.pk,
            text=secrets.mask(markers.without(text)).text.strip(),
            evidence=[cited_as(row) for row in cited[:MOST_PLACES]],
            sources=sorted(set(self.entry.sources)),
            first_seq=self.question_seq,
            last_seq=self.entry.seq,
            contributor_id=self.topic.owner_id,
            origin=origin,
            actor="system",
        )


def answered(topic: Topic) -> list[Answered]:
    """The verified, whole answers of a topic, oldest first."""
    turns = list(topic.turns.filter(status="done", answer_seq__isnull=False).order_by("pk"))
    seqs = {seq for turn in turns for seq in (turn.question_seq, turn.answer_seq)}
    entries = {entry.seq: entry for entry in views.at((topic.tape_id, seq or 0) for seq in seqs)}
    beside = browsing.corrections((topic.tape_id, turn.answer_seq or 0) for turn in turns)
    minted = _true(topic)
    found = []
    for turn in turns:
        asked, said = entries.get(turn.question_seq), entries.get(turn.answer_seq or 0)
        if asked is None or said is None or not _whole(said):
            continue
        cited = {id_: minted[id_] for id_ in ids_in(str(said.payload["content"])) if id_ in minted}
        if cited:
            found.append(
                Answered(
                    topic=topic,
                    question=str(asked.payload["content"]),
                    question_seq=asked.seq,
                    entry=said,
                    evidence=cited,
                    corrections=beside.get((topic.tape_id, said.seq), ()),
                )
            )
    return found


def corrected(found: Iterable[Answered]) -> list[Draft]:
    """What people said is right instead, about the places that the answer cited."""
    return [
        _by(
            said,
            each.draft(
                said.payload["data"]["text"], [*each.evidence.values()], origin="correction"
            ),
        )
        for each in found
        for said in each.corrections[-1:]
    ]


def _by(said: Entry, draft: Draft) -> Draft:
    """The conclusion as that of whoever wrote the correction; the operator's is the owner's."""
    kind, _, number = said.actor.partition(":")
    person = int(number) if kind == "person" else draft.contributor_id
    return replace(
        draft,
        contributor_id=person,
        actor=f"person:{person}",
        last_seq=max(draft.last_seq, said.seq),
        sources=sorted({*draft.sources, *said.sources}),
    )


def cited_as(row: Evidence) -> Cited:
    """Evidence as plain values."""
    return Cited(
        repository=row.repository_id,
        commit=row.commit,
        branch=row.branch,
        path=row.path,
        start_line=row.start_line,
        end_line=row.end_line,
        content_hash=row.content_hash,
    )


def ids_in(text: str) -> list[str]:
    """The evidence ids that a text cites, each once."""
    return [f"e{number}" for number in markers.numbers(text)]


def _true(topic: Topic) -> dict[str, Evidence]:
    rows = list(Evidence.objects.filter(topic_id=topic.pk).select_related("repository"))
    standing = evidence.standing(rows)
    return {f"e{row.number}": row for row in rows if standing[row.pk].valid}


def _whole(said: Entry) -> bool:
    meta = said.meta
    return bool(meta.get("verified")) and not meta.get("partial") and meta.get("found") is not False
