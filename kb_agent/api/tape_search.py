"""Search over all tapes a person may see, over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.tape_reading import TapeHitSerializer, TapeSearchQuerySerializer
from kb_agent.usecases import tape_search

if TYPE_CHECKING:
    from rest_framework.request import Request


class TapesHitSerializer(TapeHitSerializer):
    """An entry that was found, and its tape."""

    tape = serializers.IntegerField()
    tape_name = serializers.CharField()
    date = serializers.DateTimeField()


class TapesHitsSerializer(serializers.Serializer[Any]):
    """What was found, exact hits first, each tier the newest first."""

    results = TapesHitSerializer(many=True)
    tapes = serializers.IntegerField(help_text="Tapes that were searched.")
    left = serializers.IntegerField(help_text="Older tapes that there was no time for.")


class TapesSearchApi(APIView):
    """Searching all tapes."""

    @shape.answers(
        200,
        TapesHitsSerializer,
        name="tapes_search",
        query=[TapeSearchQuerySerializer],
        refuses=(400, 401),
    )
    def get(self, request: Request) -> Response:
        """Entries with these words, or nearly these, on every tape one may see."""
        query = TapeSearchQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        said = query.validated_data
        found = tape_search.find(
            signin.person(request), said["q"], kinds=said["kinds"], limit=said["limit"]
        )
        return Response(TapesHitsSerializer(found).data)
