"""Questions asked as experiments: discarded with all they brought when they end, unless kept before (T11)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tapes import entries as tape_entries
from tapes import views
from tapes.views import View
from topics import acts, locks, turn_rows
from topics.models import UNFINISHED, Turn

if TYPE_CHECKING:
    from tapes.entries import Entry

KEPT = "experiment_kept"
"""The event by which an experiment becomes an ordinary turn."""


class ExperimentOver(Exception):
    """The experiment has ended, and what was discarded stays so; the question can be asked again."""

    code = "experiment_over"


@acts.act
def keep(turn_id: int, *, actor: str) -> Turn:
    """Let an unfinished experiment be merged when it ends; done twice, nothing changes.

    The token on its fork stays the worker's. Raises ExperimentOver.
    """
    locks.tape(Turn.objects.values_list("tape_id", flat=True).get(pk=turn_id))
    turn = Turn.objects.select_for_update(no_key=True).get(pk=turn_id)
    if turn.status in UNFINISHED and turn.experiment:
        turn_rows.append(turn, [tape_entries.event(KEPT, actor=actor)])
        return turn_rows.update(turn, experiment=False)
    if turn.experiment:
        raise ExperimentOver(f"turn {turn_id} has ended and was discarded")
    return turn


def entries_of(turn: Turn, *kinds: str) -> list[Entry]:
    """A turn's own entries; those of an experiment as well, which no default view shows."""
    view = View.of_turns([turn.pk])
    if turn.experiment and turn.fork_id is not None:
        view = View.fork(turn.fork_id)
    return views.read(turn.tape_id, view.only(*kinds) if kinds else view)


def forks_of(topic_ids: Iterable[int], *, asker_id: int) -> list[int]:
    """The forks of a person's own experiments in these topics: they are shown to that person."""
    rows = Turn.objects.filter(experiment=True, topic__in=topic_ids, asker=asker_id)
    return list(rows.exclude(fork=None).values_list("fork_id", flat=True))
