"""The headers that every answer carries, whoever writes it, files included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import StreamingHttpResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

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


def headers(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Put the security headers on every answer of Django; send files without holding the loop up."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        for name, value in HEADERS.items():
            response.headers[name] = value
        if request.path.startswith(("/api/", "/_allauth/")):
            # What one person may see must not come out of a cache for the next.
            response.headers.setdefault("Cache-Control", "no-store")
        if isinstance(request, ASGIRequest) and isinstance(response, StreamingHttpResponse):
            response.streaming_content = _in_threads(iter(response))
        return response

    return answer


async def _in_threads(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """A file piece by piece: its own iterator would be read whole, with a warning."""
    read = sync_to_async(lambda: next(pieces, None), thread_sensitive=False)
    while (piece := await read()) is not None:
        yield piece
