"""What every store promises its writers (T1, T3, T4, T5, T6, T7, T11, T12, T14)."""

from __future__ import annotations

import datetime
import io
from typing import TYPE_CHECKING

import pytest

from tapes import entries, errors, jsonl
from tapes.windows import View
from tests.tapes import bub
from tests.tapes.contract import shelves
from tests.tapes.test_append import BAD, CALL

if TYPE_CHECKING:
    from tapes.entries import Entry, NewEntry
    from tapes.stores.protocol import Store, TapeInfo
    from tests.tapes.contract.shelves import Shelf

ALL = View.seqs()


def seqs(store: Store, tape: int, view: View = ALL) -> list[int]:
    return [entry.seq for entry in store.read(tape, view)]


def head(store: Store, tape: int) -> int:
    return {info.id: info.head for info in store.tapes()}[tape]


def loaded(store: Store, name: str, file: str) -> TapeInfo:
    with (bub.DATA / file).open("rb") as opened:
        return store.load(name, jsonl.read(opened, jsonl.Report()))


def test_T7_a_new_tape_starts_with_the_anchor_session_start(store: Store) -> None:
    tape = store.create("new", state={"n": 1}, actor="person:7")
    (opening,) = store.read(tape.id, ALL)
    assert (opening.seq, opening.kind, opening.actor) == (1, "anchor", "person:7")
    assert opening.payload == {"name": "session/start", "state": {"n": 1}}
    assert (tape.head, tape.archived_at) == (1, None)
    assert abs(tape.created_at - opening.date) < datetime.timedelta(seconds=10)


def test_two_tapes_in_use_cannot_have_one_name_and_a_closed_one_frees_it(store: Store) -> None:
    first = store.create("work")
    with pytest.raises(errors.NameTaken):
        store.create("work")
    closed = store.close(first.id, actor="person:1", why="over")
    assert closed.archived_at is not None
    second = store.create("work")
    assert [(info.id, info.name) for info in store.tapes()] == [
        (first.id, "work"),
        (second.id, "work"),
    ]
    (*_, event) = store.read(first.id, ALL)
    assert (event.payload["name"], event.actor, event.why) == ("tape_closed", "person:1", "over")


def test_T12_a_closed_tape_takes_nothing_more_and_stays_readable(store: Store, tape: int) -> None:
    fork = store.open_fork(tape)
    store.close(tape)
    for refused in (
        lambda: store.append(tape, [entries.event("x")]),
        lambda: store.append(tape, [entries.event("x")], fork=fork),
        lambda: store.open_fork(tape),
        lambda: store.merge(fork),
        lambda: store.close(tape),
    ):
        with pytest.raises(errors.TapeArchived):
            refused()
    assert seqs(store, tape) == [1, 2]
    assert store.verify(tape).ok


def test_T6_every_column_comes_back_as_it_was_written(store: Store, tape: int) -> None:
    entry = entries.message(
        "user",
        '退款 "quoted" 100% _x \\u0000 😀 \u2028',
        topic_id=3,
        turn_id=4,
        step=5,
        part=0,
        actor="person:1",
        why="asked",
        sources=[9, 2, 9],
        meta={"b": 1.0, "a": [None, True, 1e3, 1.10]},
    )
    (written,) = store.append(tape, [entry])
    (read,) = store.read(tape, View.seqs(2))
    assert read == written
    assert (read.sources, list(read.meta), read.payload) == ((2, 9), ["b", "a"], entry.payload)


def test_T1_the_entries_of_a_step_land_together_or_not_at_all(store: Store, tape: int) -> None:
    def step(part: int, turn_id: int = 1) -> NewEntry:
        return entries.tool_call([CALL], turn_id=turn_id, step=1, part=part)

    store.append(tape, [step(0)])
    for again in ([entries.event("x"), step(1), step(0)], [step(2), step(2)]):
        with pytest.raises(errors.StepRecorded):
            store.append(tape, again)
    assert seqs(store, tape) == [1, 2]
    other = store.create("other").id
    for place, turn_id in ((tape, 2), (other, 1)):
        store.append(place, [step(0, turn_id)])


def test_T3_eight_processes_leave_no_gap_and_no_double_and_whole_batches(
    shelf: Shelf, store: Store, tape: int
) -> None:
    assert list(shelves.ended(shelves.writers(shelf, tape, "append", 125))) == [0] * 8
    found = store.read(tape, ALL)
    assert [entry.seq for entry in found] == list(range(1, 8 * 249 + 2))
    assert head(store, tape) == 8 * 249 + 1
    assert whole_batches(found[1:])
    assert store.verify(tape).ok


def whole_batches(found: list[Entry]) -> bool:
    """Whether each batch of the writer stands together."""
    while found:
        size = found[0].payload["data"]["of"]
        batch, found = found[:size], found[size:]
        if [entry.payload for entry in batch] != [batch[0].payload] * size:
            return False
    return True


def test_T4_a_writer_who_saw_an_older_head_is_told_and_writes_nothing(
    store: Store, tape: int
) -> None:
    store.append(tape, [entries.event("first")], expected_head=1)
    with pytest.raises(errors.WrongHead) as refusal:
        store.append(tape, [entries.event("second")], expected_head=1)
    assert refusal.value.code == "wrong_head"
    assert seqs(store, tape) == [1, 2]


def test_T4_of_eight_processes_each_writes_only_on_the_head_it_saw(
    shelf: Shelf, store: Store, tape: int
) -> None:
    assert list(shelves.ended(shelves.writers(shelf, tape, "expecting", 20))) == [0] * 8
    found = store.read(tape, View.seqs(2))
    assert [entry.payload["data"]["head"] + 1 for entry in found] == list(range(2, 162))


