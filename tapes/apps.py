"""The Django app of tapes."""

from __future__ import annotations

from django.apps import AppConfig

from tapes import privileges


class TapesConfig(AppConfig):
    """Tells the project which rights to take back from the application's role."""

    name = "tapes"
    protected = privileges.PROTECTED
