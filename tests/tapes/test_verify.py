"""T5: what was changed behind the database's back is named, by the chain and the log of heads."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connections, transaction

from tapes import entries, forks, heads, store, verify
from tapes.heads import log as heads_log

if TYPE_CHECKING:
    from pathlib import Path

    from tapes.models import Tape
    from tests.tapes.conftest import Behind

# What somebody with the owner's role can do who knows the scheme as well as we do.
RECOMPUTE = """
DO $$
DECLARE
    row tapes_entry;
    before bytea := decode(repeat('00', 32), 'hex');
    words bytea;
BEGIN
    FOR row IN SELECT * FROM tapes_entry ORDER BY seq LOOP
        words := sha256(row.salt || convert_to(concat(
            octet_length(row.payload_text), ':', row.payload_text,
            octet_length(row.meta_text), ':', row.meta_text, row.why), 'UTF8'));
        before := sha256(before || words || convert_to(concat(
            row.tape_id, '|', row.seq, '|', row.kind, '|', row.fork_id, '|', row.topic_id, '|',
            row.turn_id, '|', row.step, '|', row.part, '|', row.sources, '|',
            (extract(epoch FROM row.date) * 1000000)::bigint, '|', row.actor), 'UTF8'));
        UPDATE tapes_entry SET digest = words, hash = before WHERE seq = row.seq;
    END LOOP;
    UPDATE tapes_tape SET head_hash = before;
END $$
"""


@pytest.fixture(autouse=True)
def _entries(tape: Tape) -> None:
    context = {"topic_id": 1, "turn_id": 2, "actor": "person:1", "sources": [4, 5], "why": "so"}
    fork = forks.open(tape.id)
    store.append(tape.id, [entries.message("user", "退款?", **context)])
    store.append(
        tape.id, [entries.event("step", {"n": 1.50}, **context, step=1, part=0)], fork=fork
    )
    store.append(tape.id, [entries.anchor("phase/one", {"text": "行"}, **context)])
    forks.merge(fork, turn_id=2)
    store.append(tape.id, [entries.message("assistant", "三次。", **context, meta={"a": 1})])


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of heads outside the database, written now."""
    path = tmp_path / "heads.jsonl"
    heads.write(path)
    return path


def verdict(tape: Tape, log: Path | None = None) -> tuple[bool, int | None]:
    logged = heads.read(log).get(tape.id) if log else None
    found = verify.verify(tape.id, logged)
    return found.ok, found.first_bad_seq


def test_T5_an_untouched_tape_is_green(tape: Tape, log: Path) -> None:
    assert verify.verify(tape.id) == verify.Verdict(
        ok=True, first_bad_seq=None, reason="", entries=6
    )
    assert verdict(tape, log) == (True, None)


COLUMNS = {
    "payload_text": "replace(payload_text, '三', '九')",
    "meta_text": "'{}'",
    "why": "'other'",
    "actor": "'agent'",
    "sources": "'{4}'",
    "topic_id": "9",
    "turn_id": "9",
    "step": "9, part = 9",
    "fork_id": "9",
    "kind": "'event'",
    "date": "date + interval '1 microsecond'",
    "salt": "'\\x00'",
    "digest": "sha256('')",
    "hash": "sha256('')",
}


@pytest.mark.parametrize("column", COLUMNS)
def test_T5_a_changed_column_is_named(column: str, tape: Tape, behind: Behind) -> None:
    behind(f"UPDATE tapes_entry SET {column} = {COLUMNS[column]} WHERE seq = 6")
    assert verdict(tape) == (False, 6)


def test_T5_the_first_of_several_changed_entries_is_named(tape: Tape, behind: Behind) -> None:
    behind("UPDATE tapes_entry SET why = 'other' WHERE seq IN (2, 6)")
    assert verdict(tape) == (False, 2)


