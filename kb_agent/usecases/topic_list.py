"""What a person can do with their list of topics: search and filter it, pin, rename, finish many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.core import signing
from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.expressions import RawSQL

from kb_agent.usecases import refusals
from kb_agent.usecases import topics as topic_cases
from kb_agent.usecases.access import Access
from topics import access as topic_access
from topics import finding, lifecycle, pins
from topics.models.ledger import TopicCost

if TYPE_CHECKING:
    from datetime import datetime

    from kb_agent.accounts.models import User
    from kb_agent.usecases.topics import ShownTopic
    from topics.models import Topic

PAGE = 30
NEWEST = 500
"""How many of the newest topics are looked through for words before all are."""
COUNTED = 10_000
"""How far a list is counted; beyond it "more than" is told."""
MOST_FINISHED = 100
"""Topics finished by one request."""


@dataclass(frozen=True)
class Wanted:
    """Which topics to list; what is left out does not narrow."""

    q: str = ""
    whose: str = ""
    """`mine`, `shared` with me, or open to the `company`."""
    status: str | None = None
    repository: int | None = None
    since: datetime | None = None
    """Something happened in it at this time or later."""
    until: datetime | None = None
    cost_at_least: Decimal | None = None
    """In one currency: amounts in several are never added up."""
    unpriced: bool = False
    """Only those with calls whose price is not known."""
    pinned: bool | None = None


@dataclass(frozen=True)
class TopicPage:
    """Some topics, and where the next ones begin."""

    results: list[ShownTopic]
    next: str | None
    similar: bool = False
    """Whether nothing holds the words themselves, and these hold words near them."""


@dataclass(frozen=True)
class Totals:
    """How many topics a list has, and what they cost together, a line a currency."""

    count: int
    more: bool
    """Whether there are more than were counted."""
    money: list[dict[str, Any]]
    unknown_calls: int


@dataclass(frozen=True)
class Finished:
    """What became of a topic that was to be finished."""

    topic: int
    outcome: str
    """`finished`, `waits` for its running turn, `refused`, or `not_yours`."""
    reason: str = ""
    """Why it was refused."""


def page(user: User, wanted: Wanted | None = None, *, cursor: str = "") -> TopicPage:
    """The topics this person may see, newest activity first, 30 at a time.

    Where nothing holds the words, what holds similar ones.
    """
    access = Access(user)
    wanted = wanted or Wanted()
    after, similar = _opened(cursor) if cursor else (None, False)
    there = _There(_after(_narrowed(access, wanted), after))
    rows = _page(access, wanted, there, similar=similar)
    if not rows and not cursor and wanted.q:
        similar = True
        rows = _page(access, wanted, there, similar=True)
    access.note_listing(rows)
    following = _cursor(rows[PAGE - 1], similar=similar) if len(rows) > PAGE else None
    found = topic_cases.shown(access, rows[:PAGE])
    return TopicPage(found, following, similar=similar and bool(rows))


def totals(user: User, wanted: Wanted) -> Totals:
    """How many topics fit, counted up to `COUNTED`, and what those cost."""
    found = _fitting(Access(user), wanted)
    newest = found.order_by("-last_activity_at", "-pk").values_list("pk", flat=True)
    ids = list(newest[: COUNTED + 1])
    costs = (
        TopicCost.objects.filter(topic__in=_listed(ids[:COUNTED]))
        .values("currency")
        .annotate(spent=Sum("amount"), unknown=Sum("unpriced"))
        .order_by("currency")
    )
    return Totals(
        count=min(len(ids), COUNTED),
        more=len(ids) > COUNTED,
        money=[
            {"amount": format(each["spent"], "f"), "currency": each["currency"]}
            for each in costs
            if each["currency"]
        ],
        unknown_calls=sum(each["unknown"] for each in costs),
    )


def _listed(ids: list[int]) -> RawSQL:
    """These ids as one parameter: ten thousand of them take longer to write out than to add up."""
    return RawSQL("SELECT unnest(%s::bigint[])", [ids])


def rename(user: User, topic_id: int, *, title: str) -> ShownTopic:
    """Give one's own topic another title, as an event. Raises `refusals.Invalid` for an empty one."""
    access = Access(user)
    topic = access.own_topic(topic_id)
    try:
        lifecycle.rename(topic.pk, title=title, actor=f"person:{user.pk}")
    except lifecycle.EmptyTitle as refused:
        raise refusals.Invalid(str(refused), code=refused.code) from refused
    return topic_cases.shown(access, [access.topic(topic_id)])[0]


def pin(user: User, topic_id: int, *, pinned: bool) -> ShownTopic:
    """Keep a topic at the top of one's list, or no longer. Raises `refusals.Conflict` for too many."""
    access = Access(user)
    topic = access.topic(topic_id)
    try:
        if pinned:
            pins.pin(user.pk, topic.pk)
        else:
            pins.unpin(user.pk, topic.pk)
    except pins.TooManyPins as refused:
        raise refusals.Conflict(str(refused), code=refused.code) from refused
    return topic_cases.shown(access, [topic])[0]


