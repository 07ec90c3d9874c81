"""Waiting for an answer without a browser, and working it out here when no worker is alive."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb_agent import tasks
from kb_agent.usecases import prose
from kb_agent.usecases import turns as turn_cases
from kb_agent.usecases.access import Access
from topics import asking, experiments
from topics.models import UNFINISHED

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from kb_agent.usecases.turns import ShownTurn

PATIENCE_SECONDS = 1.0
"""How long a question is left to the workers before this process tries to claim it itself."""
LOOK_SECONDS = 0.2


@dataclass(frozen=True)
class Citation:
    """A place an answer rests on."""

    repository: str
    commit: str
    path: str
    start_line: int
    end_line: int
    valid: bool


@dataclass(frozen=True)
class Answer:
    """A turn that has ended, and what came of it."""

    turn: ShownTurn
    text: str | None
    """None when there is none, or its words are withheld."""

    citations: list[Citation]
    verified: bool


def wait(user: User, turn_id: int) -> Answer:
    """The answer, once its turn has ended; runs what is left waiting, by the workers' own claim."""
    access = Access(user)
    since = time.monotonic()
    while (turn := access.turn(turn_id)).status in UNFINISHED:
        mine = time.monotonic() - since > PATIENCE_SECONDS and _run_first(turn.tape_id)
        if not mine:
            time.sleep(LOOK_SECONDS)
    return _answer(access, turn_cases.shown([turn])[0])


def _run_first(tape_id: int) -> bool:
    """Run the tape's oldest unfinished turn; False when a worker has it after all."""
    unfinished = asking.unfinished_on(tape_id)
    return bool(unfinished) and tasks.run_turn(unfinished[0].pk)


def _answer(access: Access, turn: ShownTurn) -> Answer:
    found = experiments.entries_of(access.turn(turn.id), "message")
    entry = next((each for each in found if each.seq == turn.answer_seq), None)
    if turn.experiment:
        said = [each for each in found if each.payload.get("role") == "assistant"]
        entry = said[-1] if said else None
    if entry is None or not access.shows_prose(entry.sources):
        return Answer(turn, None, [], verified=False)
    if not access.shows(entry.sources):
        return Answer(turn, prose.of(str(entry.payload["content"])), [], verified=False)
    return Answer(
        turn,
        str(entry.payload["content"]),
        [_citation(each) for each in entry.meta.get("citations", ())],
        verified=bool(entry.meta.get("verified")),
    )


def _citation(said: dict[str, Any]) -> Citation:
    return Citation(**{name: said[name] for name in Citation.__dataclass_fields__})