def test_T5_verify_names_the_first_entry_that_was_changed(
    shelf: Shelf, store: Store, tape: int
) -> None:
    for number in range(5):
        store.append(tape, [entries.event("fact", {"n": number})])
    assert store.verify(tape).as_dict() | {"entries": 6} == store.verify(tape).as_dict()
    for seq in (5, 3):
        shelf.change(tape, seq)
        verdict = store.verify(tape)
        assert (verdict.ok, verdict.first_bad_seq) == (False, seq)


def test_T7_a_handoff_is_an_anchor_and_its_event_in_one_append(store: Store, tape: int) -> None:
    store.append(tape, entries.handoff("phase/next", {"n": 1}, actor="person:1", why="tidy"))
    assert [(one.kind, one.why) for one in store.read(tape, View.seqs(2))] == [
        ("anchor", "tidy"),
        ("event", "tidy"),
    ]
    assert seqs(store, tape, View.last_anchor()) == [3]


def test_T11_entries_of_a_fork_take_the_next_seqs_at_once_and_show_when_merged(
    store: Store, tape: int
) -> None:
    fork = store.open_fork(tape)
    store.append(tape, [entries.anchor("phase/a"), entries.event("on it")], fork=fork)
    store.append(tape, [entries.event("beside it")])
    assert seqs(store, tape, View.last_anchor()) == [4]
    assert store.merge(fork, actor="agent") == 5
    assert seqs(store, tape, View.last_anchor()) == [3, 4, 5]
    (event,) = store.read(tape, View.seqs(5))
    assert event.payload == {"name": "fork_merged", "data": {"fork": fork.id}}
    assert (event.fork_id, event.actor) == (None, "agent")
    assert store.verify(tape).ok


def test_T11_a_second_merge_changes_nothing_and_a_closed_fork_takes_nothing(
    store: Store, tape: int
) -> None:
    merged, discarded = store.open_fork(tape), store.open_fork(tape)
    assert store.merge(merged) == 2
    assert store.merge(merged) is None
    assert store.discard(discarded) == 3
    assert store.discard(discarded) is None
    for refused in (
        lambda: store.discard(merged),
        lambda: store.merge(discarded),
        lambda: store.append(tape, [entries.event("x")], fork=merged),
        lambda: store.renew_fork(tape, discarded.id),
    ):
        with pytest.raises(errors.ForkClosed):
            refused()
    assert seqs(store, tape) == [1, 2, 3]


def test_T11_a_renewed_fork_refuses_its_old_token(store: Store, tape: int) -> None:
    old = store.open_fork(tape)
    new = store.renew_fork(tape, old.id)
    assert (new.base_seq, new.token > old.token) == (old.base_seq, True)
    for refused in (
        lambda: store.append(tape, [entries.event("x")], fork=old),
        lambda: store.merge(old),
        lambda: store.discard(old),
    ):
        with pytest.raises(errors.StaleFork):
            refused()
    store.append(tape, [entries.event("x")], fork=new)
    assert store.merge(new) == 3
    with pytest.raises(errors.UnknownFork):
        store.renew_fork(tape, 999)


@pytest.mark.parametrize("entry", BAD.values(), ids=BAD.keys())
def test_bad_input_is_a_named_error_and_the_tape_unchanged(
    store: Store, tape: int, entry: NewEntry
) -> None:
    with pytest.raises(errors.InvalidEntry):
        store.append(tape, [entries.event("good"), entry])
    with pytest.raises(errors.InvalidEntry):
        store.append(tape, [])
    assert seqs(store, tape) == [1]


def test_only_closing_writes_the_events_of_closing(store: Store, tape: int) -> None:
    for name in ("fork_merged", "fork_discarded", "tape_closed"):
        with pytest.raises(errors.InvalidEntry):
            store.append(tape, [entries.event(name, {"fork": 1})])


def test_unknown_tapes_are_named(store: Store) -> None:
    for refused in (
        lambda: store.append(999, [entries.event("x")]),
        lambda: store.read(999, ALL),
        lambda: store.open_fork(999),
        lambda: store.close(999),
    ):
        with pytest.raises(errors.UnknownTape):
            refused()


def test_T14_bubs_file_is_loaded_whole_without_an_anchor_of_ours(store: Store) -> None:
    tape = loaded(store, "bub", "bub-0.5.1.jsonl")
    assert tape.head == 19
    rows = io.BytesIO()
    jsonl.write(rows, ((entry, None) for entry in store.read(tape.id, ALL)))
    assert rows.getvalue() == (bub.DATA / "bub-0.5.1.jsonl").read_bytes()
    assert store.append(tape.id, [entries.event("after")])[0].seq == 20
    assert store.verify(tape.id).ok


def test_T14_a_bad_line_leaves_no_tape_and_its_name_free(store: Store) -> None:
    lines = (bub.DATA / "bub-0.5.1.jsonl").read_bytes() + b"garbage\n"
    for data in (lines, b""):
        with pytest.raises(errors.TapeError):
            store.load("bub", jsonl.read(io.BytesIO(data), jsonl.Report()))
    assert store.tapes() == []
    loaded(store, "bub", "bub-0.2.3.jsonl")
    with pytest.raises(errors.NameTaken):
        loaded(store, "bub", "bub-0.2.3.jsonl")


def test_T15_a_tape_in_use_does_not_go_to_the_archive(store: Store, tape: int) -> None:
    with pytest.raises(errors.TapeInUse):
        store.archive(tape)


def test_T13_what_another_process_appended_is_found_at_once(shelf: Shelf, tape: int) -> None:
    assert shelf.store.search(tape, "wombat").hits == []
    shelf.another().append(tape, [entries.message("user", "wombat")])
    assert [hit.seq for hit in shelf.store.search(tape, "wombat").hits] == [2]
