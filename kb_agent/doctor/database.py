"""PostgreSQL: version, locale, extensions, migrations, and that the two roles are really two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor

from kb_agent.doctor.finding import Finding, Level, failed, ok, warning
from tapes import partitions

OLDEST_POSTGRES = 160_000
# Below these, indexes could be corrupted (pgvector) or are missing functions we call (pg_trgm).
OLDEST_EXTENSIONS = {"vector": (0, 8, 4), "pg_trgm": (1, 6)}
GUARDED = ("tapes_tape", "tapes_entry", "tapes_anchor", "tapes_fork")
# With partitions: a right on one would be a way around the table in front of it.
RIGHTS = """
WITH guarded AS (SELECT to_regclass(name) AS id FROM unnest(%s::text[]) AS name)
SELECT id::text, w FROM unnest(%s::text[]) AS w, (
    SELECT id FROM guarded WHERE id IS NOT NULL
    UNION SELECT inhrelid::regclass FROM pg_inherits JOIN guarded ON inhparent = id
) AS tables WHERE has_table_privilege(current_user, id, w)
"""
WRITES = ("INSERT", "UPDATE", "DELETE", "TRUNCATE")


def connections_answer() -> list[Finding]:
    """Both roles can sign in."""
    return [_connects("default", "DATABASE_URL"), _connects("owner", "DATABASE_OWNER_URL")]


def look() -> Iterator[Finding]:
    """Everything that needs an answering database."""
    yield _version()
    yield _locale()
    yield from _extensions()
    migrated = _migrations()
    yield migrated
    if migrated.level is Level.OK:
        yield partitions_suffice()
    yield from _roles()


def _connects(alias: str, variable: str) -> Finding:
    name = f"database ({alias})"
    try:
        ((user, database),) = _rows(alias, "SELECT current_user, current_database()")
    except DatabaseError as error:
        return failed(
            name, str(error).strip(), f"Check {variable}; without it `manage.py` starts a server."
        )
    return ok(name, f"{user} in {database}")


def _version() -> Finding:
    number = connections["default"].cursor().connection.info.server_version
    said = f"{number // 10_000}.{number % 10_000}"
    if number < OLDEST_POSTGRES:
        return failed("postgresql", said, "Use PostgreSQL 16 or newer.")
    return ok("postgresql", said)


def _locale() -> Finding:
    ((encoding, collation, provider),) = _rows(
        "default",
        "SELECT pg_encoding_to_char(encoding), coalesce(datlocale, datcollate), datlocprovider::text"
        " FROM pg_database WHERE datname = current_database()",
    )
    said = f"{encoding}, {collation}, provider {provider}"
    if encoding != "UTF8":
        return failed("locale", said, "Create the database with encoding UTF8.")
    if collation in {"C", "POSIX"}:
        return failed(
            "locale", said, "Create it with locale C.UTF-8: trigrams find no Chinese in locale C."
        )
    return ok("locale", said)


def _extensions() -> Iterator[Finding]:
    installed = dict(_rows("default", "SELECT extname, extversion FROM pg_extension"))
    for name, oldest in OLDEST_EXTENSIONS.items():
        version = installed.get(name)
        wanted = ".".join(map(str, oldest))
        if version is None:
            advice = f"As a superuser: CREATE EXTENSION {name};"
            yield failed(f"extension {name}", "missing", advice)
        elif tuple(int(part) for part in version.split(".")) < oldest:
            yield failed(f"extension {name}", version, f"Update it to {wanted} or newer.")
        else:
            yield ok(f"extension {name}", version)


def _migrations() -> Finding:
    executor = MigrationExecutor(connections["default"])
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        return failed("migrations", f"{len(plan)} are missing", "Run `manage.py migrate`.")
    return ok("migrations", "all applied")


def partitions_suffice() -> Finding:
    """New tapes find a partition of their own, so that old ones can leave as whole partitions."""
    name, advice = "partitions", "Run `manage.py tape partitions` as the owner's role."
    try:
        now = partitions.state()
    except DatabaseError as error:
        return warning(name, str(error).strip(), "Give the owner's role as DATABASE_OWNER_URL.")
    if now.overflowed:
        return warning(name, "new tapes have no partition of their own", advice)
    if now.free < partitions.AHEAD:
        return warning(name, f"{now.free} are free for new tapes", advice)
    return ok(name, f"{len(now.partitions)}, {now.free} of them free for new tapes")


def _roles() -> Iterator[Finding]:
    """T2: the application's role can neither write guarded tables nor become someone who can."""
    ((app_login, app_role, super_user),) = _rows(
        "default",
        "SELECT session_user, current_user, rolsuper FROM pg_roles WHERE rolname = session_user",
    )
    ((owner,),) = _rows("owner", "SELECT session_user")
    if super_user:
        yield failed("roles", f"{app_login} is a superuser", "Use a plain role for DATABASE_URL.")
    elif app_login == owner:
        yield warning(
            "roles",
            f"{app_login} owns the tables, and acts as {app_role} by its own choice only",
            "Give the application a login of its own, and the owner's as DATABASE_OWNER_URL.",
        )
    else:
        yield ok("roles", f"{app_role} reads and appends, {owner} owns")
    yield _rights()


def _rights() -> Finding:
    open_doors = [
        f"{write} on {table}"
        for table, write in _rows(
            "default",
            RIGHTS,
            [list(GUARDED), list(WRITES)],
        )
    ]
    if open_doors:
        return failed(
            "tape rights",
            f"the application may {', '.join(open_doors)}",
            "Run `manage.py migrate`.",
        )
    return ok("tape rights", "the application cannot change what is on a tape")


def _rows(alias: str, statement: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
    with connections[alias].cursor() as cursor:
        cursor.execute(statement, parameters)
        return list(cursor.fetchall())
