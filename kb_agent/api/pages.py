"""The front end's one page, for every address that is not the API's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

NOT_BUILT = "The pages are not built yet. Run `make run`, or `npm run build` in frontend/.\n"


@require_safe
def index(request: HttpRequest) -> HttpResponseBase:
    """The page that finds out by itself what its address means; never kept without asking again."""
    if request.path.startswith("/assets/"):
        # A file of another build: a page in its place would be run as a script.
        return HttpResponse(status=404, content_type="text/plain")
    path = settings.FRONTEND_DIST / "index.html"
    try:
        page = path.read_bytes()
    except FileNotFoundError:
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    response = HttpResponse(page, content_type="text/html; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    return response
