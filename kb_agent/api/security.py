"""The headers that every answer carries, whoever writes it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

HEADERS = {
    # Styles are allowed inline: highlighted code carries its colours that way. Scripts never are.
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

Answer = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def headers(get_response: Answer) -> Answer:
    """Put the security headers on every answer of Django, its files included."""
    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> HttpResponseBase:
            response: HttpResponseBase = await get_response(request)
            return _secured(request, response)

        return answer_async

    def answer(request: HttpRequest) -> HttpResponseBase:
        return _secured(request, get_response(request))  # type: ignore[arg-type]

    return answer


def _secured(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    for name, value in HEADERS.items():
        response.headers[name] = value
    if request.path.startswith(("/api/", "/_allauth/")):
        # What one person may see must not come out of a cache for the next.
        response.headers.setdefault("Cache-Control", "no-store")
    return response
