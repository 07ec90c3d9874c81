"""Locks that last until the transaction ends, and say in which order to take them.

Order, so that no two writers wait for each other: a question's key, its tape, then rows of turns.
The application's role may not lock rows of Tape, so the database's advisory locks stand for them.

Runs of hooks (`runner`) and `turns.claim` lock their one row without the tape's lock; why that
makes no cycle stands there.
"""

from __future__ import annotations

from django.db import DEFAULT_DB_ALIAS, connections


def tape(tape_id: int, *, using: str = DEFAULT_DB_ALIAS) -> None:
    """Let no one else start, end or ask on this tape until this transaction ends."""
    _take(f"topics.tape:{tape_id}", using=using)


def key(asker_id: int, idempotency_key: str) -> None:
    """Let no second click with this key act until this transaction ends."""
    _take(f"topics.key:{asker_id}:{idempotency_key}")


def _take(name: str, *, using: str = DEFAULT_DB_ALIAS) -> None:
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
