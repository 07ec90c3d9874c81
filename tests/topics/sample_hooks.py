"""Hooks as third parties write them, good and bad; `did` counts what each run really did."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING, cast

from django.db import DatabaseError, connection, transaction
from django.utils.translation import gettext_lazy

from kb_agent.accounts.models import Audit
from tapes import entries
from topics import hooks

if TYPE_CHECKING:
    from topics.hooks import Context, Effect

GO_ON = Event()
"""Lets go on what else never returns."""
KEYED = "postgres://hooks:hunter2@db.internal/tickets"


def did(what: str) -> int:
    """How often a hook's row was written for good."""
    return Audit.objects.filter(action=what).count()


def _write(what: str) -> None:
    Audit.objects.create(action=what, object="hook")


@hooks.hook(does="Puts a ticket number into the title.")
def retitle(context: Context) -> Effect | None:
    """Change the proposal."""
    context.topic.title = f"[T-1] {context.topic.title}"
    return hooks.Effect(outcome="T-1")


@hooks.hook(does="Refuses topics about salaries.")
def refuse(context: Context) -> Effect | None:
    """Refuse the proposal, having changed and written something."""
    context.topic.title = "changed"
    _write("refuse")
    context.refuse("Salaries are no business of this agent.")


@hooks.hook(does="Fails.")
def fail(context: Context) -> Effect | None:
    """Raise, having changed and written something."""
    context.topic.title = "changed"
    _write("fail")
    raise ValueError("no such ticket")


@hooks.hook(does="Fails, and matters.", essential=True)
def fail_essentially(_: Context) -> Effect | None:
    """Raise as a driver does that quotes its address."""
    raise ConnectionError(f"could not reach {KEYED}")


@hooks.hook(does="Fails, and tells how it would have reached its database.")
def fail_with_a_key(_: Context) -> Effect | None:
    """Raise as a driver does that quotes its address."""
    raise ConnectionError(f"could not reach {KEYED}")


@hooks.hook(does="Refuses in words no tape can keep.")
def refuse_in_rubbish(context: Context) -> Effect | None:
    """Refuse with half a character, a NUL, and at length."""
    context.refuse("Not you \ud800 \0 " + "and not you " * 100)


@hooks.hook(does="Refuses in the reader's language.")
def refuse_lazily(context: Context) -> Effect | None:
    """Refuse with a text that is translated when it is read."""
    context.refuse(cast("str", gettext_lazy("Salaries are no business of this agent.")))


@hooks.hook(does="Breaks the transaction.")
def break_sql(_: Context) -> Effect | None:
    """Send SQL that the database refuses."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT nonsense FROM nowhere")
    return None


@hooks.hook(does="Reaches for a network.")
def call_out(_: Context) -> Effect | None:
    """Open a connection to someone."""
    socket.create_connection(("127.0.0.1", 9))
    return None


@hooks.hook(does="Lets the database wait.")
def wait_in_sql(_: Context) -> Effect | None:
    """Run a statement longer than any pre-hook may take."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(30)")
    return None


@hooks.hook(does="Is slow.")
def dawdle(context: Context) -> Effect | None:
    """Take longer than a pre-hook may, and less than costs the transaction."""
    context.topic.title = "changed"
    time.sleep(0.4)
    return None


@hooks.hook(does="Takes most of its time.")
def linger(_: Context) -> Effect | None:
    """Stay within the time of a pre-hook, once."""
    time.sleep(0.6)
    return None


@hooks.hook(does="Takes most of its time too.")
def linger_again(_: Context) -> Effect | None:
    """Stay within the time of a pre-hook, as another hook."""
    time.sleep(0.6)
    return None


@hooks.hook(does="Hangs.")
def hang(_: Context) -> Effect | None:
    """Do nothing for longer than the database keeps a transaction for it."""
    time.sleep(1.5)
    return None


@hooks.hook(does="Never returns, and writes if it does.")
def never_return(context: Context) -> Effect | None:
    """Wait until the test lets it go on, then try to write."""
    context.topic.title = "changed"
    GO_ON.wait()
    _write("after all")
    return None


@hooks.hook(does="Never returns from what it writes.")
def never_return_from_writing(_: Context) -> Effect | None:
    """Write, and wait until the test lets it go on."""

    def write() -> None:
        _write("after all")
        GO_ON.wait()

    return hooks.Effect(write=write, outcome="written")


@hooks.hook(does="Never returns, busy with the database.")
def never_return_from_sql(_: Context) -> Effect | None:
    """Send short statements for ever, whatever becomes of them, and at last one that writes."""
    while not GO_ON.is_set():
        with suppress(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.05)")
    with transaction.atomic():
        _write("after all")
    return None


@hooks.hook(does="Hangs, and matters.", essential=True)
def hang_essentially(_: Context) -> Effect | None:
    """Do nothing for longer than the database keeps a transaction for it."""
    time.sleep(1.5)
    return None


@hooks.hook(does="Notes something on the tape.")
def note(context: Context) -> Effect | None:
    """Leave an entry and a row."""
    said = entries.anchor("recall_anchor", {"about": context.topic.title})
    return hooks.Effect(
        outcome="noted", entries=(said,), write=lambda: _write(f"note {context.topic_id}")
    )


@hooks.hook(does="Notes something, after a while.")
def note_late(context: Context) -> Effect | None:
    """Be ready after the first turn's patience ended."""
    time.sleep(1.5)
    return note.body(context)


@hooks.hook(does="Asks what only a pre-hook may.")
def refuse_after(context: Context) -> Effect | None:
    """Refuse what has happened already."""
    context.refuse("Too late.")


@hooks.hook(does="Leaves what no tape can keep.")
def leave_rubbish(context: Context) -> Effect | None:
    """Return an entry that is none."""
    return hooks.Effect(entries=(entries.event(" "),), outcome=context.topic.title)


@hooks.hook(does="Fails with words no tape can keep.")
def fail_in_rubbish(_: Context) -> Effect | None:
    """Raise with half a character and a NUL."""
    raise ValueError("half \ud800 and NUL \0")


def undecorated(_: Context) -> None:
    """Is no hook."""
