"""Appending: together or not at all, in order, under any number of writers (T1, T3, T4, T6, T7)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from django.db import DatabaseError, connection, transaction
from psycopg import Error as DriverError

from tapes import entries, exact_text, models, signals, store, verify, views
from tapes.entries import NewEntry
from tapes.views import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapes.models import Tape

CALL = {"id": "c1", "type": "function", "function": {"name": "search_code", "arguments": "{}"}}


def seqs(tape: Tape) -> list[int]:
    return [entry.seq for entry in views.read(tape.id, View.seqs())]


def writer(tape: Tape, task: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.tapes.writer"]
    place = [json.dumps(connection.settings_dict), str(tape.id), task]
    # A hanging writer says when it has appended; the others have nothing to say.
    output = subprocess.PIPE if task == "hang" else None
    return subprocess.Popen([*command, *place], stdout=output, text=True)


def test_T7_a_new_tape_starts_with_the_anchor_session_start_saying_who_and_why() -> None:
    tape = store.create("new", actor="person:7", why="first question")
    (opening,) = views.read(tape.id, View.seqs())
    assert (opening.seq, opening.kind, opening.payload) == (1, "anchor", {"name": "session/start"})
    assert (opening.actor, opening.why) == ("person:7", "first question")
    assert [place.name for place in views.anchors(tape.id)] == ["session/start"]


def test_two_tapes_in_use_cannot_have_one_name(tape: Tape) -> None:
    with pytest.raises(store.NameTaken):
        store.create(tape.name)


def test_a_tape_asked_for_by_name_is_made_once_and_anew_after_it_was_closed() -> None:
    first = store.in_use("system/indexing")
    assert store.in_use("system/indexing") == first
    store.close(first.pk, actor="system", why="full")
    assert store.in_use("system/indexing") != first


def test_T6_every_column_comes_back_as_it_was_written(tape: Tape) -> None:
    (written,) = store.append(
        tape.id,
        [
            entries.message(
                "user",
                '退款 "quoted" 100% _x \\u0000 😀 \u2028',
                topic_id=3,
                turn_id=4,
                step=5,
                part=0,
                actor="person:1",
                why="asked",
                sources=[9, 2, 9],
                meta={"b": 1.0, "a": [None, True]},
            )
        ],
    )
    (read,) = views.read(tape.id, View.seqs(2))
    assert read == written
    assert read.sources == (2, 9)
    assert list(read.meta) == ["b", "a"]


def test_T5_the_exact_text_is_kept_where_jsonb_would_rewrite_it(tape: Tape) -> None:
    store.append(tape.id, [entries.event("figures", {"z": 1.10, "a": 1e3})])
    row = models.Entry.objects.get(tape_id=tape.id, seq=2)
    assert row.payload_text == '{"name":"figures","data":{"z":1.1,"a":1000.0}}'
    assert row.payload == {"name": "figures", "data": {"a": 1000.0, "z": 1.1}}


def test_T1_the_entries_of_a_step_land_together_or_not_at_all(tape: Tape) -> None:
    step = {"turn_id": 1, "step": 1}
    store.append(tape.id, [entries.tool_call([CALL], **step, part=0)])
    with pytest.raises(store.StepRecorded):
        store.append(
            tape.id,
            [
                entries.event("model_call_ended", turn_id=1),
                entries.tool_call([CALL], **step, part=1),
                entries.tool_call([CALL], **step, part=0),
            ],
        )
    assert seqs(tape) == [1, 2]


def test_T1_an_append_belongs_to_the_transaction_of_its_caller(tape: Tape) -> None:
    with transaction.atomic():
        store.append(tape.id, [entries.event("rolled_back")])
        transaction.set_rollback(True)
    store.append(tape.id, [entries.event("kept")])
    assert [entry.payload["name"] for entry in views.read(tape.id, View.seqs(2))] == ["kept"]
    assert seqs(tape) == [1, 2]


def test_the_same_step_of_another_turn_or_tape_is_another_step(tape: Tape) -> None:
    other = store.create("other")
    for place, turn_id in ((tape, 1), (tape, 2), (other, 1)):
        store.append(place.id, [entries.tool_call([CALL], turn_id=turn_id, step=1, part=0)])


def test_T3_a_writer_killed_before_its_commit_leaves_no_entry_and_no_gap(tape: Tape) -> None:
    process = writer(tape, "hang")
    assert process.stdout is not None
    with process.stdout as said:
        assert said.readline() == "appended\n"
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    (after,) = store.append(tape.id, [entries.message("user", "committed")])
    assert after.seq == 2
    assert verify.verify(tape.id).ok


def test_T4_a_writer_who_saw_an_older_head_is_told_and_writes_nothing(tape: Tape) -> None:
    store.append(tape.id, [entries.event("first")], expected_head=1)
    with pytest.raises(store.WrongHead) as refusal:
        store.append(tape.id, [entries.event("second")], expected_head=1)
    assert refusal.value.code == "wrong_head"
    assert seqs(tape) == [1, 2]


def test_T7_a_handoff_is_an_anchor_and_its_event_in_one_append(tape: Tape) -> None:
    written = store.handoff(tape.id, "phase/next", state={"n": 1}, actor="person:1", why="tidy")
    assert [(one.kind, one.payload["name"]) for one in written] == [
        ("anchor", "phase/next"),
        ("event", "handoff"),
    ]
    assert written[1].payload["data"] == {"name": "phase/next", "state": {"n": 1}}
    assert {(one.actor, one.why) for one in written} == {("person:1", "tidy")}


@pytest.fixture
def heard() -> Iterator[list[dict[str, Any]]]:
    """What listeners of `appended` are told."""
    told: list[dict[str, Any]] = []

    def listen(**said: Any) -> None:
        told.append({key: said[key] for key in ("tape_id", "last_seq", "turn_ids")})

    signals.appended.connect(listen)
    yield told
    signals.appended.disconnect(listen)


def test_the_world_is_told_after_commit_and_only_then(
    tape: Tape, heard: list[dict[str, Any]]
) -> None:
    with transaction.atomic():
        store.append(tape.id, [entries.event("x", turn_id=5), entries.event("y", turn_id=5)])
        assert heard == []
    assert heard == [{"tape_id": tape.id, "last_seq": 3, "turn_ids": [5]}]


BAD = {
    "a NUL character": entries.message("user", "a\0b"),
    "a NUL character in a key": entries.event("x", {"a\0": 1}),
    "half of a surrogate pair": entries.message("user", "\ud83d"),
    "half of a surrogate pair in meta": entries.event("x", meta={"k": "\udc00"}),
    "a NUL character in why": entries.event("x", why="\0"),
    "an unknown kind": NewEntry(kind="thought", payload={}),
    "a message without content": NewEntry(kind="message", payload={"role": "user"}),
    "a step without a turn": entries.event("x", step=1, part=0),
    "a step without a part": entries.event("x", step=1, turn_id=1),
    "an anchor name of 4 kB": entries.anchor("n" * 4096),
    "an empty anchor name": entries.anchor(" "),
    "not a number": entries.event("x", {"n": float("nan")}),
    "an event of the tape's own": entries.event("fork_merged", {"fork": 1}),
    "no actor": entries.event("x", actor=""),
    "an actor of 4 kB": entries.event("x", actor="a" * 4096),
    "a number of 5,000 digits": entries.event("x", {"n": 10**5_000}),
}


@pytest.mark.parametrize("entry", BAD.values(), ids=BAD.keys())
def test_bad_input_is_a_named_error_and_the_tape_unchanged(tape: Tape, entry: NewEntry) -> None:
    with pytest.raises(store.InvalidEntry):
        store.append(tape.id, [entries.event("good"), entry])
    assert seqs(tape) == [1]


def test_nothing_to_append_is_a_named_error(tape: Tape) -> None:
    with pytest.raises(store.InvalidEntry):
        store.append(tape.id, [])


def test_a_payload_of_50_MB_is_a_named_error(tape: Tape) -> None:
    with pytest.raises(store.PayloadTooLarge):
        store.append(tape.id, [entries.message("user", "x" * exact_text.MAX_BYTES)])
    assert seqs(tape) == [1]


REFUSED = {
    "an unknown kind": ("thought", "{}", "23514"),
    "no JSON": ("event", "no json", "22P02"),
    "no object": ("event", "[1]", "23514"),
    "an escaped NUL": ("event", '{"a": "\\u0000"}', "22P05"),
    "an anchor without a name": ("anchor", "{}", "23502"),
    "a long anchor name": ("anchor", '{"name": "' + "n" * 4096 + '"}', "22001"),
}


@pytest.mark.parametrize(("kind", "payload", "state"), REFUSED.values(), ids=REFUSED.keys())
def test_the_database_refuses_bad_entries_by_itself_too(
    tape: Tape, kind: str, payload: str, state: str
) -> None:
    with pytest.raises(DatabaseError) as refusal, connection.cursor() as cursor:
        cursor.execute(
            "SELECT tapes_append(%s, NULL, NULL, NULL, %s, %s, ARRAY['{}'], '{NULL}', '{NULL}',"
            " '{NULL}', '{NULL}', '{agent}', ARRAY[''], ARRAY['{}'], '{f}', NULL)",
            [tape.id, [kind], [payload]],
        )
    assert isinstance(refusal.value.__cause__, DriverError)
    assert refusal.value.__cause__.sqlstate == state
    assert seqs(tape) == [1]


def test_unknown_tapes_are_named() -> None:
    with pytest.raises(store.UnknownTape):
        store.append(999, [entries.event("x")])
    with pytest.raises(store.UnknownTape):
        store.get(999)
    assert store.find("nothing") is None
