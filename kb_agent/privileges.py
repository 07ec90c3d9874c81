"""What each of the two database roles may do: the owner everything, the application its work."""

from __future__ import annotations

from django.apps import apps
from django.conf import settings
from django.db import connections, transaction
from django.db.migrations.executor import MigrationExecutor

# Partitions get no grant of their own: they are reached through their table, whose grants count.
# No default privileges either, so that a partition made at run time opens no way around it.
TABLES = """
SELECT string_agg(format('%%I', relname), ', ') FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition
"""
GRANTS = (
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON {tables} TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
)


def ensure_application_role() -> None:
    """Create the role on a server that does not know it, and let the owner act as it."""
    connection = connections["owner"]
    role = connection.ops.quote_name(settings.APPLICATION_ROLE)
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [settings.APPLICATION_ROLE])
        if cursor.rowcount == 0:
            cursor.execute(f"CREATE ROLE {role} NOLOGIN")
            cursor.execute(f"GRANT {role} TO CURRENT_USER")


def apply() -> None:
    """Grant reading and writing to the application's role, then take back what apps protect.

    An app protects its tables by `protected = ("REVOKE … FROM {role}", …)` on its AppConfig. While
    migrations are missing nothing is granted: a table whose protection is not there yet stays shut.
    """
    connection = connections["owner"]
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    role = connection.ops.quote_name(settings.APPLICATION_ROLE)
    protected = [
        statement
        for config in apps.get_app_configs()
        for statement in getattr(config, "protected", ())
    ]
    with transaction.atomic(using="owner"), connection.cursor() as cursor:
        cursor.execute(TABLES, [])
        (tables,) = cursor.fetchone()
        for statement in (*GRANTS, *protected):
            cursor.execute(statement.format(role=role, tables=tables))
