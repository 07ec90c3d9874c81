"""Random lives of tapes, held step by step against a list in memory, on every store.

Two handles write to one place. A crash is a batch that was cut off at any byte (folder) or a
transaction that never committed (PostgreSQL).
"""

from __future__ import annotations

import itertools
import os
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tapes import entries, errors
from tapes.archive.copies import Archive
from tapes.archive.objects import Folder
from tapes.stores.folder import FolderStore
from tapes.stores.postgres import PostgresStore
from tapes.windows import View
from tests.tapes import model
from tests.tapes.agreeing import SOURCES, agree, finds, names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tapes.entries import NewEntry
    from tapes.forks import ForkHandle
    from tapes.stores.protocol import Store

WORDS = ["refund", "Invoice", "退款", "失败", '100% "_"', "\\u0000", "😀 \u2028"]

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
turns = st.sampled_from([None, 1, 2, 3, 2])


@st.composite
def new_entries(draw: st.DrawFn) -> NewEntry:
    """An entry of any kind; some belong to steps, which can be recorded once."""
    turn_id = draw(turns)
    context: Any = {
        "turn_id": turn_id,
        "topic_id": draw(st.one_of(st.none(), st.just(1))),
        "sources": draw(st.lists(st.sampled_from(SOURCES), max_size=2)),
        "actor": draw(st.sampled_from(["agent", "person:1"])),
        "why": draw(st.sampled_from(["", "为什么"])),
        "meta": draw(st.dictionaries(st.sampled_from("xy"), st.floats(-1, 1), max_size=1)),
    }
    if turn_id is not None and draw(st.booleans()):
        context |= {"step": draw(st.integers(1, 2)), "part": draw(st.integers(0, 1))}
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    made: list[Callable[[], NewEntry]] = [
        lambda: entries.message("user", draw(texts), **context),
        lambda: entries.event(draw(names), {"text": draw(texts)}, **context),
        lambda: entries.anchor(draw(names), {"text": draw(texts)}, **context),
        lambda: entries.tool_call([call], draw(texts), **context),
        lambda: entries.tool_result([draw(texts)], **context),
        lambda: entries.error("tool", draw(texts), **context),
        lambda: entries.system(draw(texts), **context),
    ]
    return draw(st.sampled_from(made))()


batches = st.lists(new_entries(), min_size=1, max_size=3)
LIVES = itertools.count()
STEPS: Counter[str] = Counter()


