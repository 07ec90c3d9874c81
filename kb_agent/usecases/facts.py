"""What a person can read of facts: the queue, the accepted ones, their own; each with its origin (P10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core import signing
from django.db.models import Q

from kb_agent.accounts import audit
from kb_agent.usecases import fact_showing, refusals
from kb_agent.usecases.access import Access
from topics.models.facts import Fact, FactStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from kb_agent.accounts.models import User

PAGE = 30
REVIEW, STALE = "review", "stale"
STATES = (REVIEW, *FactStatus.values, STALE)
"""`review`: what waits for a reviewer, proposed or stale; `accepted`: those that are not stale."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which facts to list."""

    state: str = ""
    repository: int | None = None
    person: int | None = None
    topic: int | None = None
    language: str = ""
    q: str = ""


@dataclass(frozen=True)
class FactPage:
    """Some facts, where the next begin, and how many each state has."""

    results: list[fact_showing.ShownFact]
    next: str | None
    counts: dict[str, int]


def page(user: User, wanted: Wanted, *, cursor: str = "") -> FactPage:
    """The facts this person may see, the newest change first, 30 at a time. Raises `Invalid`."""
    access = Access(user)
    found = _wanted(access, wanted)
    ordered = _in_state(found, wanted.state).order_by("-changed_at", "-pk")
    rows = list(_after(ordered, cursor)[: PAGE + 1])
    following = _cursor(rows[PAGE - 1]) if len(rows) > PAGE else None
    _note(access, rows[:PAGE])
    counts = {state: _in_state(found, state).count() for state in STATES}
    return FactPage(fact_showing.shown(access, rows[:PAGE]), following, counts)


def show(user: User, fact_id: int) -> dict[str, Any]:
    """One fact with its versions, newest first, and the topics it was drawn from. Raises `NotFound`."""
    access = Access(user)
    fact = access.fact(fact_id)
    _note(access, [fact])
    versions = fact.versions.select_related("author").order_by("-number")
    topics = fact_showing.topics_of(access, [fact])
    drawn = [topics[row.topic_id] for row in fact.drawn_from.all() if row.topic_id in topics]
    return vars(fact_showing.shown(access, [fact])[0]) | {
        "versions": [fact_showing.version(access, each) for each in versions],
        "topics": drawn,
        "topics_withheld": fact.drawn_from.count() - len(drawn),
    }


def _wanted(access: Access, wanted: Wanted) -> QuerySet[Fact]:
    found = access.facts()
    if wanted.repository is not None:
        found = found.filter(repositories__contains=[wanted.repository])
        if wanted.repository not in access.readable:
            raise refusals.NotFound("repository")
    if wanted.person is not None:
        found = found.filter(contributor=wanted.person)
    if wanted.topic is not None:
        access.topic(wanted.topic)
        found = found.filter(drawn_from__topic=wanted.topic)
    if wanted.language:
        found = found.filter(language=wanted.language)
    for word in wanted.q.split():
        told = sorted(access.prose_readable)
        found = found.filter(sources__contained_by=told, text__icontains=word)
    return found


def _in_state(found: QuerySet[Fact], state: str) -> QuerySet[Fact]:
    stale = Q(status=FactStatus.ACCEPTED, stale=True)
    if not state:
        return found
    if state == REVIEW:
        return found.filter(Q(status=FactStatus.PROPOSED) | stale)
    if state == STALE:
        return found.filter(stale)
    if state == FactStatus.ACCEPTED:
        return found.filter(status=state, stale=False)
    return found.filter(status=state)


def _note(access: Access, rows: Sequence[Fact]) -> None:
    """Leave an audit line for facts read by right of the auditor's role (C10)."""
    read = [row.pk for row in rows if row.status != FactStatus.ACCEPTED]
    others = [row.pk for row in rows if row.pk in read and row.contributor_id != access.person.pk]
    if others and access.by_role:
        audit.note(access.person, "facts_read", "facts", details={"facts": others})


def _cursor(fact: Fact) -> str:
    return signing.dumps([fact.changed_at.isoformat(), fact.pk], salt="facts")


def _after(found: QuerySet[Fact], cursor: str) -> QuerySet[Fact]:
    if not cursor:
        return found
    try:
        at, fact_id = signing.loads(cursor, salt="facts")
    except signing.BadSignature:
        raise refusals.Invalid("This cursor was not given out here.", code="bad_cursor") from None
    return found.filter(Q(changed_at__lt=at) | Q(changed_at=at, pk__lt=fact_id))
