"""The Django app of people."""

from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People, roles and audit lines; `label` is what AUTH_USER_MODEL names."""

    name = "kb_agent.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
    protected = ("REVOKE UPDATE, DELETE, TRUNCATE ON accounts_audit FROM {role}",)