class Lives(RuleBasedStateMachine):
    """The rules that hold on every store; a subclass makes the stores and the crash."""

    def __init__(self) -> None:
        super().__init__()
        self.life = next(LIVES)
        self.handles = self.open()
        self.tapes: dict[int, model.Tape] = {}
        self.forks: list[ForkHandle] = []
        """Every handle ever given, renewed ones too."""

    def open(self) -> list[Store]:
        """Return two handles on one new or shared place."""
        raise NotImplementedError

    def crash(self, tape: int, batch: Sequence[NewEntry]) -> None:
        """Let a batch be cut off before it was durable."""
        raise NotImplementedError

    @invariant()
    def count(self) -> None:
        """Called after every step."""
        STEPS[type(self).__name__] += 1

    @initialize()
    def first(self) -> None:
        """There is always a tape."""
        self._create("w0")

    @rule(data=st.data(), who=st.integers(0, 1), name=st.sampled_from(["w0", "w1"]))
    def create(self, data: st.DataObject, who: int, name: str) -> None:
        """Open a tape, whose name must be free."""
        in_use = any(
            one.name == f"{name} {self.life}" and not one.closed for one in self.tapes.values()
        )
        if in_use:
            with pytest.raises(errors.NameTaken):
                self.handles[who].create(f"{name} {self.life}")
        else:
            self._create(name, who)

    @rule(
        data=st.data(),
        who=st.integers(0, 1),
        batch=batches,
        expected=st.sampled_from([None, None, 0, -1]),
    )
    def append(
        self, data: st.DataObject, who: int, batch: list[NewEntry], expected: int | None
    ) -> None:
        """Append, outside forks or on one, on the head or an older one."""
        tape_id, tape = self._tape(data)
        mine = [fork for fork in self.forks if fork.tape_id == tape_id]
        fork = data.draw(st.sampled_from([None, None, *mine]))
        head = None if expected is None else len(tape.rows) + expected
        refusal = tape.refusal(batch, head, fork)
        if refusal is not None:
            with pytest.raises(refusal):
                self.handles[who].append(tape_id, batch, expected_head=head, fork=fork)
            return
        written = self.handles[who].append(tape_id, batch, expected_head=head, fork=fork)
        tape.add(batch, fork.id if fork else None)
        assert model.same(written, tape.rows[-len(batch) :])

    @rule(data=st.data(), who=st.integers(0, 1), name=names)
    def handoff(self, data: st.DataObject, who: int, name: str) -> None:
        """An anchor and its event."""
        tape_id, tape = self._tape(data)
        batch = entries.handoff(name, {"n": 1}, actor="person:1", why="tidy")
        if not tape.closed:
            self.handles[who].append(tape_id, batch)
            tape.add(batch)

    @rule(data=st.data(), who=st.integers(0, 1))
    def fork(self, data: st.DataObject, who: int) -> None:
        """Open a fork."""
        tape_id, tape = self._tape(data)
        if tape.closed:
            with pytest.raises(errors.TapeArchived):
                self.handles[who].open_fork(tape_id)
            return
        fork = self.handles[who].open_fork(tape_id)
        assert (fork.base_seq, fork.id in tape.forks) == (len(tape.rows), False)
        tape.forks[fork.id] = model.Fork(fork.base_seq, fork.token)
        self.forks.append(fork)

    @precondition(lambda self: self.forks)
    @rule(data=st.data(), who=st.integers(0, 1))
    def renew(self, data: st.DataObject, who: int) -> None:
        """Take a fork over."""
        fork = data.draw(st.sampled_from(self.forks))
        known = self.tapes[fork.tape_id].forks[fork.id]
        if known.state != "open":
            with pytest.raises(errors.ForkClosed):
                self.handles[who].renew_fork(fork.tape_id, fork.id)
            return
        renewed = self.handles[who].renew_fork(fork.tape_id, fork.id)
        assert renewed.token > known.token
        known.token = renewed.token
        self.forks.append(renewed)

    @precondition(lambda self: self.forks)
    @rule(data=st.data(), who=st.integers(0, 1), state=st.sampled_from(["merged", "discarded"]))
    def close_fork(self, data: st.DataObject, who: int, state: str) -> None:
        """Merge or discard, once or again, with a good token or an old one."""
        fork = data.draw(st.sampled_from(self.forks))
        tape = self.tapes[fork.tape_id]
        act = self.handles[who].merge if state == "merged" else self.handles[who].discard
        refusal = tape.refusal_to_close(fork, state)
        if refusal == "again":
            assert act(fork) is None
        elif isinstance(refusal, type):
            with pytest.raises(refusal):
                act(fork)
        else:
            seq = act(fork)
            tape.close_fork(fork.id, state)
            assert seq == len(tape.rows)

    @rule(data=st.data(), who=st.integers(0, 1))
    def reset(self, data: st.DataObject, who: int) -> None:
        """Close a tape that has lived a while, and start anew under its name."""
        tape_id, tape = self._tape(data)
        if len(tape.rows) < data.draw(st.integers(2, 30)):
            return
        if tape.closed:
            with pytest.raises(errors.TapeArchived):
                self.handles[who].close(tape_id)
            return
        self.handles[who].close(tape_id, why="reset")
        event = entries.event("tape_closed", why="reset")
        tape.add([event])
        tape.closed = True
        self._create(tape.name.split()[0], who)

    @rule(data=st.data(), batch=batches)
    def crashing(self, data: st.DataObject, batch: list[NewEntry]) -> None:
        """A writer dies before its batch is durable."""
        tape_id, tape = self._tape(data)
        if tape.refusal(batch, None, None) is None:
            self.crash(tape_id, batch)

    @rule(data=st.data(), who=st.integers(0, 1))
    def look(self, data: st.DataObject, who: int) -> None:
        """Read everything that can be read."""
        tape_id, tape = self._tape(data)
        agree(self.handles[who], tape_id, tape, data)

    @rule(data=st.data(), who=st.integers(0, 1))
    def searching(self, data: st.DataObject, who: int) -> None:
        """Find what is on a tape."""
        tape_id, tape = self._tape(data)
        finds(self.handles[who], tape_id, tape, data)

    def teardown(self) -> None:
        """In the end every tape verifies, and is as long as it should be."""
        for handle in self.handles:
            heads = {one.id: one.head for one in handle.tapes() if one.id in self.tapes}
            assert heads == {tape_id: len(tape.rows) for tape_id, tape in self.tapes.items()}
        for tape_id, tape in self.tapes.items():
            verdict = self.handles[0].verify(tape_id)
            assert (verdict.ok, verdict.entries) == (True, len(tape.rows))
            assert model.same(self.handles[1].read(tape_id, View.seqs()), tape.range(1, 10**9))

    def _create(self, name: str, who: int = 0) -> None:
        made = self.handles[who].create(f"{name} {self.life}")
        tape = self.tapes[made.id] = model.Tape(f"{name} {self.life}")
        tape.add([entries.anchor("session/start")])

    def _tape(self, data: st.DataObject) -> tuple[int, model.Tape]:
        known = sorted(self.tapes)
        in_use = [tape_id for tape_id in known if not self.tapes[tape_id].closed]
        # Most of the time one that can still be written.
        tape_id = data.draw(st.sampled_from(in_use * 5 + known if in_use else known))
        return tape_id, self.tapes[tape_id]


