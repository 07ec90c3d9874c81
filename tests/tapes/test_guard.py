"""T2: the database refuses the application to change, remove or insert what tapes hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import ProgrammingError, connection, transaction
from django.db.models import F

from tapes import entries, forks, models, store, views
from tapes.views import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapes.models import Tape
    from tests.tapes.conftest import Behind


@pytest.fixture(autouse=True)
def _entries(tape: Tape) -> None:
    store.append(tape.id, [entries.message("user", "a fact"), entries.anchor("phase/one")])
    forks.open(tape.id)


STATEMENTS = [
    f"{statement} {table}{rest}"
    for table in ("tapes_tape", "tapes_fork", "tapes_entry", "tapes_anchor", "tapes_entry_p000")
    for statement, rest in (
        ("DELETE FROM", ""),
        ("TRUNCATE", ""),
        ("TRUNCATE", " CASCADE"),
        ("INSERT INTO", " DEFAULT VALUES"),
        ("LOCK TABLE", " IN ACCESS EXCLUSIVE MODE"),
    )
] + [
    "UPDATE tapes_entry SET payload_text = '{}'",
    "UPDATE tapes_entry_p000 SET payload_text = '{}'",
    "UPDATE tapes_anchor SET moves_window = false",
    "UPDATE tapes_fork SET state = 'merged'",
    "UPDATE tapes_tape SET head = 1",
    "INSERT INTO tapes_entry SELECT * FROM tapes_entry",
    "INSERT INTO tapes_anchor SELECT tape_id, 9, name, state, true, NULL FROM tapes_anchor",
    "SELECT 1 FROM tapes_entry FOR UPDATE",
    "COPY tapes_entry FROM STDIN",
    "ALTER TABLE tapes_entry DISABLE TRIGGER ALL",
    "ALTER TABLE tapes_entry DETACH PARTITION tapes_entry_p000",
    "DROP TABLE tapes_entry",
    "DROP FUNCTION tapes_fork_open",
    "CREATE TABLE public.tapes_mine (id int)",
    "SET ROLE kb_agent_owner",
    "SELECT * FROM tapes_fork_locked(1)",
    "UPDATE tapes_spill SET text = ''",
    "DELETE FROM tapes_spill",
    "TRUNCATE tapes_spill",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_T2_raw_SQL_of_the_application_is_refused(statement: str, tape: Tape) -> None:
    with pytest.raises(ProgrammingError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert [entry.seq for entry in views.read(tape.id, View.seqs())] == [1, 2, 3]


def _save_entry() -> None:
    entry = models.Entry.objects.get(seq=2)
    entry.why = "changed"
    entry.save()


def _delete_entry() -> None:
    models.Entry.objects.get(seq=2).delete()


def _insert_entry() -> None:
    entry = models.Entry.objects.get(seq=2)
    entry.pk = (entry.tape_id, 4)
    entry.save(force_insert=True)


ORM: dict[str, Callable[[], Any]] = {
    "save an entry": _save_entry,
    "delete an entry": _delete_entry,
    "insert an entry": _insert_entry,
    "update entries": lambda: models.Entry.objects.update(why="changed"),
    "delete entries": lambda: models.Entry.objects.all().delete(),
    "update anchors": lambda: models.Anchor.objects.update(moves_window=False),
    "delete anchors": lambda: models.Anchor.objects.all().delete(),
    "create an anchor": lambda: models.Anchor.objects.create(
        tape_id=1, seq=9, name="x", moves_window=True
    ),
    "merge a fork": lambda: models.Fork.objects.update(state="merged"),
    "move a head": lambda: models.Tape.objects.update(head=F("head") + 1),
    "delete forks": lambda: models.Fork.objects.all().delete(),
}


@pytest.mark.parametrize("change", ORM.values(), ids=ORM.keys())
def test_T2_the_ORM_of_the_application_is_refused(change: Callable[[], Any], tape: Tape) -> None:
    with pytest.raises(ProgrammingError), transaction.atomic():
        change()
    assert [entry.seq for entry in views.read(tape.id, View.seqs())] == [1, 2, 3]
    assert store.get(tape.id).head == 3


def test_T2_no_other_role_may_call_the_functions_that_write(behind: Behind) -> None:
    (granted,) = behind(
        "SELECT array_agg(DISTINCT grantee::regrole::text) FROM pg_proc,"
        " aclexplode(proacl) WHERE proname LIKE 'tapes%%' AND grantee <> proowner"
    )
    assert granted == (["kb_agent_app"],)


def test_every_function_that_runs_as_the_owner_fixes_its_search_path(behind: Behind) -> None:
    rows = behind("SELECT proname, prosecdef, proconfig FROM pg_proc WHERE proname LIKE 'tapes%%'")
    as_their_caller = {"tapes_erase", "tapes_forget", "tapes_search_lock"}
    assert {name for name, definer, _ in rows if not definer} == as_their_caller
    assert all(config[0] == "search_path=pg_catalog, public, pg_temp" for _, _, config in rows)


def test_a_spilled_text_is_stored_once_and_under_no_other_digest() -> None:
    digest = store.spill("You answer questions. 你")
    assert store.spill("You answer questions. 你") == digest
    assert store.unspill(digest) == "You answer questions. 你"
    assert models.Spill.objects.count() == 1
    with pytest.raises(store.UnknownSpill):
        store.unspill("0" * 64)
    with pytest.raises(Exception, match="tapes_spill_digest"):
        models.Spill.objects.create(digest="0" * 64, text="a lie")
