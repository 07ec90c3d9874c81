"""Recalled topics over HTTP: which earlier topics were noted for one, dismissing one, bringing it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.usecases import recalled

if TYPE_CHECKING:
    from rest_framework.request import Request


class RecalledSerializer(serializers.Serializer[Any]):
    """An earlier topic that was noted when this one began."""

    topic = serializers.IntegerField()
    tape = serializers.IntegerField()
    first = serializers.IntegerField(help_text="Its first entry on that tape.")
    last = serializers.IntegerField()
    title = serializers.CharField(allow_null=True, help_text="Null when withheld.")
    summary = serializers.CharField(allow_null=True)
    owner = serializers.CharField(allow_null=True)
    finalized_at = serializers.DateTimeField(allow_null=True)
    score = serializers.FloatField(allow_null=True, help_text="Null for the one it continues.")
    continued = serializers.BooleanField(help_text="Whether this topic continues it.")
    dismissed = serializers.BooleanField()
    withheld = serializers.BooleanField()


class RecalledListSerializer(serializers.Serializer[Any]):
    """The recalled topics, the best first."""

    results = RecalledSerializer(many=True)


class RecalledApi(APIView):
    """The earlier topics recalled for a topic."""

    @shape.answers(200, RecalledListSerializer, name="recalled_list", refuses=(401, 404))
    def get(self, request: Request, topic_id: int) -> Response:
        """The recalled topics, the best first; what the reader may not see is named as withheld."""
        return _told(recalled.recalled(signin.person(request), topic_id))


class RecalledDismissApi(APIView):
    """Dismissing a recalled topic."""

    @shape.answers(200, RecalledListSerializer, name="recalled_dismiss", refuses=(401, 403, 404))
    def post(self, request: Request, topic_id: int, recalled_id: int) -> Response:
        """Leave it out of what the model is shown from now on."""
        return _told(recalled.dismiss(signin.person(request), topic_id, recalled_id))


class RecalledRestoreApi(APIView):
    """Taking a dismissal back."""

    @shape.answers(200, RecalledListSerializer, name="recalled_restore", refuses=(401, 403, 404))
    def post(self, request: Request, topic_id: int, recalled_id: int) -> Response:
        """Show it to the model again."""
        return _told(recalled.restore(signin.person(request), topic_id, recalled_id))


def _told(found: list[recalled.ShownRecalled]) -> Response:
    return Response(RecalledListSerializer({"results": found}).data)
