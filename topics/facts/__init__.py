"""What happens to facts: proposed, joined, edited, accepted, rejected, withdrawn, stale, fresh again (P10).

Every act is an event on the tape of the fact's topic, under the topic's id and, once that has ended,
outside its range; `facts.folding` makes rows of it in the same transaction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tapes import entries, store
from topics import acts, ids, locks, signals
from topics.facts import folding
from topics.models import Topic
from topics.models.facts import Fact, FactPlace, FactStatus

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tapes.entries import Entry

LONGEST = 600
"""Characters of a fact: a sentence or three, not an answer."""
MOST_PLACES = 8
LEFT = "system/facts"
"""Takes the events of facts whose tape takes no more."""
_HAN = re.compile(r"[\u3400-\u9fff]")


class FactRefused(Exception):
    """A fact cannot be changed so; `code` says why, the message tells the person."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Cited:
    """A place in code that a fact rests on, as plain values."""

    repository: int
    commit: str
    branch: str
    path: str
    start_line: int
    end_line: int
    content_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A conclusion on its way to becoming a fact."""

    topic_id: int
    text: str
    evidence: Sequence[Cited]
    sources: Sequence[int]
    first_seq: int
    last_seq: int
    contributor_id: int
    origin: str
    """`model`, `evidence_model`, `correction` or `person`."""
    actor: str


@acts.act
def propose(draft: Draft) -> Fact:
    """Make a fact of a conclusion; the same text and places of the topic again are the same fact.

    Hooks propose once a topic has ended, a person may before. Raises FactRefused for words or evidence
    it cannot rest on.
    """
    topic = Topic.objects.get(pk=draft.topic_id)
    locks.tape(topic.tape_id)
    text = _worded(draft.text)
    _check(draft.evidence)
    known = Fact.objects.filter(topic=topic, versions__text=text).first()
    if known is not None:
        return known
    fact_id = ids.take(Fact)
    data = {
        "fact": fact_id,
        "version": 1,
        "topic": topic.pk,
        "contributor": draft.contributor_id,
        **_said(text, draft.evidence),
        "range": [draft.first_seq, draft.last_seq],
        "origin": draft.origin,
    }
    event = entries.event(
        folding.PROPOSED,
        data,
        actor=draft.actor,
        topic_id=topic.pk,
        sources=_sources(draft.sources, draft.evidence),
    )
    return _written(topic.tape_id, fact_id, event)


@acts.act
def join(fact_id: int, draft: Draft) -> Fact:
    """Note that another topic came to the conclusion of a known fact; once a topic."""
    topic = Topic.objects.get(pk=draft.topic_id)
    locks.tape(topic.tape_id)
    fact = Fact.objects.get(pk=fact_id)
    if fact.drawn_from.filter(topic=topic).exists():
        return fact
    data = {
        "fact": fact_id,
        "topic": topic.pk,
        "text": _worded(draft.text),
        "range": [draft.first_seq, draft.last_seq],
    }
    event = entries.event(
        "fact_joined",
        data,
        actor=draft.actor,
        topic_id=topic.pk,
        sources=_sources(draft.sources, draft.evidence),
    )
    return _written(topic.tape_id, fact_id, event)


@acts.act
def accept(fact_id: int, *, version: int, actor: str) -> Fact:
    """Let a fact take part in answering. Raises FactRefused for another version, and for a stale one."""
    fact = _held(fact_id, version)
    if fact.status == FactStatus.ACCEPTED:
        return fact
    if fact.stale:
        raise FactRefused(
            "fact_stale", "Its cited lines have changed: edit it with new ones first."
        )
    _must_be(fact, FactStatus.PROPOSED)
    event = entries.event(
        "fact_accepted", {"fact": fact.pk, "version": version}, **_context(fact, actor)
    )
    return _written(fact.tape_id, fact.pk, event)


@acts.act
def edit(
    fact_id: int,
    *,
    version: int,
    text: str,
    evidence: Sequence[Cited],
    sources: Sequence[int] = (),
    actor: str,
) -> Fact:
    """Write a new version, which then stands; accepted stays accepted. Raises FactRefused."""
    fact = _held(fact_id, version)
    said = _worded(text)
    _check(evidence)
    _must_be(fact, FactStatus.PROPOSED, FactStatus.ACCEPTED)
    before = fact.versions.get(number=version)
    known = before.evidence == [asdict(place) for place in evidence]
    if said == fact.text and known and not fact.stale:
        return fact
    context = _context(fact, actor)
    context["sources"] = sorted({*fact.sources, *_sources(sources, evidence)})
    data = {
        "fact": fact.pk,
        "version": version + 1,
        "topic": fact.topic_id,
        **_said(said, evidence),
        "range": [before.first_seq, before.last_seq],
        "origin": "person",
    }
    event = entries.event("fact_edited", data, **context)
    return _written(fact.tape_id, fact.pk, event)


@acts.act
def reject(fact_id: int, *, version: int, reason: str, actor: str) -> Fact:
    """Let a fact be none, with the reason for its contributor. Raises FactRefused."""
    fact = _held(fact_id, version)
    if fact.status == FactStatus.REJECTED:
        return fact
    if not reason.strip():
        raise FactRefused("reason_missing", "Say why, so that its contributor knows.")
    _must_be(fact, FactStatus.PROPOSED, FactStatus.ACCEPTED)
    return _ended(fact, "fact_rejected", reason=reason, actor=actor)


@acts.act
def withdraw(fact_id: int, *, version: int, reason: str = "", actor: str) -> Fact:
    """Take one's own fact back. Raises FactRefused."""
    fact = _held(fact_id, version)
    if fact.status == FactStatus.WITHDRAWN:
        return fact
    _must_be(fact, FactStatus.PROPOSED, FactStatus.ACCEPTED)
    return _ended(fact, "fact_withdrawn", reason=reason, actor=actor)


