"""The stream as the schema describes it; `kb_agent.api.streaming` is what answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import errors, shape
from kb_agent.api.topics import EntrySerializer
from kb_agent.api.turns import TurnSerializer

if TYPE_CHECKING:
    from rest_framework.request import Request

CLOSED = ["signed_out", "forbidden"]


class LiveTextSerializer(serializers.Serializer[Any]):
    """Text as the model writes it. Offset 0 starts the step's text over; offsets count code points."""

    turn = serializers.IntegerField()
    step = serializers.IntegerField()
    offset = serializers.IntegerField()
    text = serializers.CharField(trim_whitespace=False, allow_blank=True)


class StreamReadySerializer(serializers.Serializer[Any]):
    """Everything recorded so far has been sent."""

    tapes = serializers.DictField(
        child=serializers.IntegerField(), help_text="Position by tape id."
    )


class StreamClosedSerializer(serializers.Serializer[Any]):
    """The server ends this stream."""

    code = serializers.ChoiceField(choices=CLOSED)


class StreamQuerySerializer(serializers.Serializer[Any]):
    """Where a reader stands: `tape:seq`, separated by commas."""

    tapes = serializers.RegexField(
        r"^[0-9]{1,18}:[0-9]{1,18}(,[0-9]{1,18}:[0-9]{1,18}){0,49}$", max_length=2000
    )


class StreamApi(APIView):
    """Where a server without ASGI ends up: it cannot hold streams open."""

    @shape.answers(
        200,
        {
            (200, "text/event-stream"): PolymorphicProxySerializer(
                "StreamEvent",
                {
                    "entry": EntrySerializer,
                    "turn": TurnSerializer,
                    "text": LiveTextSerializer,
                    "ready": StreamReadySerializer,
                    "closed": StreamClosedSerializer,
                },
                resource_type_field_name=None,
            )
        },
        name="stream",
        query=[StreamQuerySerializer],
        refuses=(400, 401, 404, 429, 503),
    )
    def get(self, request: Request) -> Response:
        """Entries, turns and live text of several tapes as server-sent events named entry, turn, text, ready, closed."""
        return Response(errors.body("needs_asgi", "Streams need the ASGI server."), status=503)
