"""One reader of the stream: where they stand, and what they are told next."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rest_framework.renderers import JSONRenderer

from kb_agent import live
from kb_agent.api import signin
from kb_agent.api.topics import EntrySerializer
from kb_agent.api.turns import TurnSerializer
from kb_agent.usecases import stream
from topics.models import UNFINISHED, TurnStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kb_agent.usecases.entries import ShownEntry
    from kb_agent.usecases.turns import ShownTurn


POSITION = re.compile(r"([0-9]{1,18}):([0-9]{1,18})")


@dataclass(frozen=True)
class Look:
    """What one look at the database came to, as it goes to the browser."""

    frames: bytes = b""
    more: bool = False
    closed: bool = False


@dataclass
class Reading:
    """A reader's session, position on each tape, and what they were told of turns and live text."""

    session_key: str
    person_id: int
    positions: dict[int, int]
    turns: dict[int, ShownTurn] = field(default_factory=dict)
    readable: frozenset[int] = frozenset()
    _recorded: set[tuple[int, int]] = field(default_factory=set)
    _told: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def channels(self) -> set[str]:
        """What wakes this reader besides the turns that run."""
        return {
            live.session_channel(self.session_key),
            f"person:{self.person_id}",
            *(f"tape:{tape_id}" for tape_id in self.positions),
        }

    def turn_channels(self) -> set[str]:
        """The live text that this reader follows now."""
        running = (turn for turn in self.turns.values() if turn.status == TurnStatus.RUNNING)
        return {f"turn:{turn.id}" for turn in running}

    def waits_for_something(self) -> bool:
        """Whether a turn this reader knows of has not ended."""
        return any(turn.status in UNFINISHED for turn in self.turns.values())

    def look(self) -> Look:
        """Read what is new, as the person whose session it still is; runs in a thread."""
        person = signin.person_of(self.session_key)
        if person is None or person.pk != self.person_id:
            return Look(frame("closed", {"code": "signed_out"}), closed=True)
        news = stream.news(person, self.positions, self.turns)
        if news is None:
            return Look(frame("closed", {"code": "forbidden"}), closed=True)
        frames = [_entry(each) for each in news.entries]
        frames += [frame("turn", TurnSerializer(each).data) for each in news.turns]
        for entry in news.entries:
            self.positions[entry.tape] = max(entry.seq, self.positions[entry.tape])
            if entry.turn is not None and entry.step is not None:
                self._recorded.add((entry.turn, entry.step))
        self.readable = news.readable
        self.turns.update({each.id: each for each in news.turns})
        return Look(b"".join(frames), more=news.more)

    def texts(self, heard: Iterable[str], writing: Mapping[int, live.Writing]) -> bytes:
        """The live text that is new on the turns that spoke."""
        spoke = {int(each.removeprefix("turn:")) for each in heard if each.startswith("turn:")}
        return b"".join(
            self._text(turn_id, written) for turn_id in spoke if (written := writing.get(turn_id))
        )

    def _text(self, turn_id: int, written: live.Writing) -> bytes:
        """What was not told yet of the step being written.

        Steps that are on the tape are left out, and text from code the reader may not read (C7).
        """
        if not written.steps:
            return b""
        step = max(written.steps)
        if (turn_id, step) in self._recorded:
            return b""
        now = written.steps[step]
        if not now.sources <= self.readable:
            return b""
        epoch, told = self._told.get((turn_id, step), (now.epoch, 0))
        start = told if epoch == now.epoch else 0
        self._told[turn_id, step] = (now.epoch, len(now.text))
        if start == len(now.text):
            return b""
        said = {"turn": turn_id, "step": step, "offset": start, "text": now.text[start:]}
        return frame("text", said)


def frame(event: str, data: Any, *, position: str = "") -> bytes:
    """One server-sent event."""
    head = f"id: {position}\n" if position else ""
    return f"{head}event: {event}\ndata: ".encode() + JSONRenderer().render(data) + b"\n\n"


def comment() -> bytes:
    """A line that keeps proxies from closing a quiet stream."""
    return b": still here\n\n"


def ready(reading: Reading) -> bytes:
    """Everything recorded so far has been told."""
    return frame("ready", {"tapes": {str(k): seq for k, seq in reading.positions.items()}})


def _entry(entry: ShownEntry) -> bytes:
    return frame("entry", EntrySerializer(entry).data, position=f"{entry.tape}:{entry.seq}")


def position_vector(tapes: str, last_event_id: str) -> dict[int, int]:
    """Where a reader stands: as the address says, or further where the browser's last event says so."""
    positions = _positions(tapes)
    for tape_id, seq in _positions(last_event_id).items():
        if tape_id in positions:
            positions[tape_id] = max(seq, positions[tape_id])
    return positions


def _positions(text: str) -> dict[int, int]:
    """The positions in a list of them; what is none, a browser's own invention, says nothing."""
    places = (POSITION.fullmatch(each) for each in text.split(","))
    return {int(place[1]): int(place[2]) for place in places if place}