def finish_many(user: User, topic_ids: Sequence[int]) -> list[Finished]:
    """Finish one's own topics, each for itself: one that is refused keeps none of the others open."""
    return [_finish(user, topic_id) for topic_id in dict.fromkeys(topic_ids[:MOST_FINISHED])]


def _finish(user: User, topic_id: int) -> Finished:
    try:
        topic = topic_cases.finalize(user, topic_id)
    except refusals.Conflict as refused:
        return Finished(topic_id, "refused", str(refused))
    except (refusals.NotFound, refusals.Forbidden):
        return Finished(topic_id, "not_yours")
    return Finished(topic_id, "waits" if topic.status == "open" else "finished")


@dataclass(frozen=True)
class _There:
    """The topics that fit in all but their words, the newest first."""

    ordered: QuerySet[Topic]

    @cached_property
    def newest(self) -> list[int]:
        """The first of them, looked through for words before all are."""
        return list(self.ordered.values_list("pk", flat=True)[:NEWEST])

    def first_holding(self, held: finding.Held) -> list[Topic]:
        """A page of those that hold the words: what many hold fills it from the newest alone."""
        among = held.among(self.newest)
        if len(among) > PAGE or len(self.newest) < NEWEST:
            first = [pk for pk in self.newest if pk in among][: PAGE + 1]
            return list(self.ordered.filter(pk__in=first))
        return list(self.ordered.filter(held.anywhere())[: PAGE + 1])


def _after(found: QuerySet[Topic], after: tuple[str, int] | None) -> QuerySet[Topic]:
    """These in the order of the list, from a place on."""
    if after:
        at, topic_id = after
        found = found.filter(Q(last_activity_at__lt=at) | Q(last_activity_at=at, pk__lt=topic_id))
    return found.select_related("owner").order_by("-last_activity_at", "-pk")


def _page(access: Access, wanted: Wanted, there: _There, *, similar: bool) -> list[Topic]:
    held = _held(access, wanted, similar=similar)
    if held:
        return there.first_holding(held)
    return [] if similar else list(there.ordered[: PAGE + 1])


def _fitting(access: Access, wanted: Wanted) -> QuerySet[Topic]:
    """The topics this person may see and wants, in no order."""
    held = _held(access, wanted, similar=False)
    found = _narrowed(access, wanted)
    return found.filter(held.anywhere()) if held else found


def _narrowed(access: Access, wanted: Wanted) -> QuerySet[Topic]:
    """The topics this person may see that fit in all but their words."""
    return _costing(_placed(access, access.topics(), wanted), wanted)


def _held(access: Access, wanted: Wanted, *, similar: bool) -> finding.Held | None:
    """What holds the words, or words near them; None without words, and where none are near."""
    looked_for = finding.nearly_holding if similar else finding.holding
    return looked_for(wanted.q, readable=access.readable, prose=access.prose_readable)


def _placed(access: Access, found: QuerySet[Topic], wanted: Wanted) -> QuerySet[Topic]:
    """Of those, what fits by whose it is, how it stands, what it rests on and when it was."""
    if wanted.whose:
        found = found.filter(_whose(access, wanted.whose))
    if wanted.status:
        found = found.filter(status=wanted.status)
    if wanted.repository is not None:
        if wanted.repository not in access.readable:
            return found.none()
        found = found.filter(finding.resting_on(wanted.repository))
    if wanted.since:
        found = found.filter(last_activity_at__gte=wanted.since)
    if wanted.until:
        found = found.filter(last_activity_at__lt=wanted.until)
    if wanted.pinned is not None:
        pinned = pins.pinned_by(access.person.pk)
        found = found.filter(pinned if wanted.pinned else ~pinned)
    return found


def _whose(access: Access, whose: str) -> Q:
    if whose == "mine":
        return Q(owner=access.person.pk)
    if whose == "shared":
        return topic_access.shared_with(access.person)
    return topic_access.open_to_company()


def _costing(found: QuerySet[Topic], wanted: Wanted) -> QuerySet[Topic]:
    costs = TopicCost.objects.filter(topic=OuterRef("pk"))
    if wanted.cost_at_least is not None:
        found = found.filter(Exists(costs.filter(amount__gte=wanted.cost_at_least)))
    if wanted.unpriced:
        found = found.filter(Exists(costs.filter(unpriced__gt=0)))
    return found


def _cursor(topic: Topic, *, similar: bool) -> str:
    return signing.dumps([topic.last_activity_at.isoformat(), topic.pk, similar], salt="topics")


def _opened(cursor: str) -> tuple[tuple[str, int], bool]:
    try:
        at, topic_id, similar = signing.loads(cursor, salt="topics")
    except (signing.BadSignature, ValueError):
        raise refusals.Invalid("This cursor was not given out here.", code="bad_cursor") from None
    return (at, topic_id), similar
