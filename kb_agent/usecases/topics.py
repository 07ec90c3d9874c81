"""What a person can do with topics: see how they stand and finish them; `topic_list` finds them, `entries` reads them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count

from kb_agent.usecases import entries as entry_cases
from kb_agent.usecases import prose, refusals, sentences
from kb_agent.usecases import turns as turn_cases
from kb_agent.usecases.access import Access
from kb_agent.usecases.people import Person, person
from tapes import browsing, views
from topics import access as topic_access
from topics import acts, finding, ledger, lifecycle, pins
from topics.ledger import Spent
from topics.models import UNFINISHED, FinalizeReason, Topic, Turn
from topics.models.facts import FactStatus
from topics.models.shares import ShareKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from kb_agent.accounts.models import User
    from tapes.entries import Entry


@dataclass(frozen=True)
class TopicAnswer:
    """The first sentence of the newest answer, or that it is withheld; and what corrects it."""

    text: str | None
    withheld: bool
    correction: str | None = None


@dataclass(frozen=True)
class RepositoryName:
    """A repository as a topic names it."""

    id: int
    name: str


@dataclass(frozen=True)
class ShownTopic:
    """A topic as people see it."""

    id: int
    tape: int
    title: str
    status: str
    reason: str
    owner: Person
    started_at: datetime
    finalized_at: datetime | None
    last_activity_at: datetime
    turn_count: int
    citation_count: int
    fact_count: int
    """Accepted facts drawn from it that the reader may see (P10)."""
    answer: TopicAnswer | None
    initial_seq: int
    finalized_seq: int | None
    continues: int | None
    finalize_requested: str
    mine: bool
    busy: bool
    pinned: bool
    repositories: list[RepositoryName]
    """Those its words rest on that the reader may read."""
    cost: dict[str, Any]
    """What its calls cost, those after its end too (P11)."""
    open: bool
    """Open to the whole company (P9)."""
    shared: bool
    """Open to anybody but its owner."""
    shared_with_me: bool
    """Opened to the reader by whatever share, and not read by right of a role."""


def show(user: User, topic_id: int) -> dict[str, Any]:
    """One topic, with its turns, oldest first."""
    access = Access(user)
    topic = access.topic(topic_id)
    found = list(topic.turns.select_related("asker").order_by("pk"))
    return vars(shown(access, [topic])[0]) | {"turns": turn_cases.shown(found)}


def finalize(user: User, topic_id: int) -> ShownTopic:
    """Finish one's own topic; while a turn waits or runs, the wish is noted and kept (P6)."""
    access = Access(user)
    topic = access.own_topic(topic_id)
    try:
        lifecycle.finalize(topic.pk, reason=FinalizeReason.OWNER, actor=f"person:{user.pk}")
    except acts.TopicRefused as refused:
        raise refusals.Conflict(refused.reason, code=refused.code) from refused
    return shown(access, [access.topic(topic_id)])[0]


def shown(access: Access, found: Sequence[Topic]) -> list[ShownTopic]:
    """Topics for this person, with what their turns came to."""
    turns: dict[int, list[Turn]] = defaultdict(list)
    for turn in Turn.objects.filter(topic__in=found).order_by("pk"):
        turns[turn.topic_id].append(turn)
    places = {
        turn.pk: (turn.tape_id, turn.answer_seq)
        for of_topic in turns.values()
        for turn in of_topic
        if turn.answer_seq is not None
    }
    answers = {(entry.tape_id, entry.seq): entry for entry in views.at(places.values())}
    newest = {
        turn.topic_id: places[turn.pk] for of in turns.values() for turn in of if turn.pk in places
    }
    beside = _Beside.of(access, found, browsing.corrections(newest.values()))
    return [
        _shown(
            access,
            topic,
            turns[topic.pk],
            [answers[places[turn.pk]] for turn in turns[topic.pk] if turn.pk in places],
            beside,
        )
        for topic in found
    ]


