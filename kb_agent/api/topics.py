"""Topics over HTTP: one of them, its entries, and finishing it; `topic_list` has the list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.people import PersonSerializer
from kb_agent.api.spent import SpentSerializer
from kb_agent.api.turns import TurnSerializer
from kb_agent.usecases import entries, topic_list, topics

if TYPE_CHECKING:
    from rest_framework.request import Request

STATUSES = ["open", "finalized", "aborted"]
KINDS = ["message", "system", "tool_call", "tool_result", "anchor", "event", "error"]


class TopicAnswerSerializer(serializers.Serializer[Any]):
    """The first sentence of a topic's newest answer."""

    text = serializers.CharField(allow_null=True, help_text="Null when withheld.")
    withheld = serializers.BooleanField()
    correction = serializers.CharField(
        allow_null=True, required=False, help_text="What somebody says is right instead."
    )


class RepositoryNameSerializer(serializers.Serializer[Any]):
    """A repository as a topic names it."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class TopicSerializer(serializers.Serializer[Any]):
    """The stretch of a tape from `topic_initial` to `topic_finalized`."""

    id = serializers.IntegerField()
    tape = serializers.IntegerField()
    title = serializers.CharField()
    status = serializers.ChoiceField(choices=STATUSES)
    reason = serializers.CharField(
        help_text="Why it ended: owner, superseded, idle, reset, administrator; or empty."
    )
    owner = PersonSerializer()
    started_at = serializers.DateTimeField()
    finalized_at = serializers.DateTimeField(allow_null=True)
    last_activity_at = serializers.DateTimeField()
    turn_count = serializers.IntegerField()
    citation_count = serializers.IntegerField()
    fact_count = serializers.IntegerField(
        help_text="Accepted facts drawn from it that the reader may see."
    )
    answer = TopicAnswerSerializer(allow_null=True)
    initial_seq = serializers.IntegerField()
    finalized_seq = serializers.IntegerField(allow_null=True)
    continues = serializers.IntegerField(
        allow_null=True, help_text="The topic this one goes on from, where the reader may see it."
    )
    cost = SpentSerializer(help_text="Of all its calls, those after its end too.")
    open = serializers.BooleanField(help_text="Open to the whole company.")
    shared = serializers.BooleanField(help_text="Open to anybody but its owner.")
    shared_with_me = serializers.BooleanField(
        help_text="Opened to the reader, who may go on from it in a topic of their own."
    )
    finalize_requested = serializers.CharField(
        help_text="Why it will end once its running turn has; or empty."
    )
    mine = serializers.BooleanField()
    busy = serializers.BooleanField(help_text="A turn of it waits or runs.")
    pinned = serializers.BooleanField(help_text="Kept at the top of one's list.")
    repositories = RepositoryNameSerializer(
        many=True, help_text="Those its words rest on that one may read."
    )


class TopicDetailSerializer(TopicSerializer):
    """A topic with its turns, oldest first."""

    turns = TurnSerializer(many=True)


class TopicTitleSerializer(serializers.Serializer[Any]):
    """What a topic is to be called; more than a line is cut."""

    title = shape.AnyTextField(max_length=1000)


class ShownCorrectionSerializer(serializers.Serializer[Any]):
    """What is right where an entry was wrong, and who says so."""

    seq = serializers.IntegerField()
    text = serializers.CharField(allow_null=True, help_text="Null when withheld.")
    actor = serializers.CharField()
    date = serializers.DateTimeField()
    withheld = serializers.BooleanField()


class EntrySerializer(serializers.Serializer[Any]):
    """One fact on a tape; withheld ones keep their place and say so."""

    tape = serializers.IntegerField()
    seq = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=KINDS)
    payload = serializers.DictField(child=serializers.JSONField(), allow_null=True)
    meta = serializers.DictField(child=serializers.JSONField())
    date = serializers.DateTimeField()
    topic = serializers.IntegerField(allow_null=True)
    turn = serializers.IntegerField(allow_null=True)
    step = serializers.IntegerField(allow_null=True)
    part = serializers.IntegerField(allow_null=True)
    fork = serializers.IntegerField(allow_null=True)
    actor = serializers.CharField(help_text="person:<id>, agent, hook:<path> or system.")
    why = serializers.CharField(allow_blank=True)
    withheld = serializers.BooleanField()
    corrections = ShownCorrectionSerializer(
        many=True, required=False, help_text="What corrects it; left to the pages by the stream."
    )


class EntryPageSerializer(serializers.Serializer[Any]):
    """Entries of a topic in seq order, and how far its tape has come."""

    results = EntrySerializer(many=True)
    head = serializers.IntegerField()


class EntryQuerySerializer(serializers.Serializer[Any]):
    """Which entries of a topic to read."""

    after = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=shape.BIGGEST_ID
    )
    limit = serializers.IntegerField(required=False, default=500, min_value=1, max_value=1000)


class TopicApi(APIView):
    """One topic."""

    @shape.answers(200, TopicDetailSerializer, name="topic_show", refuses=(401, 404))
    def get(self, request: Request, topic_id: int) -> Response:
        """A topic with its turns."""
        return Response(TopicDetailSerializer(topics.show(signin.person(request), topic_id)).data)

    @shape.answers(
        200,
        TopicSerializer,
        name="topic_rename",
        takes=TopicTitleSerializer,
        refuses=(400, 401, 403, 404),
    )
    def patch(self, request: Request, topic_id: int) -> Response:
        """Give one's own topic another title; the tape keeps the old one."""
        said = TopicTitleSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        found = topic_list.rename(signin.person(request), topic_id, **said.validated_data)
        return Response(TopicSerializer(found).data)


class TopicFinalizeApi(APIView):
    """Finishing a topic."""

    @shape.answers(200, TopicSerializer, name="topic_finalize", refuses=(401, 403, 404, 409))
    def post(self, request: Request, topic_id: int) -> Response:
        """Finish this topic; while a turn waits or runs the wish is noted and kept."""
        return Response(TopicSerializer(topics.finalize(signin.person(request), topic_id)).data)


class TopicEntriesApi(APIView):
    """The entries of a topic."""

    @shape.answers(
        200,
        EntryPageSerializer,
        name="topic_entries",
        query=[EntryQuerySerializer],
        refuses=(400, 401, 404),
    )
    def get(self, request: Request, topic_id: int) -> Response:
        """Entries that belong to this topic, in seq order, after a position."""
        query = EntryQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = entries.of_topic(signin.person(request), topic_id, **query.validated_data)
        return Response(EntryPageSerializer(found).data)
