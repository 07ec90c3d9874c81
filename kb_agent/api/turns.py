"""Turns over HTTP: how one stands, and stopping it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.people import PersonSerializer
from kb_agent.api.spent import SpentSerializer
from kb_agent.usecases import turns

if TYPE_CHECKING:
    from rest_framework.request import Request

STATUSES = ["waiting", "running", "done", "stopped", "failed"]


class UsageSerializer(serializers.Serializer[Any]):
    """Tokens of all model calls of a turn, in disjoint counts."""

    input = serializers.IntegerField()
    cached = serializers.IntegerField()
    output = serializers.IntegerField()
    reasoning = serializers.IntegerField()


class CostSerializer(serializers.Serializer[Any]):
    """Money as a decimal string; null where any call's price is unknown."""

    amount = serializers.CharField()
    currency = serializers.CharField()


class TurnSerializer(serializers.Serializer[Any]):
    """A question and everything that answers it."""

    id = serializers.IntegerField()
    topic = serializers.IntegerField()
    tape = serializers.IntegerField()
    question_seq = serializers.IntegerField()
    status = serializers.ChoiceField(choices=STATUSES)
    reason = serializers.CharField(
        help_text="Why it ended as it did, as a code; empty when it simply answered."
    )
    place = serializers.IntegerField(
        allow_null=True,
        help_text="Its place in the line of all that wait, from 1; null unless waiting.",
    )
    joins = serializers.IntegerField(
        allow_null=True, help_text="The running turn this message was added to."
    )
    taken_by = serializers.IntegerField(
        allow_null=True, help_text="The turn that took this message up."
    )
    asker = PersonSerializer()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    answer_seq = serializers.IntegerField(allow_null=True)
    usage = UsageSerializer(allow_null=True, help_text="Null until it has ended.")
    cost = SpentSerializer(allow_null=True, help_text="Null until it has ended.")
    attempts = serializers.IntegerField()
    experiment = serializers.BooleanField(
        help_text="It is discarded when it ends, with its question; `answer_seq` stays null."
    )


class TurnApi(APIView):
    """One turn."""

    @shape.answers(200, TurnSerializer, name="turn_show", refuses=(401, 404))
    def get(self, request: Request, turn_id: int) -> Response:
        """How this turn stands."""
        return Response(TurnSerializer(turns.show(signin.person(request), turn_id)).data)


class TurnKeepApi(APIView):
    """Keeping an experiment."""

    @shape.answers(200, TurnSerializer, name="turn_keep", refuses=(401, 403, 404, 409))
    def post(self, request: Request, turn_id: int) -> Response:
        """Let an experiment that has not ended be an ordinary turn; one that has stays discarded."""
        return Response(TurnSerializer(turns.keep(signin.person(request), turn_id)).data)


class TurnStopApi(APIView):
    """Stopping a turn."""

    @shape.answers(202, TurnSerializer, name="turn_stop", refuses=(401, 403, 404))
    def post(self, request: Request, turn_id: int) -> Response:
        """Ask this turn to stop: a waiting one at once, a running one within a second."""
        return Response(
            TurnSerializer(turns.stop(signin.person(request), turn_id)).data, status=202
        )
