"""What the model saw, over HTTP: the messages of every call of a turn, with their proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.tapes import ForkSerializer, SegmentSerializer
from kb_agent.api.turns import CostSerializer, UsageSerializer
from kb_agent.usecases import seen

if TYPE_CHECKING:
    from rest_framework.request import Request


class SeenToolCallSerializer(serializers.Serializer[Any]):
    """A tool call beside an assistant's message."""

    id = serializers.CharField()
    name = serializers.CharField()
    arguments = serializers.CharField()


class CappedSerializer(serializers.Serializer[Any]):
    """Where a tool's output was cut: the whole of it is kept in pages."""

    id = serializers.CharField()
    chars = serializers.IntegerField()
    pages = serializers.IntegerField()
    shown = serializers.IntegerField()


class SeenMessageSerializer(serializers.Serializer[Any]):
    """A message as it was sent."""

    role = serializers.CharField()
    content = serializers.CharField(allow_null=True, help_text="Null when withheld from you.")
    calls = SeenToolCallSerializer(many=True)
    seq = serializers.IntegerField(
        allow_null=True, help_text="The entry it came from; null for the system prompt."
    )
    tokens = serializers.IntegerField(help_text="Estimated.")
    capped = CappedSerializer(allow_null=True)
    withheld = serializers.BooleanField()


class NotShownSerializer(serializers.Serializer[Any]):
    """What of the tape was not shown to the model."""

    withheld = serializers.ListField(
        child=serializers.IntegerField(), help_text="Entries withheld from the asker."
    )
    before = SegmentSerializer(allow_null=True, help_text="Entries before the window.")
    forks = ForkSerializer(many=True, help_text="Hidden forks within the window.")


class SeenCallSerializer(serializers.Serializer[Any]):
    """One model call as it was made."""

    seq = serializers.IntegerField(help_text="The event that recorded it before it began.")
    step = serializers.IntegerField(allow_null=True)
    model = serializers.CharField()
    endpoint = serializers.CharField()
    purpose = serializers.CharField()
    status = serializers.CharField(help_text="ok, failed, cut, stopped or unknown.")
    renderer = serializers.IntegerField(
        allow_null=True, help_text="Null for a call beside the turn: it was made of no window."
    )
    proven = serializers.BooleanField(
        help_text="The rebuilt messages have the hash noted before the call."
    )
    problem = serializers.CharField(
        allow_blank=True, help_text="Why they cannot be rebuilt, as a code; or empty."
    )
    tools = serializers.ListField(child=serializers.CharField())
    messages = SeenMessageSerializer(many=True)
    tokens = serializers.IntegerField(help_text="Estimated, all messages together.")
    hidden = NotShownSerializer()
    usage = UsageSerializer(allow_null=True)
    cost = CostSerializer(allow_null=True)
    seconds = serializers.FloatField(allow_null=True)


class SeenSerializer(serializers.Serializer[Any]):
    """The calls of a turn, in order."""

    calls = SeenCallSerializer(many=True)


class TurnSawApi(APIView):
    """What the model saw in a turn."""

    @shape.answers(200, SeenSerializer, name="turn_saw", refuses=(401, 404))
    def get(self, request: Request, turn_id: int) -> Response:
        """The messages of every call, rebuilt from the tape and proven by their hash."""
        calls = seen.show(signin.person(request), turn_id)
        return Response(SeenSerializer({"calls": calls}).data)
