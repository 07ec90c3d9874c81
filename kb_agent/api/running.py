"""Health and readiness: whether this process lives, and whether what it needs answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape
from kb_agent.usecases import running

if TYPE_CHECKING:
    from rest_framework.request import Request


class HealthSerializer(serializers.Serializer[Any]):
    """This process lives."""

    status = serializers.CharField()
    version = serializers.CharField()


class ReadySerializer(serializers.Serializer[Any]):
    """What this process needs, and whether it answers."""

    ready = serializers.BooleanField()
    database = serializers.BooleanField()
    migrated = serializers.BooleanField()
    live = serializers.BooleanField(
        help_text="Redis answers; without it everything works, more slowly."
    )


class HealthApi(APIView):
    """Whether this process lives."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @shape.answers(200, HealthSerializer, name="health")
    def get(self, request: Request) -> Response:
        """This process answers."""
        return Response({"status": "ok", "version": running.version()})


class ReadyApi(APIView):
    """Whether this process can do its work."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @shape.answers(200, {200: ReadySerializer, 503: ReadySerializer}, name="ready")
    def get(self, request: Request) -> Response:
        """The database answers and is migrated; 503 when not."""
        found = running.readiness()
        return Response(ReadySerializer(found).data, status=200 if found.ready else 503)
