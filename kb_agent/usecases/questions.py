"""What a person can do with a question: ask it, and see first what asking would do."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from django.conf import settings

from kb_agent.repositories import secrets
from kb_agent.usecases import budgets, placement, references, refusals
from kb_agent.usecases import topics as topic_cases
from kb_agent.usecases import turns as turn_cases
from kb_agent.usecases.access import Access, personal
from kb_agent.usecases.placement import Decision, Place
from tapes import store, views
from topics import acts, asking, lifecycle, titles
from topics.models import Topic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.accounts.models import User
    from kb_agent.usecases.topics import ShownTopic
    from kb_agent.usecases.turns import ShownTurn
    from tapes.entries import NewEntry
    from tapes.source import AnchorPlace
    from topics.models import Turn

CHINESE = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
LATIN = re.compile(r"[A-Za-z]")
UNREADABLE = re.compile(r"[\x00\ud800-\udfff]")
LONGEST_KEY = 100
TRIES = 10
"""How often a question looks for its place when others write there at the same moment."""


@dataclass(frozen=True)
class Scope:
    """What a question looks at: some repositories (none named means all one may read), a branch."""

    repositories: tuple[int, ...] = ()
    branch: str = ""


ANYWHERE = Place()
EVERYTHING = Scope()


@dataclass(frozen=True)
class Question:
    """A question that may be asked: masked, within reach, with the key that makes it one."""

    text: str
    scope: Scope
    joins: int | None
    key: str
    notes: Sequence[NewEntry] = ()
    """What it names, looked up with its asker's rights (P9)."""
    experiment: bool = False
    """Discarded when it ends (T11)."""


@dataclass(frozen=True)
class Preview:
    """What asking would do, to which open topic, and the budget that may stand in its way."""

    does: str
    closes: ShownTopic | None
    tape: int | None
    running_turn: int | None
    budget: budgets.Warned | None


@dataclass(frozen=True)
class Asked:
    """The turn a question became, its topic, and the finished topic it was sent to."""

    turn: ShownTurn
    topic: ShownTopic
    continued_from: int | None


def preview(user: User, place: Place) -> Preview:
    """What asking there would start, finish or join."""
    access = Access(user)
    decision = placement.decide(access, place)
    closes = topic_cases.shown(access, [decision.closes])[0] if decision.closes else None
    return Preview(
        decision.does, closes, decision.tape, decision.running_turn, budgets.warning(user)
    )


def ask(
    user: User,
    text: str,
    *,
    place: Place = ANYWHERE,
    scope: Scope = EVERYTHING,
    joins: int | None = None,
    idempotency_key: str = "",
) -> Asked:
    """Put a question on its tape and have a worker take it up.

    The same key asks once, however often it is sent. Secrets are masked before anything is kept.
    Raises `Invalid` for a text that cannot be asked, `NotFound` and `Forbidden` for places, turns
    and repositories out of reach, `Conflict` where a hook refuses the topic.
    """
    access = Access(user)
    said = secrets.mask(checked(text)).text
    question = Question(
        said,
        _checked_scope(access, scope),
        joins,
        _checked_key(idempotency_key) or uuid.uuid4().hex,
        references.notes(access, said),
        experiment=place.experiment,
    )
    if joins is not None and place.experiment:
        raise refusals.Invalid(
            "A message added to a running turn is answered with it, not as an experiment.",
            code="joins_and_experiment",
        )
    if joins is not None and place.after_anchor:
        raise refusals.Invalid(
            "A message added to a running turn has that turn's window.", code="joins_and_after"
        )
    if joins is not None:
        place = _where_it_joins(access, joins, place)
    turn = asking.by_key(user.pk, question.key) or _settled(access, question, place)
    topic = access.topic(turn.topic_id)
    return Asked(
        turn=turn_cases.shown([turn])[0],
        topic=topic_cases.shown(access, [topic])[0],
        continued_from=topic.continues_id if place.topic not in {None, topic.pk} else None,
    )


def checked(text: str) -> str:
    """The question without blank edges, or `Invalid` with what is wrong with it."""
    question = text.strip()
    longest = settings.QUESTION_MAX_CHARS
    if not question:
        raise refusals.Invalid("Write a question first.", code="empty_question")
    if len(question) > longest:
        raise refusals.Invalid(
            f"A question may have {longest:,} characters; this one has {len(question):,}.",
            code="question_too_long",
            details={"max": longest, "length": len(question)},
        )
    if UNREADABLE.search(question):
        raise refusals.Invalid(
            "The question contains characters that are no text.", code="question_not_text"
        )
    return question


