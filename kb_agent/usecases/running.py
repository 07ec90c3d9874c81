"""What an operator sees of the running whole: its version, and whether what it needs answers."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from kb_agent import live
from kb_agent.usecases.people import version

__all__ = ["Readiness", "readiness", "version"]


@dataclass(frozen=True)
class Readiness:
    """What answers; Redis may be down, the database may not."""

    database: bool
    migrated: bool
    live: bool

    @property
    def ready(self) -> bool:
        """Whether questions can be taken."""
        return self.database and self.migrated


def readiness() -> Readiness:
    """Ask everything this process needs."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        migrated = _is_migrated()
    except DatabaseError:
        return Readiness(database=False, migrated=False, live=live.answers())
    return Readiness(database=True, migrated=migrated, live=live.answers())


_known = {"migrated": False}


def _is_migrated() -> bool:
    """Whether the database has what this code needs; once it has, it is not looked up again."""
    if not _known["migrated"]:
        executor = MigrationExecutor(connection)
        _known["migrated"] = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return _known["migrated"]
