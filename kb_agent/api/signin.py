"""Who a request comes from: the browser's session, and nothing else."""

from __future__ import annotations

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request


class BrowserSession(SessionAuthentication):
    """Django's session with its CSRF check; being signed out is 401, as it is for no other reason."""

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - the framework's signature
        """Name the scheme, which turns the framework's 403 for strangers into 401."""
        return "Session"


class BrowserSessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the schema describes the session cookie."""

    target_class = "kb_agent.api.signin.BrowserSession"
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:  # noqa: ARG002
        """The cookie, as OpenAPI words it."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