def language_of(question: str, user: User) -> str:
    """The language to answer in: the question's own where it shows one, else its asker's."""
    if CHINESE.search(question):
        return "zh"
    return "en" if LATIN.search(question) else user.language


def _settled(access: Access, question: Question, place: Place) -> Turn:
    """Put the question where it goes; anew when things moved between looking and writing."""
    for _ in range(TRIES):
        decision = placement.decide(access, place)
        if place.after_anchor and decision.tape is None:
            raise refusals.Conflict(
                "A question is being answered on this tape; ask from here once it is.",
                code="tape_busy",
            )
        try:
            tape_id = _tape(access.person, decision)
            after = _after(tape_id, place.after_anchor) if place.after_anchor else None
            return _put(access.person, question, decision, tape_id, after)
        except (lifecycle.TapeBusy, lifecycle.TopicClosed):
            continue
        except (acts.TopicRefused, lifecycle.TopicStillOpen) as refused:
            raise refusals.Conflict(str(refused), code=refused.code) from refused
    raise refusals.Conflict("This tape is busy; try again.", code="tape_busy")


@acts.act
def _put(
    user: User, question: Question, decision: Decision, tape_id: int, after: AnchorPlace | None
) -> Turn:
    """The question and its topic, in one transaction; a second click waits here for the first."""
    earlier = asking.hold_key(user.pk, question.key)
    if earlier is not None:
        return earlier
    topic = decision.topic or lifecycle.start(
        tape_id=tape_id,
        owner_id=user.pk,
        title=titles.from_question(question.text),
        actor=f"person:{user.pk}",
        continues=decision.continues.pk if decision.continues else None,
    )
    return asking.ask(
        topic.pk,
        asker_id=user.pk,
        content=question.text,
        idempotency_key=question.key,
        repositories=list(question.scope.repositories),
        branch=question.scope.branch,
        language=language_of(question.text, user),
        joins=question.joins,
        experiment=question.experiment,
        notes=question.notes,
        after=after,
    )


def _after(tape_id: int, wanted: str) -> AnchorPlace:
    """The anchor of a name, its latest, or at a seq. Raises `Invalid` where there is none."""
    places = views.anchors(tape_id)
    named = [one for one in places if one.name == wanted]
    found = named or [one for one in places if str(one.seq) == wanted]
    if not found:
        raise refusals.Invalid(
            f"This tape has no anchor {wanted!r}.", code=views.MissingAnchor.code
        )
    return found[-1]


def _tape(user: User, decision: Decision) -> int:
    """The tape decided on; a fresh one is made first, so that a refusal has where to stand (P4).

    Fresh tapes are numbered, and one that was made and never used is the next one taken.
    """
    if decision.tape is not None:
        return decision.tape
    used = set(Topic.objects.filter(owner=user).values_list("tape", flat=True))
    for number in count(len(used) + 1):
        tape = _named(f"{personal(user.pk)}{number}")
        if tape not in used:
            return tape
    raise AssertionError("numbers end")


def _named(name: str) -> int:
    found = store.find(name)
    if found is not None:
        return found.pk
    try:
        return store.create(name).pk
    except store.NameTaken:
        return _named(name)


def _where_it_joins(access: Access, turn_id: int, place: Place) -> Place:
    topic_id = access.turn(turn_id).topic_id
    if place.topic not in {None, topic_id}:
        raise refusals.Invalid("That turn belongs to another topic.", code="turn_elsewhere")
    return Place(topic_id, keep_open=place.keep_open)


def _checked_scope(access: Access, scope: Scope) -> Scope:
    wanted = access.repositories()
    if scope.repositories:
        wanted = wanted.filter(pk__in=scope.repositories)
        if wanted.count() < len(set(scope.repositories)):
            raise refusals.NotFound("repository")
    if scope.branch and not wanted.filter(branches__name=scope.branch).exists():
        raise refusals.Invalid(
            f"None of these repositories follows {scope.branch!r}.", code="unknown_branch"
        )
    return scope


def _checked_key(key: str) -> str:
    if len(key) > LONGEST_KEY or UNREADABLE.search(key):
        raise refusals.Invalid(
            f"An idempotency key may have {LONGEST_KEY} characters.", code="bad_idempotency_key"
        )
    return key
