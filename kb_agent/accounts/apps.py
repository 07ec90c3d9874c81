"""The Django app of people."""

from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People, roles and audit lines; `label` is what AUTH_USER_MODEL names."""

    name = "kb_agent.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
    protected = ("REVOKE UPDATE, DELETE, TRUNCATE ON accounts_audit FROM {role}",)

    def ready(self) -> None:
        """Let erasures leave their audit lines, and calls that end settle with the budgets."""
        from kb_agent.accounts import audit, budgets  # noqa: F401, PLC0415 — need models, loaded by now