@acts.act
def note_standing(fact_id: int, *, gone: Sequence[FactPlace]) -> bool:
    """Mark a fact stale because of places whose lines are `gone`, or fresh again when none are.

    Says whether that changed anything.
    """
    locks.tape(Fact.objects.values_list("tape_id", flat=True).get(pk=fact_id))
    fact = Fact.objects.get(pk=fact_id)
    if fact.stale == bool(gone):
        return False
    context = _context(fact, "system")
    if not gone:
        event = entries.event("fact_fresh", {"fact": fact.pk, "version": fact.version}, **context)
    else:
        places = [
            {"repository": place.repository, "branch": place.branch, "path": place.path}
            for place in gone
        ]
        data = {"fact": fact.pk, "version": fact.version, "places": places}
        event = entries.event("fact_stale", data, **context)
    _written(fact.tape_id, fact.pk, event)
    return True


def fresh() -> QuerySet[Fact]:
    """The facts that take part in answering: accepted, and their lines still there."""
    return Fact.objects.filter(status=FactStatus.ACCEPTED, stale=False)


def open_of(person_id: int) -> QuerySet[Fact]:
    """The facts a person contributed that are open to whoever may read their sources, newest first."""
    return fresh().filter(contributor=person_id).order_by("-changed_at", "-pk")


def language(text: str) -> str:
    """`zh` where a text has Chinese in it, else `en`."""
    return "zh" if _HAN.search(text) else "en"


def _ended(fact: Fact, name: str, *, reason: str, actor: str) -> Fact:
    data = {"fact": fact.pk, "version": fact.version, "reason": reason.strip()[:LONGEST]}
    return _written(fact.tape_id, fact.pk, entries.event(name, data, **_context(fact, actor)))


def _written(tape_id: int, fact_id: int, event: entries.NewEntry) -> Fact:
    folding.apply(_appended(tape_id, event))
    signals.fact_changed.send(sender=None, fact_id=fact_id, using="default")
    return Fact.objects.get(pk=fact_id)


def _appended(tape_id: int, event: entries.NewEntry) -> Entry:
    if store.get(tape_id).archived_at is not None:
        return store.append(store.in_use(LEFT).pk, [event])[0]
    return store.append(tape_id, [event])[0]


def _held(fact_id: int, version: int) -> Fact:
    """The fact under its tape's lock, if `version` is still its newest."""
    locks.tape(Fact.objects.values_list("tape_id", flat=True).get(pk=fact_id))
    fact = Fact.objects.get(pk=fact_id)
    if fact.version != version:
        raise FactRefused(
            "fact_moved", f"It has a version {fact.version} by now; look at it first."
        )
    return fact


def _must_be(fact: Fact, *statuses: FactStatus) -> None:
    if fact.status not in statuses:
        raise FactRefused("fact_decided", f"It is {fact.status} already.")


def _context(fact: Fact, actor: str) -> entries.Context:
    return {"actor": actor, "topic_id": fact.topic_id, "sources": fact.sources}


def _said(text: str, evidence: Sequence[Cited]) -> dict[str, Any]:
    return {
        "text": text,
        "language": language(text),
        "evidence": [asdict(place) for place in evidence],
    }


def _sources(sources: Sequence[int], evidence: Sequence[Cited]) -> list[int]:
    return sorted({*sources, *(place.repository for place in evidence)})


def _worded(text: str) -> str:
    said = " ".join(text.split())
    if not said:
        raise FactRefused("fact_empty", "A fact needs words.")
    if len(said) > LONGEST:
        raise FactRefused("fact_too_long", f"A fact has at most {LONGEST} characters.")
    return said


def _check(evidence: Sequence[Cited]) -> None:
    if not evidence:
        raise FactRefused("evidence_missing", "A fact needs at least one place in code.")
    if len(evidence) > MOST_PLACES:
        raise FactRefused("too_many_places", f"A fact rests on {MOST_PLACES} places at most.")
