"""The log's line for each request: who asked for which address, and not for what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django_structlog.middlewares import RequestMiddleware

if TYPE_CHECKING:
    from django.http import HttpRequest


LINK = "/s/"
"""Where a link to a topic leads; what follows opens it."""


class RequestLog(RequestMiddleware):
    """Leaves out what stands behind the question mark: people's search words; and a link's token."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """Method and path."""
        path = f"{LINK}…" if request.path.startswith(LINK) else request.path
        return f"{request.method} {path}"
