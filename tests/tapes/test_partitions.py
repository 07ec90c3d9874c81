"""Partitions of entries are made ahead of need, and take over what overflowed."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from kb_agent import tasks
from kb_agent.doctor import database
from kb_agent.doctor.finding import Level
from tapes import entries, forks, partitions, store, verify, views
from tapes.errors import StepRecorded
from tapes.views import View

if TYPE_CHECKING:
    from tests.tapes.conftest import Behind

END = 160_000
NEW = "tapes_entry_p008"


@pytest.fixture(autouse=True)
def _as_before(behind: Behind) -> Iterator[None]:
    """What a test makes beyond the first eight goes with it."""
    yield
    for partition in partitions.state().partitions:
        if partition.first >= END:
            behind(f"DROP TABLE {partition.table}")


def begin_at(tape_id: int, behind: Behind) -> None:
    behind(f"ALTER SEQUENCE tapes_tape_id_seq RESTART WITH {tape_id}")


def test_R5_two_partitions_are_kept_free_and_no_more_are_made(behind: Behind) -> None:
    store.create("early")
    assert partitions.make_ahead() == []
    begin_at(END - 5, behind)
    store.create("late")
    assert partitions.state().free == 0
    assert [one.first for one in partitions.make_ahead()] == [END, END + 20_000]
    assert partitions.make_ahead() == []


def test_R5_what_overflowed_moves_into_its_partition_and_is_read_and_written_as_before(
    behind: Behind,
) -> None:
    begin_at(END + 7, behind)
    tape = store.create("beyond")
    fork = forks.open(tape.id)
    store.append(tape.id, [entries.event("step", turn_id=2, step=1, part=0)], fork=fork)
    before = views.read(tape.id, View.fork(fork.id))
    assert partitions.state().overflowed
    assert partitions.make_ahead(1)[0].table == NEW
    assert not partitions.state().overflowed
    assert behind(f"SELECT count(*) FROM {NEW}") == [(2,)]
    assert views.read(tape.id, View.fork(fork.id)) == before
    with pytest.raises(StepRecorded):
        store.append(tape.id, [entries.event("step", turn_id=2, step=1, part=0)], fork=fork)
    forks.merge(fork)
    assert verify.verify(tape.id).ok


def test_T2_the_application_has_no_right_on_a_new_partition(behind: Behind) -> None:
    begin_at(END - 5, behind)
    store.create("late")
    partitions.make_ahead(1)
    assert behind(
        "SELECT has_table_privilege('kb_agent_app', %s, 'SELECT, INSERT, UPDATE, DELETE')", [NEW]
    ) == [(False,)]


def test_a_new_partition_is_checked_and_indexed_as_the_others_are(behind: Behind) -> None:
    begin_at(END - 5, behind)
    store.create("late")
    partitions.make_ahead(1)

    def made(table: str) -> list[tuple[object, ...]]:
        return behind(
            "SELECT replace(pg_get_indexdef(indexrelid), %s, 'p'), i.indisvalid FROM pg_index AS i"
            " WHERE indrelid = %s::regclass ORDER BY 1",
            [table, table],
        ) + behind(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conrelid = %s::regclass AND contype = 'c' ORDER BY 1",
            [table],
        )

    assert made(NEW) == made("tapes_entry_p007")


def test_the_command_says_what_it_made(behind: Behind) -> None:
    begin_at(END - 5, behind)
    store.create("late")
    out = io.StringIO()
    call_command("tape", "partitions", "--ahead", "1", "--json", stdout=out)
    said = json.loads(out.getvalue())
    assert [one["table"] for one in said["made"]] == [NEW]
    assert (said["free"], said["overflowed"]) == (1, False)


def test_upkeep_makes_partitions_before_they_run_out(behind: Behind) -> None:
    begin_at(END - 5, behind)
    store.create("late")
    tasks.make_partitions()
    assert partitions.state().free == partitions.AHEAD


def test_the_doctor_warns_of_partitions_that_run_out(behind: Behind) -> None:
    assert database.partitions_suffice().level is Level.OK
    begin_at(END - 5, behind)
    store.create("late")
    assert database.partitions_suffice().level is Level.WARNING
    begin_at(END + 5, behind)
    store.create("beyond")
    found = database.partitions_suffice()
    assert (found.level, "tape partitions" in found.advice) == (Level.WARNING, True)
