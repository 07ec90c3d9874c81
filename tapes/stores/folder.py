"""Tapes in a folder of JSON lines, for `tapes` used alone: safe with several processes (T15).

    tapes.jsonl    a line a tape: its id and name
    1.jsonl        a tape, see `tapes.stores.strips`
    1.forks        its forks' tokens
    1.erased       a line an erasure: the range, and the long texts that were named there
    spilled/       long texts, see `tapes.stores.spills`

All locks are flock(2) on these files: a folder on one machine, not on a network file system.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from tapes import anchors, chain, checking, entries, erasures, exact_text, windows
from tapes.erasures import Erased
from tapes.errors import (
    BrokenTape,
    ForkClosed,
    ForkOpen,
    InvalidEntry,
    InvalidRange,
    StaleFork,
    StepRecorded,
    TapeArchived,
    TapeInUse,
    UnknownFork,
    WrongHead,
)
from tapes.forks import ForkHandle
from tapes.matching import scanning
from tapes.source import DISCARDED, MERGED, OPEN, ForkState
from tapes.stores import writing
from tapes.stores.opened import Opened
from tapes.stores.registry import Registry
from tapes.stores.spills import Spills
from tapes.tape_info import TapeInfo

if TYPE_CHECKING:
    from typing import BinaryIO

    from tapes.archive.copies import Archive
    from tapes.chain import Verdict
    from tapes.entries import Context, Entry, NewEntry
    from tapes.matching.tiers import Found
    from tapes.records import Record
    from tapes.source import AnchorPlace
    from tapes.stores.strips import Strip
    from tapes.windows import View


class FolderStore:
    """A `Store` in a folder, which is made when it is not there."""

    def __init__(self, root: Path, archive: Archive | None = None) -> None:
        self.root = root
        self._archive = archive
        self._registry = Registry(root)
        self._opened = Opened(self._registry)
        self._spills = Spills(root)
        root.mkdir(parents=True, exist_ok=True)

    def tapes(self) -> list[TapeInfo]:
        """Return every tape, closed ones too."""
        return [self._info(tape_id, name) for tape_id, name in self._registry.names().items()]

    def read(self, tape_id: int, view: View) -> list[Entry]:
        """Read by offsets: a view costs its own length."""
        return self._opened.told(tape_id, lambda strip: list(view.entries(strip)))

    def anchors(self, tape_id: int) -> list[AnchorPlace]:
        """Known since the file was first read."""
        return self._opened.told(tape_id, windows.merged_anchors)

    def latest_event(self, tape_id: int, name: str) -> Entry | None:
        """Read the tape from its start."""
        return self._opened.told(tape_id, lambda strip: windows.latest_event(strip, name))

    def counts(self, tape_id: int) -> dict[str, int]:
        """Read the tape from its start."""
        return self._opened.told(tape_id, windows.counts)

    def search(
        self,
        tape_id: int,
        query: str,
        *,
        limit: int = 20,
        readable: Collection[int] = (),
        kinds: Collection[str] = (),
    ) -> Found:
        """Read the tape from its end until there is enough."""
        return self._opened.told(
            tape_id,
            lambda strip: scanning.scan(
                strip, strip.head, query, limit=limit, readable=readable, kinds=kinds
            ),
        )

    def verify(self, tape_id: int) -> Verdict:
        """Read the file anew; a tail that was cut between two appends leaves no trace in it."""
        anew = Opened(self._registry)
        try:
            return anew.told(tape_id, lambda strip: checking.check(strip.records(), strip.hash))
        except BrokenTape as error:
            return chain.Verdict(
                ok=False, first_bad_seq=error.seq, reason=str(error), entries=error.seq - 1
            )

    def create(
        self, name: str, *, state: Mapping[str, Any] | None = None, actor: str = "system"
    ) -> TapeInfo:
        """Write the tape's file, then its name."""
        opening = entries.anchor(anchors.SESSION_START, state, actor=actor)
        writing.check(opening)
        with self._registry.adding(name, self._in_use) as tape_id:
            strip = self._opened.new(tape_id)
            with strip.writing() as file:
                strip.write(file, writing.batch(strip, [opening], dates=[_now()]))
        return self._info(tape_id, name)

    def append(
        self,
        tape_id: int,
        new: Sequence[NewEntry],
        *,
        expected_head: int | None = None,
        fork: ForkHandle | None = None,
    ) -> list[Entry]:
        """Append under the lock of the tape's file."""
        for entry in new:
            writing.check(entry)
        if not new:
            raise InvalidEntry("nothing to append")
        with self._opened.writing(tape_id) as (strip, file):
            if expected_head not in {None, strip.head}:
                raise WrongHead(f"tape {tape_id} is at {strip.head}, not at {expected_head}")
            if fork is not None:
                _check_fork(strip, fork, (OPEN,))
            return self._append(strip, file, new, fork.id if fork else None)

    def open_fork(self, tape_id: int) -> ForkHandle:
        """Note the fork's first token."""
        with self._opened.writing(tape_id) as (strip, _):
            fork = ForkState(len(strip.forks()) + 1, OPEN, 1, strip.head)
            strip.write_token(fork)
            return ForkHandle(fork.id, tape_id, fork.token, fork.base_seq)

    def renew_fork(self, tape_id: int, fork_id: int) -> ForkHandle:
        """Note the fork's next token."""
        with self._opened.writing(tape_id, closed=True) as (strip, _):
            fork = strip.forks().get(fork_id)
            if fork is None:
                raise UnknownFork(f"tape {tape_id} has no fork {fork_id}")
            if fork.state != OPEN:
                raise ForkClosed(f"fork {fork_id} is {fork.state}")
            strip.write_token(ForkState(fork_id, OPEN, fork.token + 1, fork.base_seq))
            return ForkHandle(fork_id, tape_id, fork.token + 1, fork.base_seq)

    def merge(self, fork: ForkHandle, **context: Unpack[Context]) -> int | None:
        """One event."""
        return self._close_fork(fork, MERGED, context)

    def discard(self, fork: ForkHandle, **context: Unpack[Context]) -> int | None:
        """One event."""
        return self._close_fork(fork, DISCARDED, context)

    def close(self, tape_id: int, **context: Unpack[Context]) -> TapeInfo:
        """One event, after which the tape takes no other."""
        event = entries.event(entries.TAPE_CLOSED, **context)
        with self._opened.writing(tape_id) as (strip, file):
            self._append(strip, file, [event], None)
        return self._info(tape_id, self._registry.names()[tape_id])

    def load(
        self, name: str, batches: Iterable[Sequence[tuple[NewEntry, datetime.datetime]]]
    ) -> TapeInfo:
        """Write a file that has no name before it is whole."""
        with self._registry.adding(name, self._in_use) as tape_id:
            strip = self._opened.new(tape_id)
            with strip.writing() as file:
                for batch in batches:
                    new = [entry for entry, _ in batch]
                    strip.write(file, writing.batch(strip, new, dates=[date for _, date in batch]))
            if not strip.head:
                raise InvalidEntry("there is no entry")
        return self._info(tape_id, name)

    def spill(self, text: str) -> str:
        """A file."""
        return self._spills.keep(text)

    def unspill(self, digest: str) -> str:
        """Read the file."""
        return self._spills.read(digest)

    def erase(self, tape_id: int, first: int, last: int, *, actor: str, why: str) -> Erased:
        """Write the tape's file anew without the words; then what is beside it."""
        erasures.check_reason(why)
        done = Erased(tape_id, first, last)
        with self._opened.writing(tape_id, closed=True) as (strip, _):
            if not 1 <= first <= last <= strip.head:
                raise InvalidRange(
                    f"tape {tape_id} has entries 1 to {strip.head}, not {first} to {last}"
                )
            named = self._lost(strip, done)
            if done.entries:
                place = {"first": first, "last": last, "entries": done.entries}
                event = entries.event(entries.ERASED, place, actor=actor, why=why)
                exact_text.check_shape(event)
                told = writing.batch(strip, [event], dates=[_now()])
                noted = {**place, "spilled": sorted(named)}
                strip.rewrite(partial(_without_words, first, last), told, erasure=noted)
                done.events = [told[0].entry.seq]
        done.spilled = self._forget_spilled(tape_id)
        self._opened.told(tape_id, self._renew_copy)
        return done

    def archive(self, tape_id: int) -> str:
        """Copy to the archive this store was made with; the files stay."""
        info = self._info(tape_id, self._registry.names().get(tape_id, ""))
        if info.archived_at is None:
            raise TapeInUse(f"tape {tape_id} is in use")
        if self._archive is None:
            raise InvalidEntry("this folder has no archive")
        archive = self._archive
        return self._opened.told(
            tape_id, lambda strip: archive.write(info, strip.hash, strip, strip.records()).folder
        )

    def _lost(self, strip: Strip, done: Erased) -> set[str]:
        """Count the entries that are to lose their words; the long texts they name. Raises `ForkOpen`."""
        at_work = {fork.id for fork in strip.forks().values() if fork.state == OPEN}
        named: set[str] = set()
        for record in strip.records(done.first, done.last):
            if record.entry.fork_id in at_work:
                raise ForkOpen(f"entry {record.entry.seq} is still being worked on")
            if erasures.has_words(record):
                done.entries += 1
                named.update(erasures.spilled(record))
        return named

    def _forget_spilled(self, tape_id: int) -> int:
        """Delete the long texts that this tape's erasures left without a name; also what a crash kept from it."""
        unnamed = self._spills.there(self._opened.told(tape_id, lambda strip: strip.unspilled()))
        for other in self._registry.names() if unnamed else ():
            unnamed -= self._opened.told(
                other,
                lambda strip: {one for each in strip.records() for one in erasures.spilled(each)},
            )
        return self._spills.forget(unnamed)

    def _renew_copy(self, strip: Strip) -> None:
        if self._archive is not None:
            info = self._info(strip.tape_id, self._registry.names()[strip.tape_id])
            self._archive.renew(info, strip.hash, strip, strip.records())

    def _append(
        self, strip: Strip, file: BinaryIO, new: Sequence[NewEntry], fork_id: int | None
    ) -> list[Entry]:
        steps = {(entry.turn_id, entry.step, entry.part) for entry in new if entry.step is not None}
        numbered = sum(entry.step is not None for entry in new)
        if len(steps) < numbered or steps & strip.steps:
            raise StepRecorded("this part of this step is on the tape already")
        batch = writing.batch(strip, new, dates=[_now()] * len(new), fork_id=fork_id)
        strip.write(file, batch)
        return [record.entry for record in batch]

    def _close_fork(self, fork: ForkHandle, state: str, context: Context) -> int | None:
        name = entries.FORK_MERGED if state == MERGED else entries.FORK_DISCARDED
        event = entries.event(name, {"fork": fork.id}, **context)
        exact_text.check_shape(event)
        with self._opened.writing(fork.tape_id, closed=True) as (strip, file):
            _check_fork(strip, fork, (OPEN, state))
            if strip.forks()[fork.id].state == state:
                return None
            if strip.closed_at is not None:
                raise TapeArchived(f"tape {fork.tape_id} is archived")
            return self._append(strip, file, [event], None)[0].seq

    def _info(self, tape_id: int, name: str) -> TapeInfo:
        strip = self._opened.read(tape_id)
        created_at = strip.created_at or _now()
        return TapeInfo(tape_id, name, strip.head, created_at, strip.closed_at)

    def _in_use(self, tape_id: int) -> bool:
        return self._opened.read(tape_id).closed_at is None


def _check_fork(strip: Strip, handle: ForkHandle, states: Sequence[str]) -> None:
    fork = strip.forks().get(handle.id)
    if fork is None:
        raise UnknownFork(f"tape {strip.tape_id} has no fork {handle.id}")
    if fork.token != handle.token:
        raise StaleFork(f"fork {fork.id} has been taken over")
    if fork.state not in states:
        raise ForkClosed(f"fork {fork.id} is {fork.state}")


def _without_words(first: int, last: int, record: Record) -> Record:
    inside = first <= record.entry.seq <= last
    return erasures.without_words(record) if inside and erasures.has_words(record) else record


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)
