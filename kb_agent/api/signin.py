"""Who a request comes from: the browser's session, and nothing else."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import SessionAuthentication

from kb_agent.accounts.models import User

if TYPE_CHECKING:
    from rest_framework.request import Request


class BrowserSession(SessionAuthentication):
    """Django's session with its CSRF check; being signed out is 401, as it is for no other reason."""

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme, which turns the framework's 403 for strangers into 401."""
        return "Session"


class BrowserSessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the schema describes the session cookie."""

    target_class = "kb_agent.api.signin.BrowserSession"
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """The cookie, as OpenAPI words it."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}


def person(request: Request) -> User:
    """The person an endpoint answers; endpoints that answer strangers don't ask."""
    if not isinstance(request.user, User):
        raise exceptions.NotAuthenticated
    return request.user


def person_of(session_key: str) -> User | None:
    """The person who is signed in under this session; None once it ended or they were deactivated."""
    if not session_key:
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    found = get_user(request)
    return found if isinstance(found, User) and found.is_active else None
