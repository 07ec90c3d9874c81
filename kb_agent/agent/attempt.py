"""One attempt at a turn: what is claimed, for whom, until when, and how far the tape has come."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from django.conf import settings

from kb_agent.accounts.models import User
from tapes import store
from topics import turns

if TYPE_CHECKING:
    from kb_agent.agent.pulse import Pulse
    from tapes.entries import Context, Entry, NewEntry
    from topics.models import Turn
    from topics.turns import Claimed


class StepPlace(TypedDict, total=False):
    """Where in its step an entry stands, and what only people and the front end need."""

    step: int
    part: int
    meta: Mapping[str, Any]


@dataclass
class Attempt:
    """Counters and handles of the attempt; never what was said, which only the tape holds."""

    claimed: Claimed
    asker_id: int
    pulse: Pulse
    deadline: float
    """A `time.monotonic()` instant. Time in which no worker had the turn is not held against it."""
    joined: list[int] = field(default_factory=list)
    """Turns whose question was taken up by this one."""
    step: int = 0
    """Steps recorded so far, by earlier attempts too."""
    tokens: int = 0
    in_view: frozenset[int] = frozenset()
    """Repositories whose text any view of this attempt has shown (C7)."""

    @classmethod
    def of(cls, claimed: Claimed, *, asker_id: int, pulse: Pulse) -> Attempt:
        """The attempt a claim begins."""
        return cls(
            claimed=claimed,
            asker_id=asker_id,
            pulse=pulse,
            deadline=time.monotonic() + settings.TURN_MAX_SECONDS,
            joined=turns.taken_up(claimed.turn.pk),
        )

    @property
    def turn(self) -> Turn:
        """The turn's row as it was claimed."""
        return self.claimed.turn

    def asker(self) -> User:
        """The asker as they are now: grants and roles may have changed since the last call."""
        return User.objects.get(pk=self.asker_id)

    @property
    def language(self) -> str:
        """The asker's language, for our own few words: `zh` or `en`."""
        return self.turn.language

    @property
    def turn_ids(self) -> list[int]:
        """This turn and those it has taken up."""
        return [self.turn.pk, *self.joined]

    def context(
        self, *, sources: frozenset[int], actor: str = "agent", **place: Unpack[StepPlace]
    ) -> Context:
        """What every entry of this turn says of itself."""
        return {
            "topic_id": self.turn.topic_id,
            "turn_id": self.turn.pk,
            "actor": actor,
            "why": "",
            "sources": sorted(sources),
            **place,
        }

    def append(self, entries: Sequence[NewEntry]) -> list[Entry]:
        """Append on the turn's fork, under this attempt's token."""
        return store.append(self.turn.tape_id, entries, fork=self.claimed.fork)
