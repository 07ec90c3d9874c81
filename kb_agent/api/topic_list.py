"""The list of topics over HTTP: search, filters, totals, pins, finishing many; and what administrators see open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.people import PersonSerializer
from kb_agent.api.topics import STATUSES, TopicSerializer
from kb_agent.usecases import open_knowledge, open_topics, topic_list

if TYPE_CHECKING:
    from rest_framework.request import Request

WHOSE = ["mine", "shared", "company"]
OUTCOMES = ["finished", "waits", "refused", "not_yours"]


class TopicPageSerializer(serializers.Serializer[Any]):
    """A page of topics, newest activity first."""

    results = TopicSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page.")
    similar = serializers.BooleanField(
        help_text="Nothing holds the words themselves: these hold words near them."
    )


class TopicFilterSerializer(serializers.Serializer[Any]):
    """Which topics are meant."""

    q = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=200,
        help_text="Words of titles, summaries, questions and answers; all of them must be there.",
    )
    whose = serializers.ChoiceField(
        choices=WHOSE,
        required=False,
        allow_blank=True,
        default="",
        help_text="One's own, those shared with one, or those open to the company.",
    )
    status = serializers.ChoiceField(
        choices=STATUSES, required=False, allow_null=True, default=None
    )
    repository = shape.identifier(required=False, allow_null=True, default=None)
    since = serializers.DateTimeField(required=False, allow_null=True, default=None)
    until = serializers.DateTimeField(required=False, allow_null=True, default=None)
    cost_at_least = serializers.DecimalField(
        max_digits=18,
        decimal_places=6,
        min_value=0,
        required=False,
        allow_null=True,
        default=None,
        help_text="In one currency; amounts in several are never added up.",
    )
    unpriced = serializers.BooleanField(
        required=False, default=False, help_text="Only those with calls of unknown price."
    )
    pinned = serializers.BooleanField(required=False, allow_null=True, default=None)


class TopicQuerySerializer(TopicFilterSerializer):
    """Which topics to list, and from where."""

    cursor = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)


class AmountSerializer(serializers.Serializer[Any]):
    """Money in one currency."""

    amount = serializers.CharField()
    currency = serializers.CharField()


class TopicTotalsSerializer(serializers.Serializer[Any]):
    """How many topics a list has, and what they cost together."""

    count = serializers.IntegerField()
    more = serializers.BooleanField(help_text="There are more than were counted.")
    money = AmountSerializer(many=True)
    unknown_calls = serializers.IntegerField(help_text="Calls whose price is not known.")


class TopicNumbersSerializer(serializers.Serializer[Any]):
    """The topics something is done with."""

    topics = serializers.ListField(
        child=shape.identifier(), min_length=1, max_length=topic_list.MOST_FINISHED
    )


class FinishedSerializer(serializers.Serializer[Any]):
    """What became of a topic that was to be finished."""

    topic = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=OUTCOMES)
    reason = serializers.CharField(allow_blank=True)


class FinishedListSerializer(serializers.Serializer[Any]):
    """What became of each."""

    results = FinishedSerializer(many=True)


class OpenTopicSerializer(serializers.Serializer[Any]):
    """A topic by its figures, for administrators."""

    id = serializers.IntegerField()
    title = serializers.CharField(allow_null=True, help_text="Null where one may not read it.")
    status = serializers.ChoiceField(choices=STATUSES)
    owner = PersonSerializer()
    started_at = serializers.DateTimeField()
    last_activity_at = serializers.DateTimeField()
    turn_count = serializers.IntegerField()
    busy = serializers.BooleanField(help_text="A turn of it waits or runs.")
    finalize_requested = serializers.CharField(allow_blank=True)


class OpenTopicPageSerializer(serializers.Serializer[Any]):
    """A page of open topics, those longest without activity first."""

    results = OpenTopicSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page.")


class OpenedSerializer(serializers.Serializer[Any]):
    """A person, and how much of theirs everyone may build on who reads its code."""

    person = PersonSerializer()
    topic_count = serializers.IntegerField()
    fact_count = serializers.IntegerField()


class OpenedListSerializer(serializers.Serializer[Any]):
    """Those who have opened most."""

    results = OpenedSerializer(many=True)


class CursorSerializer(serializers.Serializer[Any]):
    """From where to list."""

    cursor = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)


class TopicListApi(APIView):
    """The topics one may see."""

    @shape.answers(
        200,
        TopicPageSerializer,
        name="topic_list",
        query=[TopicQuerySerializer],
        refuses=(400, 401),
    )
    def get(self, request: Request) -> Response:
        """A page of topics, newest activity first."""
        query = TopicQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        said = dict(query.validated_data)
        cursor = said.pop("cursor")
        wanted = topic_list.Wanted(**said)
        found = topic_list.page(signin.person(request), wanted, cursor=cursor)
        return Response(TopicPageSerializer(found).data)


class TopicTotalsApi(APIView):
    """What a list comes to."""

    @shape.answers(
        200,
        TopicTotalsSerializer,
        name="topic_totals",
        query=[TopicFilterSerializer],
        refuses=(400, 401),
    )
    def get(self, request: Request) -> Response:
        """How many topics fit, and what they cost together, a line a currency."""
        query = TopicFilterSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        wanted = topic_list.Wanted(**query.validated_data)
        return Response(
            TopicTotalsSerializer(topic_list.totals(signin.person(request), wanted)).data
        )


class TopicPinApi(APIView):
    """The pin of a topic, on one's own list."""

    @shape.answers(200, TopicSerializer, name="topic_pin", refuses=(401, 404, 409))
    def put(self, request: Request, topic_id: int) -> Response:
        """Keep a topic at the top of one's list."""
        return self._pin(request, topic_id, pinned=True)

    @shape.answers(200, TopicSerializer, name="topic_unpin", refuses=(401, 404))
    def delete(self, request: Request, topic_id: int) -> Response:
        """Take the pin down."""
        return self._pin(request, topic_id, pinned=False)

    def _pin(self, request: Request, topic_id: int, *, pinned: bool) -> Response:
        found = topic_list.pin(signin.person(request), topic_id, pinned=pinned)
        return Response(TopicSerializer(found).data)


