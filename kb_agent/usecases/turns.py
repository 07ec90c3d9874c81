"""What a person can do with a turn: see how it stands, and stop it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from kb_agent import live
from kb_agent.usecases import refusals
from kb_agent.usecases.access import Access
from kb_agent.usecases.people import Person, person
from topics import asking, experiments, ledger, turns
from topics.models import Turn, TurnStatus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from kb_agent.accounts.models import User
    from topics.ledger import Spent

COUNTS = ("input", "cached", "output", "reasoning")


@dataclass(frozen=True)
class Cost:
    """Money, as a decimal written out."""

    amount: str
    currency: str


@dataclass(frozen=True)
class ShownTurn:
    """A turn as people see it; two that are equal look the same."""

    id: int
    topic: int
    tape: int
    question_seq: int
    status: str
    reason: str
    place: int | None
    joins: int | None
    taken_by: int | None
    asker: Person
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    answer_seq: int | None
    usage: dict[str, int] | None
    cost: dict[str, Any] | None
    """What its calls cost, hidden ones too; None until it has ended, or when it made none (P11)."""
    attempts: int
    experiment: bool
    """Discarded when it ends: no later question knows of it (T11)."""


def show(user: User, turn_id: int) -> ShownTurn:
    """One turn that this person may see."""
    return shown([Access(user).turn(turn_id)])[0]


def stop(user: User, turn_id: int) -> ShownTurn:
    """Ask a turn to stop: a waiting one ends at once, a running one within a second.

    A turn that has ended stays as it is. Raises `NotFound`, and `Forbidden` for another's turn.
    """
    turn = Access(user).turn(turn_id)
    if turn.asker_id != user.pk:
        raise refusals.Forbidden("Only the person who asked may stop a turn.")
    turns.request_stop(turn_id, actor=f"person:{user.pk}")
    live.stop(turn_id)
    live.wake(turn.tape_id)
    return show(user, turn_id)


def keep(user: User, turn_id: int) -> ShownTurn:
    """Let an experiment that has not ended become an ordinary turn (T11).

    Raises `NotFound`, `Forbidden` for another's turn, `Conflict` once it has ended.
    """
    turn = Access(user).turn(turn_id)
    if turn.asker_id != user.pk:
        raise refusals.Forbidden("Only the person who asked may keep an experiment.")
    try:
        experiments.keep(turn_id, actor=f"person:{user.pk}")
    except experiments.ExperimentOver as over:
        raise refusals.Conflict(
            "This experiment has ended and was discarded; ask the question again to keep it.",
            code=over.code,
        ) from over
    return show(user, turn_id)


def shown(found: Sequence[Turn]) -> list[ShownTurn]:
    """Turns with what their model calls used, as the ledger has it."""
    spent = ledger.spent_by_turn([turn.pk for turn in found if turn.ended_at])
    places = asking.places({turn.pk for turn in found if turn.status == TurnStatus.WAITING})
    return [_shown(turn, places.get(turn.pk), spent.get(turn.pk)) for turn in found]


def _shown(turn: Turn, place: int | None, spent: Spent | None) -> ShownTurn:
    return ShownTurn(
        id=turn.pk,
        topic=turn.topic_id,
        tape=turn.tape_id,
        question_seq=turn.question_seq,
        status=turn.status,
        reason=turn.reason,
        place=place,
        joins=turn.joins_id,
        taken_by=turn.taken_by_id,
        asker=person(turn.asker),
        created_at=turn.created_at,
        started_at=turn.started_at,
        ended_at=turn.ended_at,
        answer_seq=turn.answer_seq,
        usage=spent.tokens if spent else None,
        cost=spent.shown() if spent else None,
        attempts=turn.attempts,
        experiment=turn.experiment,
    )


def usage_of(calls: Sequence[dict[str, object]]) -> dict[str, int] | None:
    """The sum of what is known; None while nothing is."""
    known = [usage for call in calls if isinstance(usage := call.get("usage"), dict)]
    if not known:
        return None
    return {count: sum(int(usage.get(count) or 0) for usage in known) for count in COUNTS}


def cost_of(calls: Sequence[dict[str, object]]) -> Cost | None:
    """The sum of all prices; None where one is unknown or currencies differ (P11).

    Calls that were refused before they used anything cost nothing, nor does the evidence model,
    whose prices have no currency.
    """
    paid = [call for call in calls if call.get("usage") is not None or call["status"] != "failed"]
    prices = [call.get("price") for call in paid]
    if not paid or None in prices:
        return None
    currencies = {str(call["currency"]) for call in paid} - {""}
    if len(currencies) > 1:
        return None
    return Cost(str(sum(Decimal(str(price)) for price in prices)), "".join(currencies))
