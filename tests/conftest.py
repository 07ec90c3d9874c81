"""Fixtures every test may use: embedded servers, committed data, a real worker and web server."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
import redis
from django.conf import settings
from django.db import OperationalError, connections, transaction
from django.test.utils import setup_databases

from kb_agent.launcher import place, servers

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper
    from pytest_django import DjangoDbBlocker

pytest_plugins = ["tests.flows.harness"]

EMPTYING_SECONDS = 30
FEW_ROWS = 500
"""Up to so many rows are deleted; more are truncated, and their dead weight with them."""

# Rows that migrate itself writes, and that therefore outlive every test.
KEPT_TABLES = {"django_migrations", "django_content_type", "auth_permission"}


def pytest_configure(config: pytest.Config) -> None:
    """Hold the embedded servers for the whole run, before Django first connects."""
    config.stash[HELD] = servers.hold(place.here())


HELD = pytest.StashKey[int | None]()


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Make the test database as its owner; pytest-django would make none for a mirrored alias.

    It stays until the next run replaces it: workers killed by a test may still be connected.
    """
    with django_db_blocker.unblock():
        setup_databases(verbosity=0, interactive=False)
    # What a test writes wakes readers and workers, whichever tests run beside it.
    importlib.import_module("kb_agent.tasks")


@pytest.fixture
def committed_database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """For tests that need real commits: other processes and threads see what the test writes.

    Afterwards the owner's role empties every table; the application's role could not.
    """
    with django_db_blocker.unblock():
        try:
            yield
        finally:
            connections["default"].close()
            _empty_tables()
            # Ids begin anew, so nothing said live of an earlier row may be left.
            with redis.Redis.from_url(settings.REDIS_URL) as client:
                client.flushdb()


def _empty_tables() -> None:
    """Leave every table empty and every id at its start, once nobody writes any more."""
    gives_up = time.monotonic() + EMPTYING_SECONDS
    while True:
        try:
            with transaction.atomic(using="owner"), connections["owner"].cursor() as cursor:
                _empty(cursor)
            break
        except OperationalError:
            # A server that was restarted needs a new connection. One that is kept knows the tables.
            connections["owner"].close()
            if time.monotonic() > gives_up:
                raise
            time.sleep(0.1)


def _empty(cursor: CursorWrapper) -> None:
    cursor.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        " AND relkind IN ('r', 'p') AND NOT relispartition"
    )
    tables = sorted({name for (name,) in cursor.fetchall()} - KEPT_TABLES)
    quoted = [connections["owner"].ops.quote_name(table) for table in tables]
    # A worker may still be at a hook of a topic that has ended: it goes first, since a wait for its
    # locks would end in a deadlock that costs one of both its transaction.
    cursor.execute("SET LOCAL lock_timeout = '300ms'")
    cursor.execute(f"LOCK TABLE {', '.join(quoted)} IN ACCESS EXCLUSIVE MODE")
    looks = [
        f"SELECT {at}, count(*) FROM (SELECT FROM {name} LIMIT {FEW_ROWS + 1}) AS counted"
        for at, name in enumerate(quoted)
    ]
    cursor.execute(" UNION ALL ".join(looks))
    rows = {quoted[at]: count for at, count in cursor.fetchall() if count}
    if sum(rows.values()) > FEW_ROWS:
        cursor.execute(f"TRUNCATE {', '.join(quoted)} RESTART IDENTITY CASCADE")
        return
    # New files for 86 tables and 365 indexes take longer than most tests: a few rows are deleted.
    for name in rows:
        cursor.execute(f"DELETE FROM {name}")
    cursor.execute(
        "SELECT setval(seqrelid, seqstart, false) FROM pg_sequence JOIN pg_depend ON objid = seqrelid"
        " WHERE deptype IN ('a', 'i') AND refobjid = ANY(%s::regclass[])"
        " AND pg_sequence_last_value(seqrelid) IS NOT NULL",
        [quoted],
    )