@dataclass(frozen=True)
class _Beside:
    """What is shown with topics and looked up for all of them at once."""

    corrections: Mapping[tuple[int, int], list[Entry]]
    pinned: frozenset[int]
    repositories: Mapping[int, list[int]]
    names: Mapping[int, str]
    """Of the repositories the reader may read."""
    continued: frozenset[int]
    """Topics that these continue and that the reader may see."""
    costs: Mapping[int, Spent]
    facts: Mapping[int, int]
    """How many accepted ones the reader may see, by topic."""
    opened: Mapping[int, set[str]]
    """How each is open to others now, as kinds of shares."""
    known: frozenset[int]
    """Those the reader may build on."""

    @classmethod
    def of(
        cls,
        access: Access,
        found: Sequence[Topic],
        corrections: Mapping[tuple[int, int], list[Entry]],
    ) -> _Beside:
        ids = [topic.pk for topic in found]
        return cls(
            corrections=corrections,
            pinned=pins.of(access.person.pk, ids),
            repositories=finding.repositories_of(ids),
            names=dict(access.repositories().values_list("pk", "name")),
            continued=_visible(access, (topic.continues_id for topic in found)),
            opened=topic_access.opened_how(ids),
            known=access.known(ids),
            costs=ledger.spent_by_topic(ids),
            facts=_facts(access, ids),
        )


def _facts(access: Access, topic_ids: Sequence[int]) -> dict[int, int]:
    drawn = access.facts().filter(status=FactStatus.ACCEPTED, drawn_from__topic__in=topic_ids)
    counted = drawn.values_list("drawn_from__topic").annotate(facts=Count("pk", distinct=True))
    return dict(counted.order_by())


def _visible(access: Access, topic_ids: Iterable[int | None]) -> frozenset[int]:
    wanted = {one for one in topic_ids if one is not None}
    if not wanted:
        return frozenset()
    return frozenset(access.topics().filter(pk__in=wanted).values_list("pk", flat=True))


def _shown(
    access: Access,
    topic: Topic,
    turns: list[Turn],
    answers: list[Entry],
    beside: _Beside,
) -> ShownTopic:
    return ShownTopic(
        id=topic.pk,
        tape=topic.tape_id,
        title=topic.title if access.shows_prose(topic.sources) else "",
        status=topic.status,
        reason=topic.reason,
        owner=person(topic.owner),
        started_at=topic.started_at,
        finalized_at=topic.finalized_at,
        last_activity_at=topic.last_activity_at,
        turn_count=len(turns),
        citation_count=sum(len(each.meta.get("citations", ())) for each in answers),
        fact_count=beside.facts.get(topic.pk, 0),
        answer=_answer(access, answers[-1], beside.corrections) if answers else None,
        initial_seq=topic.initial_seq,
        finalized_seq=topic.finalized_seq,
        continues=topic.continues_id if topic.continues_id in beside.continued else None,
        finalize_requested=topic.finalize_requested,
        mine=topic.owner_id == access.person.pk,
        busy=any(turn.status in UNFINISHED for turn in turns),
        pinned=topic.pk in beside.pinned,
        repositories=[
            RepositoryName(each, beside.names[each])
            for each in beside.repositories.get(topic.pk, ())
            if each in beside.names
        ],
        cost=beside.costs.get(topic.pk, Spent()).shown(),
        open=ShareKind.COMPANY in beside.opened.get(topic.pk, ()),
        shared=topic.pk in beside.opened,
        shared_with_me=topic.owner_id != access.person.pk and topic.pk in beside.known,
    )


def _answer(
    access: Access, entry: Entry, beside: Mapping[tuple[int, int], list[Entry]]
) -> TopicAnswer:
    if not access.shows_prose(entry.sources):
        return TopicAnswer(None, withheld=True)
    said = str(entry.payload["content"])
    words = said if access.shows(entry.sources) else prose.of(said)
    corrections = beside.get((entry.tape_id, entry.seq), ())
    told = [entry_cases.correction(access, one).text for one in corrections]
    return TopicAnswer(
        sentences.first(words), withheld=False, correction=told[-1] if told else None
    )
