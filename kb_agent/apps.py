"""The project's own Django app: its commands, and what each database role may do."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.db import connections
from django.db.models.signals import post_migrate

GRANTS = (
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
    "ALTER DEFAULT PRIVILEGES IN SCHEMA public"
    " GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role}",
    "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {role}",
)


class KbAgentConfig(AppConfig):
    """Applies privileges after every migrate; each app's `protected` statements come last."""

    name = "kb_agent"
    label = "kb_agent"

    def ready(self) -> None:
        """Connect once; the signal is sent after the last migration."""
        post_migrate.connect(apply_privileges, sender=self, dispatch_uid="privileges")


def apply_privileges(*, using: str, **_: Any) -> None:
    """Grant reading and writing to the application's role, then take back what apps protect.

    An app protects its tables by `protected = ("REVOKE … FROM {role}", …)` on its AppConfig.
    """
    if using != "owner":
        return
    connection = connections[using]
    role = connection.ops.quote_name(settings.APPLICATION_ROLE)
    protected = [
        statement
        for config in apps.get_app_configs()
        for statement in getattr(config, "protected", ())
    ]
    with connection.cursor() as cursor:
        for statement in (*GRANTS, *protected):
            cursor.execute(statement.format(role=role))
