"""Sign-in without sign-up: people are set up by an administrator, never by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.adapter import DefaultAccountAdapter

if TYPE_CHECKING:
    from django.http import HttpRequest


class ClosedAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """The adapter that refuses every registration."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """No one signs themselves up."""
        return False
