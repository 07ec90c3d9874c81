"""The segments of a topic over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.spent import SpentSerializer
from kb_agent.usecases import segments

if TYPE_CHECKING:
    from rest_framework.request import Request

SUMMED_UP_BY = ["model", "rule"]


class StatementSerializer(serializers.Serializer[Any]):
    """A sentence about a segment, and the entries it rests on."""

    kind = serializers.CharField(
        help_text="asked, answered, read, looked, marked, begins; said by a model."
    )
    text = serializers.CharField()
    seqs = serializers.ListField(child=serializers.IntegerField())


class SegmentSummarySerializer(serializers.Serializer[Any]):
    """What was kept of a closed segment."""

    by = serializers.ChoiceField(choices=SUMMED_UP_BY)
    statements = StatementSerializer(many=True)
    withheld = serializers.BooleanField()


class TopicSegmentSerializer(serializers.Serializer[Any]):
    """A stretch of a topic, both ends included; each after the first begins with an overload."""

    number = serializers.IntegerField()
    first_seq = serializers.IntegerField()
    last_seq = serializers.IntegerField()
    overload_seq = serializers.IntegerField(
        allow_null=True, help_text="The anchor that closed it; null for the last."
    )
    entries = serializers.IntegerField()
    tokens = serializers.IntegerField(
        allow_null=True, help_text="What it took in the model's window, estimated; null when open."
    )
    summary = SegmentSummarySerializer(allow_null=True)
    cost = SpentSerializer()


class TopicSegmentListSerializer(serializers.Serializer[Any]):
    """A topic's segments in order."""

    results = TopicSegmentSerializer(many=True)


class TopicSegmentsApi(APIView):
    """The segments of one topic."""

    @shape.answers(200, TopicSegmentListSerializer, name="topic_segments", refuses=(401, 404))
    def get(self, request: Request, topic_id: int) -> Response:
        """The stretches that a topic too long for its model was split into; one when it was not."""
        found = segments.of_topic(signin.person(request), topic_id)
        return Response(TopicSegmentListSerializer({"results": found}).data)
