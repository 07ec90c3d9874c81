"""One entry on a quiet tape takes a shorter way, which gives up for the other whenever somebody writes too (T1, T3, T4)."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from django.db import connection, connections, transaction

from tapes import entries, errors, forks, models, store, verify

if TYPE_CHECKING:
    from tapes.models import Tape

ONE = entries.message("user", '退款\n"{,}\\ and more')


def in_thread(work: object) -> object:
    """Run what another worker would do, with a connection of its own."""

    def run() -> object:
        try:
            return work()  # type: ignore[operator]
        finally:
            connections["default"].close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result(timeout=30)


def test_T1_one_entry_and_many_are_hashed_the_same_way(tape: Tape) -> None:
    context = {"topic_id": 3, "turn_id": 5, "actor": "person:1", "why": "为什么", "sources": [2, 9]}
    fork = forks.open(tape.id)
    step = entries.message("assistant", "x", step=1, part=0, **context)  # type: ignore[arg-type]
    (first,) = store.append(tape.id, [step], fork=fork)
    (anchor,) = store.append(tape.id, [entries.anchor("phase/二", {"a": [1]}, why="go")])
    store.append(tape.id, [ONE, ONE])
    (last,) = store.append(tape.id, [ONE])
    assert (first.seq, anchor.seq, last.seq) == (2, 3, 6)
    assert (first.fork_id, first.sources, first.why) == (fork.id, (2, 9), "为什么")
    row = models.Anchor.objects.get(tape_id=tape.id, seq=3)
    assert (row.name, row.state, row.moves_window) == ("phase/二", {"a": [1]}, True)
    assert verify.verify(tape.id).ok


def test_T3_an_append_that_meets_another_waits_for_it_and_takes_the_next_seq(tape: Tape) -> None:
    began = threading.Event()

    def other() -> int:
        began.set()
        return store.append(tape.id, [ONE])[0].seq

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            assert store.append(tape.id, [ONE])[0].seq == 2
            waiting = pool.submit(lambda: (other(), connections["default"].close())[0])
            assert began.wait(10)
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_sleep(0.3)")
            assert not waiting.done()
            assert store.append(tape.id, [ONE])[0].seq == 3
        assert waiting.result(timeout=30) == 4
    assert verify.verify(tape.id).ok


def test_T3_many_writers_of_single_entries_leave_no_gap_and_no_double(tape: Tape) -> None:
    def write(_: int) -> None:
        for _ in range(25):
            store.append(tape.id, [ONE])
        connections["default"].close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(6)))
    seqs = models.Entry.objects.filter(tape_id=tape.id).values_list("seq", flat=True)
    assert sorted(seqs) == list(range(1, 152))
    assert verify.verify(tape.id).ok


def test_T4_the_head_a_writer_saw_is_asked_for_under_the_lock(tape: Tape) -> None:
    assert store.append(tape.id, [ONE], expected_head=1)[0].seq == 2
    with pytest.raises(errors.WrongHead):
        store.append(tape.id, [ONE], expected_head=1)
    with pytest.raises(errors.WrongHead):
        in_thread(lambda: store.append(tape.id, [ONE], expected_head=7))
    assert store.get(tape.id).head == 2


def test_T11_a_fork_that_was_taken_over_or_closed_takes_no_single_entry(tape: Tape) -> None:
    old = forks.open(tape.id)
    new = forks.renew(old.id)
    with pytest.raises(errors.StaleFork):
        store.append(tape.id, [ONE], fork=old)
    forks.discard(new)
    with pytest.raises(errors.ForkClosed):
        store.append(tape.id, [ONE], fork=new)
    other = store.create("other")
    with pytest.raises(errors.UnknownFork):
        store.append(other.id, [ONE], fork=forks.ForkHandle(new.id, other.id, new.token, 1))
    assert (store.get(tape.id).head, store.get(other.id).head) == (2, 1)


def test_a_closed_tape_and_one_that_never_was_are_named(tape: Tape) -> None:
    store.close(tape.id)
    with pytest.raises(errors.TapeArchived):
        store.append(tape.id, [ONE])
    with pytest.raises(errors.UnknownTape):
        store.append(tape.id + 1, [ONE])


def test_T6_a_part_of_a_step_is_recorded_once(tape: Tape) -> None:
    step = entries.message("assistant", "x", turn_id=1, step=1, part=0)
    store.append(tape.id, [step])
    with pytest.raises(errors.StepRecorded):
        store.append(tape.id, [step])
    assert verify.verify(tape.id).ok


def test_T8_the_latest_event_of_a_name_is_found_by_an_index(tape: Tape) -> None:
    store.append(tape.id, [entries.event("rare", {"n": 1})])
    store.append(tape.id, [entries.event("common") for _ in range(3_000)])
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off; ANALYZE tapes_entry")
        cursor.execute(
            "EXPLAIN SELECT seq FROM tapes_entry WHERE tape_id = %s AND kind = 'event'"
            " AND (payload -> 'name') = '\"rare\"'::jsonb ORDER BY seq DESC LIMIT 1",
            [tape.id],
        )
        plan = " ".join(line for (line,) in cursor.fetchall())
        cursor.execute("RESET enable_seqscan")
    assert "Index Scan Backward" in plan
    assert "name" in plan
