"""Facts as a person sees them: their words, their origin, and the places in code that may be opened (P10, C7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count

from kb_agent.repositories.models import Repository
from kb_agent.usecases import prose
from kb_agent.usecases.evidence import Named
from kb_agent.usecases.people import Person, person
from topics.models.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from kb_agent.usecases.access import Access
    from topics.models import Topic
    from topics.models.facts import FactVersion


@dataclass(frozen=True)
class ShownPlace:
    """A place that a fact rests on, at the exact commit it was read at; `holds`: its lines are still there."""

    repository: Named
    branch: str
    commit: str
    path: str
    start_line: int
    end_line: int
    holds: bool | None


@dataclass(frozen=True)
class ShownFactTopic:
    """A topic that a fact was drawn from; without its title where that may not be read."""

    id: int
    title: str
    first_seq: int
    last_seq: int


@dataclass(frozen=True, kw_only=True)
class ShownFact:
    """A fact as people see it; `text` is None when withheld."""

    id: int
    version: int
    status: str
    stale: bool
    stale_since: datetime | None
    language: str
    text: str | None
    withheld: bool
    contributor: Person
    origin: str
    proposed_at: datetime
    changed_at: datetime
    decided_by: Person | None
    decided_at: datetime | None
    reason: str
    evidence: list[ShownPlace]
    evidence_withheld: int
    topic: ShownFactTopic | None
    topic_count: int
    use_count: int
    mine: bool
    reviewable: bool


@dataclass(frozen=True)
class ShownVersion:
    """A version of a fact: its words, what they rested on, whose they are."""

    number: int
    text: str | None
    author: Person | None
    origin: str
    created_at: datetime
    evidence: list[ShownPlace]


def shown(access: Access, rows: Sequence[Fact]) -> list[ShownFact]:
    """Facts for this person."""
    known = _named(access, rows)
    topics = topics_of(access, rows)
    counted = Fact.objects.filter(pk__in=[row.pk for row in rows]).annotate(
        topic_count=Count("drawn_from", distinct=True), use_count=Count("uses", distinct=True)
    )
    counts = {pk: some for pk, *some in counted.values_list("pk", "topic_count", "use_count")}
    return [_shown(access, row, known, topics, counts[row.pk]) for row in rows]


def _shown(
    access: Access,
    fact: Fact,
    known: dict[int, str],
    topics: dict[int, ShownFactTopic],
    counts: Sequence[int],
) -> ShownFact:
    told = access.shows_prose(fact.sources)
    version = next(each for each in fact.versions.all() if each.number == fact.version)
    first = next(each for each in fact.versions.all() if each.number == 1)
    evidence = _places(version, known, _standing(fact))
    return ShownFact(
        id=fact.pk,
        version=fact.version,
        status=fact.status,
        stale=fact.stale,
        stale_since=fact.stale_since,
        language=fact.language,
        text=_words(access, fact.text, fact.sources),
        withheld=not told,
        contributor=person(fact.contributor),
        origin=first.why,
        proposed_at=fact.proposed_at,
        changed_at=fact.changed_at,
        decided_by=person(fact.decided_by) if fact.decided_by else None,
        decided_at=fact.decided_at,
        reason=fact.reason,
        evidence=evidence,
        evidence_withheld=len(version.evidence) - len(evidence),
        topic=topics.get(fact.topic_id),
        topic_count=counts[0],
        use_count=counts[1],
        mine=fact.contributor_id == access.person.pk,
        reviewable=access.reviews and access.shows(fact.sources),
    )


def version(access: Access, row: FactVersion) -> ShownVersion:
    """A version for this person."""
    known = _names(access, {place["repository"] for place in row.evidence})
    return ShownVersion(
        number=row.number,
        text=_words(access, row.text, row.sources),
        author=person(row.author) if row.author else None,
        origin=row.why,
        created_at=row.created_at,
        evidence=_places(row, known, {}),
    )


def _words(access: Access, text: str, sources: list[int]) -> str | None:
    if access.shows(sources):
        return text
    return prose.of(text) if access.shows_prose(sources) else None


def _places(
    version: FactVersion, known: dict[int, str], holding: dict[tuple[int, str, int], bool]
) -> list[ShownPlace]:
    """The places in code that this person may read."""
    return [
        ShownPlace(
            repository=Named(each["repository"], known[each["repository"]]),
            branch=each["branch"],
            commit=each["commit"],
            path=each["path"],
            start_line=each["start_line"],
            end_line=each["end_line"],
            holds=holding.get((each["repository"], each["path"], each["start_line"])),
        )
        for each in version.evidence
        if each["repository"] in known
    ]


def _standing(fact: Fact) -> dict[tuple[int, str, int], bool]:
    return {(each.repository, each.path, each.start_line): each.holds for each in fact.places.all()}


def _named(access: Access, rows: Iterable[Fact]) -> dict[int, str]:
    return _names(access, {pk for row in rows for pk in row.repositories})


def _names(access: Access, ids: set[int]) -> dict[int, str]:
    """The names of these repositories that this person may read, removed ones too."""
    rows = Repository.objects.filter(pk__in=ids & access.readable)
    return dict(rows.values_list("pk", "name"))


def topics_of(access: Access, rows: Iterable[Fact]) -> dict[int, ShownFactTopic]:
    """The topics that these facts were drawn from, of those this person may see."""
    sources = [source for row in rows for source in row.drawn_from.all()]
    seen = access.known_topics().filter(pk__in={source.topic_id for source in sources})
    topics: dict[int, Topic] = {topic.pk: topic for topic in seen}
    return {
        source.topic_id: ShownFactTopic(
            id=source.topic_id,
            title=topic.title if access.shows_prose(topic.sources) else "",
            first_seq=source.first_seq,
            last_seq=source.last_seq,
        )
        for source in sources
        if (topic := topics.get(source.topic_id))
    }