def test_T5_words_changed_with_every_hash_recomputed_are_named_by_the_log(
    tape: Tape, behind: Behind, log: Path
) -> None:
    behind("UPDATE tapes_entry SET payload_text = replace(payload_text, '行', '不') WHERE seq = 4")
    behind("""UPDATE tapes_anchor SET state = '{"text": "不"}' WHERE seq = 4""")
    behind(RECOMPUTE)
    assert verdict(tape) == (True, None)
    assert verdict(tape, log) == (False, 4)


def test_T5_recomputing_an_untouched_tape_changes_nothing(
    tape: Tape, behind: Behind, log: Path
) -> None:
    behind(RECOMPUTE)
    assert verdict(tape, log) == (True, None)


def test_T5_a_cut_tail_is_named_by_the_head(tape: Tape, behind: Behind) -> None:
    behind("DELETE FROM tapes_entry WHERE seq > 5")
    assert verdict(tape) == (False, 6)


def test_T5_a_cut_tail_with_a_head_put_back_is_named_by_the_log(
    tape: Tape, behind: Behind, log: Path
) -> None:
    behind("DELETE FROM tapes_entry WHERE seq > 5")
    behind(
        "UPDATE tapes_tape SET head = 5, head_hash = (SELECT hash FROM tapes_entry WHERE seq = 5)"
    )
    assert verdict(tape) == (True, None)
    assert verdict(tape, log) == (False, 6)


def test_T5_a_tape_written_on_after_a_cut_is_named_by_the_log(
    tape: Tape, behind: Behind, log: Path
) -> None:
    behind("DELETE FROM tapes_entry WHERE seq > 5")
    behind(
        "UPDATE tapes_tape SET head = 5, head_hash = (SELECT hash FROM tapes_entry WHERE seq = 5)"
    )
    store.append(tape.id, [entries.message("assistant", "九次。"), entries.event("more")])
    heads.write(log)
    assert verdict(tape, log) == (False, 6)


def test_T5_an_entry_taken_out_of_the_middle_is_named(tape: Tape, behind: Behind) -> None:
    behind("DELETE FROM tapes_entry WHERE seq = 3")
    assert verdict(tape) == (False, 3)


BESIDE = {
    "an anchor that no longer moves the window": (
        "UPDATE tapes_anchor SET moves_window = false WHERE seq = 4",
        4,
    ),
    "an anchor's other state": ("UPDATE tapes_anchor SET state = '{}' WHERE seq = 4", 4),
    "an anchor's other name": ("UPDATE tapes_anchor SET name = 'x' WHERE seq = 4", 4),
    "an anchor's row gone": ("DELETE FROM tapes_anchor WHERE seq = 4", 4),
    "an anchor's row nobody wrote": (
        "INSERT INTO tapes_anchor (tape_id, seq, name, moves_window)"
        " SELECT id, 5, 'x', true FROM tapes_tape",
        5,
    ),
    "a merged fork opened again": (
        "UPDATE tapes_fork SET state = 'open', closed_seq = NULL",
        2,
    ),
    "a merged fork discarded": ("UPDATE tapes_fork SET state = 'discarded'", 2),
    "a fork's row gone": ("DELETE FROM tapes_fork", 5),
    "words taken away without an erasure": ("UPDATE tapes_entry SET salt = NULL WHERE seq = 6", 6),
}


@pytest.mark.parametrize(("statement", "seq"), BESIDE.values(), ids=BESIDE.keys())
def test_T5_a_change_beside_the_entries_is_named(
    statement: str, seq: int, tape: Tape, behind: Behind
) -> None:
    behind(statement)
    assert verdict(tape) == (False, seq)


def test_T5_the_log_says_only_what_is_new_and_survives_a_torn_line(
    tape: Tape, behind: Behind, log: Path
) -> None:
    assert heads.write(log) == 0
    store.append(tape.id, [entries.event("more")])
    with log.open("ab") as file:
        file.write('{"tape": 1, "name": "工'.encode()[:-1])
    assert heads.write(log) == 1
    assert heads.read(log)[tape.id].head == 7
    log.with_suffix(".reached").unlink()
    assert heads.write(log) == 0
    behind("UPDATE tapes_entry SET why = 'other' WHERE seq = 7")
    behind(RECOMPUTE)
    assert verdict(tape, log) == (False, 7)


