"""The one shape of everything that is refused or fails: code, message, details."""

from __future__ import annotations

import logging
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from kb_agent.usecases import refusals

log = logging.getLogger(__name__)

CODES = {
    400: ("invalid", "The request cannot be read."),
    401: ("not_signed_in", "Sign in first."),
    403: ("forbidden", "You may not do this."),
    404: ("not_found", "There is nothing here that you may see."),
    405: ("method_not_allowed", "This address does not answer that method."),
    406: ("not_acceptable", "This address answers in JSON."),
    413: ("too_large", "The request is larger than this server takes."),
    415: ("unsupported_media_type", "Send JSON."),
    429: ("too_many_requests", "That was too often; wait a moment."),
    500: ("failed", "Something failed here. It has been logged."),
}

REFUSALS: dict[type[refusals.Refusal], int] = {
    refusals.NotFound: 404,
    refusals.Forbidden: 403,
    refusals.Conflict: 409,
    refusals.Refusal: 400,
}


def body(code: str, message: str, details: dict[str, Any] | None = None) -> dict[str, Any]:
    """The shape itself."""
    return {"error": {"code": code, "message": message, "details": details or {}}}


def of_status(
    status: int, *, code: str = "", message: str = "", details: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The shape for an HTTP status, in that status's own words unless given better ones."""
    usual_code, usual_message = CODES.get(status, CODES[400])
    return body(code or usual_code, message or usual_message, details)


def handler(failure: Exception, context: dict[str, Any]) -> Response | None:
    """Answer what an endpoint raised; what nobody foresaw goes on to `failed`."""
    if isinstance(failure, refusals.Refusal):
        status = next(status for kind, status in REFUSALS.items() if isinstance(failure, kind))
        return Response(body(failure.code, str(failure), failure.details), status=status)
    if isinstance(failure, SuspiciousOperation):
        status = 413 if isinstance(failure, RequestDataTooBig) else 400
        return Response(of_status(status), status=status)
    response = exception_handler(failure, context)
    if response is None:
        return None
    response.data = _worded(failure, response.status_code)
    return response


def _worded(failure: Exception, status: int) -> dict[str, Any]:
    if isinstance(failure, Http404 | PermissionDenied):
        return of_status(status)
    if isinstance(failure, exceptions.ValidationError):
        return _invalid(failure)
    if isinstance(failure, exceptions.Throttled):
        seconds = int(getattr(failure, "wait", None) or 1)
        return of_status(status, details={"wait_seconds": seconds})
    if isinstance(failure, exceptions.ParseError):
        return of_status(status, code="unreadable", message=str(failure.detail))
    if isinstance(failure, exceptions.PermissionDenied) and "CSRF" in str(failure.detail):
        return of_status(status, code="csrf", message=str(failure.detail))
    return of_status(status)


def _invalid(failure: exceptions.ValidationError) -> dict[str, Any]:
    """Name the first field in the message, and all of them in the details."""
    fields = failure.get_full_details()
    if not isinstance(fields, dict) or "message" in fields:
        fields = {"request": fields}
    name, problem = next(iter(fields.items()))
    return of_status(400, message=f"{name}: {_first_message(problem)}", details={"fields": fields})


def _first_message(problem: Any) -> str:
    while not (isinstance(problem, dict) and isinstance(problem.get("message"), str)):
        problem = next(iter(problem.values() if isinstance(problem, dict) else problem))
    return str(problem["message"])


def _answer(status: int, **worded: Any) -> JsonResponse:
    return JsonResponse(of_status(status, **worded), status=status)


def bad_request(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Django's 400: a request that no endpoint saw."""
    return _answer(413 if isinstance(exception, RequestDataTooBig) else 400)


def forbidden(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Django's 403."""
    return _answer(403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> JsonResponse:
    """No such address."""
    return _answer(404)


def failed(request: HttpRequest) -> JsonResponse:
    """A failure nobody foresaw: it is in the log, under the number that is told here."""
    number = structlog.contextvars.get_contextvars().get("request_id", "")
    return _answer(500, details={"request": number} if number else None)


def csrf_failure(request: HttpRequest, reason: str = "") -> JsonResponse:
    """A write without the token that proves it comes from our own page."""
    return _answer(403, code="csrf", message=f"CSRF Failed: {reason}")
