"""How an endpoint is documented: its answer, its parameters and the refusals it may give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])

BIGGEST_ID = 2**63 - 1


class ProblemSerializer(serializers.Serializer[Any]):
    """What went wrong: `code` for programs, `message` for people, `details` for both."""

    code = serializers.CharField()
    message = serializers.CharField()
    details = serializers.DictField(child=serializers.JSONField())


class ErrorSerializer(serializers.Serializer[Any]):
    """The one shape of every refusal and failure."""

    error = ProblemSerializer()


def identifier(**kwargs: Any) -> serializers.IntegerField:
    """A row's id: positive, and small enough for the database to compare."""
    return serializers.IntegerField(min_value=1, max_value=BIGGEST_ID, **kwargs)


class AnyTextField(serializers.CharField):
    """Text whose characters someone else judges, with a better sentence than the framework has."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, allow_blank=True, **kwargs)
        self.validators = []


def answers(
    status: int,
    body: Any,
    *,
    name: str,
    takes: Any = None,
    query: Sequence[type[serializers.Serializer[Any]] | OpenApiParameter] = (),
    refuses: Iterable[int] = (),
) -> Callable[[Endpoint], Endpoint]:
    """Document an endpoint that answers `status` with `body` and may refuse with the given statuses.

    `body` may also be a mapping from (status, media type), where it is not JSON. What takes input may
    always refuse it as invalid.
    """
    found = body if isinstance(body, dict) else {status: body}
    refusals = {*refuses, 400} if takes or query else set(refuses)
    return extend_schema(
        operation_id=name,
        request=takes,
        parameters=list(query),
        responses={**found, **dict.fromkeys(sorted(refusals), ErrorSerializer)},
    )