def lives_of(machine: type[Lives], *, examples: int, steps: int) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            derandomize=True,
            # Without shrinking, which can take minutes: the steps that failed are told as they were.
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_random_lives_of_tapes_in_a_folder_and_its_archive(tmp_path: Path) -> None:
    class InAFolder(Lives):
        def open(self) -> list[Store]:
            self.root = tmp_path / str(self.life)
            self.archive = Archive(Folder(tmp_path / f"{self.life} archive"))
            return [FolderStore(self.root, self.archive) for _ in range(2)]

        def crash(self, tape: int, batch: Sequence[NewEntry]) -> None:
            FolderStore(self.root).append(tape, batch)
            path = self.root / f"{tape}.jsonl"
            lines = path.read_bytes().split(b"\n")[:-1]
            written = sum(len(line) + 1 for line in lines[-len(batch) :])
            lost = written - written * (len(self.tapes[tape].rows) % 7) // 7
            os.truncate(path, path.stat().st_size - lost)

        @rule(data=st.data())
        def archived(self, data: st.DataObject) -> None:
            """A closed tape is read from its copy as from here."""
            closed = [tape_id for tape_id, tape in self.tapes.items() if tape.closed]
            if closed:
                tape_id = data.draw(st.sampled_from(closed))
                self.handles[0].archive(tape_id)
                agree(self.archive, tape_id, self.tapes[tape_id], data)
                finds(self.archive, tape_id, self.tapes[tape_id], data)

    lives_of(InAFolder, examples=80, steps=50)
    assert STEPS["InAFolder"] > 2_000


@pytest.mark.usefixtures("committed_database")
def test_random_lives_of_tapes_in_PostgreSQL() -> None:
    class InPostgres(Lives):
        def open(self) -> list[Store]:
            return [PostgresStore(), PostgresStore()]

        def crash(self, tape: int, batch: Sequence[NewEntry]) -> None:
            with transaction.atomic():
                self.handles[0].append(tape, batch)
                transaction.set_rollback(True)

    lives_of(InPostgres, examples=30, steps=50)
    assert STEPS["InPostgres"] > 1_000
