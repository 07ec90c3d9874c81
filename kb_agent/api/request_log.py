"""The log's line for each request: who asked for which address, and not for what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django_structlog.middlewares import RequestMiddleware

if TYPE_CHECKING:
    from django.http import HttpRequest


class RequestLog(RequestMiddleware):
    """Leaves out what stands behind the question mark: people's search words."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """Method and path."""
        return f"{request.method} {request.path}"