def test_T5_the_log_is_not_written_for_a_tape_that_lacks_entries(
    tape: Tape, behind: Behind, log: Path
) -> None:
    store.append(tape.id, [entries.event("more"), entries.event("more")])
    behind("DELETE FROM tapes_entry WHERE seq = 7")
    assert heads.write(log) == 0
    assert verdict(tape, log) == (False, 7)


def test_T5_only_tapes_that_moved_are_looked_at_when_the_log_is_written(
    tape: Tape, log: Path, django_assert_max_num_queries: Any
) -> None:
    for number in range(20):
        store.create(f"still {number}")
    assert heads.write(log) == 20
    store.append(tape.id, [entries.event("more")])
    with django_assert_max_num_queries(3):
        assert heads.write(log) == 1
    with django_assert_max_num_queries(2):
        assert heads.write(log) == 0


def test_T5_what_was_appended_by_a_transaction_that_ended_late_is_logged_too(
    tape: Tape, log: Path
) -> None:
    other = store.create("other")
    heads.write(log)

    def late() -> None:
        with transaction.atomic():
            store.append(tape.id, [entries.event("late")])
            begun.set()
            goes_on.wait(10)
        connections.close_all()

    begun, goes_on = threading.Event(), threading.Event()
    thread = threading.Thread(target=late)
    thread.start()
    begun.wait(10)
    store.append(other.id, [entries.event("soon")])
    assert heads.write(log) == 1
    goes_on.set()
    thread.join()
    assert heads.write(log) == 1
    assert heads.of(log, tape.id).head == store.get(tape.id).head


@pytest.fixture
def rotated(tape: Tape, log: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A log of three files: two full ones and the one that grows."""
    monkeypatch.setattr(heads_log, "BYTES_A_FILE", 100)
    for _ in range(2):
        store.append(tape.id, [entries.event("more")])
        heads.write(log)
    return sorted(log.parent.glob("heads*.jsonl"))


def test_T5_a_full_log_is_put_aside_and_still_proves(
    tape: Tape, rotated: list[Path], log: Path, behind: Behind
) -> None:
    assert [path.name for path in rotated] == [
        *("heads.000001.jsonl", "heads.000002.jsonl", "heads.jsonl"),
    ]
    assert heads.write(log) == 0
    assert heads.read(log)[tape.id].head == heads.of(log, tape.id).head == 8
    behind("UPDATE tapes_entry SET why = 'other' WHERE seq = 3")
    behind(RECOMPUTE)
    assert verdict(tape, log) == (False, 3)


def test_T5_a_full_log_that_was_changed_or_left_out_is_named(
    rotated: list[Path], log: Path
) -> None:
    first = rotated[0].read_bytes()
    rotated[0].write_bytes(first.replace(b'"head": 6', b'"head": 5'))
    with pytest.raises(heads_log.BrokenLog, match="000002"):
        heads.read(log)
    rotated[0].unlink()
    with pytest.raises(heads_log.BrokenLog, match="missing"):
        heads.read(log)
    rotated[0].write_bytes(first)
    rotated[1].unlink()
    with pytest.raises(heads_log.BrokenLog, match=r"before heads\.jsonl"):
        heads.read(log)


def test_T5_how_far_the_log_reached_is_read_from_it_when_the_file_beside_it_is_no_good(
    tape: Tape, rotated: list[Path], log: Path
) -> None:
    for content in (b"nonsense", b""):
        log.with_suffix(".reached").write_bytes(content)
        assert heads.write(log) == 0
    store.append(tape.id, [entries.event("more")])
    assert heads.write(log) == 1


def test_T5_a_number_of_transactions_from_another_server_is_not_believed(
    tape: Tape, log: Path
) -> None:
    with closing(sqlite3.connect(log.with_suffix(".reached"))) as rows, rows:
        rows.execute("UPDATE place SET moved = '4000000000000'")
    store.append(tape.id, [entries.event("more")])
    assert heads.write(log) == 1