class TopicsFinalizeApi(APIView):
    """Finishing many topics."""

    @shape.answers(
        200,
        FinishedListSerializer,
        name="topics_finalize",
        takes=TopicNumbersSerializer,
        refuses=(400, 401),
    )
    def post(self, request: Request) -> Response:
        """Finish one's own topics, each for itself; says what became of each."""
        said = TopicNumbersSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        done = topic_list.finish_many(signin.person(request), said.validated_data["topics"])
        return Response(FinishedListSerializer({"results": done}).data)


class OpenTopicListApi(APIView):
    """What people have open, for administrators."""

    @shape.answers(
        200,
        OpenTopicPageSerializer,
        name="open_topic_list",
        query=[CursorSerializer],
        refuses=(400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        """A page of open topics, those longest without activity first; by id where one may not read them."""
        query = CursorSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = open_topics.page(signin.person(request), **query.validated_data)
        return Response(OpenTopicPageSerializer(found).data)


class OpenTopicFinalizeApi(APIView):
    """Finishing what others left open."""

    @shape.answers(
        200, OpenTopicSerializer, name="open_topic_finalize", refuses=(401, 403, 404, 409)
    )
    def post(self, request: Request, topic_id: int) -> Response:
        """Finish anybody's topic, audited; while a turn waits or runs the wish is noted and kept."""
        found = open_topics.finalize(signin.person(request), topic_id)
        return Response(OpenTopicSerializer(found).data)


class OpenKnowledgeApi(APIView):
    """People and their open knowledge."""

    @shape.answers(200, OpenedListSerializer, name="open_knowledge", refuses=(401,))
    def get(self, request: Request) -> Response:
        """Those who have opened most topics and facts to the company, of what one may read."""
        found = open_knowledge.most(signin.person(request))
        return Response(OpenedListSerializer({"results": found}).data)
