"""Facts over HTTP: the queue and the accepted ones, one with its versions, and who contributed what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.people import LANGUAGES, NamedSerializer, PersonSerializer
from kb_agent.api.topics import TopicSerializer
from kb_agent.usecases import contributors, facts

if TYPE_CHECKING:
    from rest_framework.request import Request

STATES = list(facts.STATES)
STATUSES = ["proposed", "accepted", "rejected", "withdrawn"]
ORIGINS = ["model", "evidence_model", "correction", "person"]


class FactPlaceSerializer(serializers.Serializer[Any]):
    """Lines of a file at the exact commit that they were read at."""

    repository = NamedSerializer()
    branch = serializers.CharField()
    commit = serializers.CharField()
    path = serializers.CharField()
    start_line = serializers.IntegerField()
    end_line = serializers.IntegerField()
    holds = serializers.BooleanField(
        allow_null=True,
        help_text="Whether the lines are still in the code; null for an old version.",
    )


class FactTopicSerializer(serializers.Serializer[Any]):
    """A topic that a fact was drawn from, of those one may see."""

    id = serializers.IntegerField()
    title = serializers.CharField(allow_blank=True)
    first_seq = serializers.IntegerField()
    last_seq = serializers.IntegerField()


class FactSerializer(serializers.Serializer[Any]):
    """A business conclusion drawn from a topic, with its contributor and evidence."""

    id = serializers.IntegerField()
    version = serializers.IntegerField()
    status = serializers.ChoiceField(choices=STATUSES)
    stale = serializers.BooleanField(help_text="Cited lines are no longer in the code.")
    stale_since = serializers.DateTimeField(allow_null=True)
    language = serializers.ChoiceField(choices=LANGUAGES)
    text = serializers.CharField(allow_null=True, help_text="Null when withheld.")
    withheld = serializers.BooleanField()
    contributor = PersonSerializer()
    origin = serializers.ChoiceField(choices=ORIGINS)
    proposed_at = serializers.DateTimeField()
    changed_at = serializers.DateTimeField()
    decided_by = PersonSerializer(allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField(allow_blank=True, help_text="Why it was rejected or withdrawn.")
    evidence = FactPlaceSerializer(many=True)
    evidence_withheld = serializers.IntegerField(
        help_text="How many places lie in code one may not read."
    )
    topic = FactTopicSerializer(allow_null=True)
    topic_count = serializers.IntegerField()
    use_count = serializers.IntegerField(help_text="How many turns were told of it.")
    mine = serializers.BooleanField()
    reviewable = serializers.BooleanField()


class FactVersionSerializer(serializers.Serializer[Any]):
    """A version of a fact."""

    number = serializers.IntegerField()
    text = serializers.CharField(allow_null=True)
    author = PersonSerializer(allow_null=True)
    origin = serializers.ChoiceField(choices=ORIGINS)
    created_at = serializers.DateTimeField()
    evidence = FactPlaceSerializer(many=True)


class FactDetailSerializer(FactSerializer):
    """A fact with its versions, newest first, and the topics that came to it."""

    versions = FactVersionSerializer(many=True)
    topics = FactTopicSerializer(many=True)
    topics_withheld = serializers.IntegerField()


class FactCountsSerializer(serializers.Serializer[Any]):
    """How many facts each state has, whichever of them is asked for."""

    review = serializers.IntegerField()
    proposed = serializers.IntegerField()
    accepted = serializers.IntegerField()
    rejected = serializers.IntegerField()
    withdrawn = serializers.IntegerField()
    stale = serializers.IntegerField()


class FactPageSerializer(serializers.Serializer[Any]):
    """A page of facts, the newest change first."""

    results = FactSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page.")
    counts = FactCountsSerializer()


class FactQuerySerializer(serializers.Serializer[Any]):
    """Which facts to list."""

    state = serializers.ChoiceField(
        choices=STATES,
        required=False,
        allow_blank=True,
        default="",
        help_text="`review`: proposed or stale; `accepted`: and not stale.",
    )
    repository = shape.identifier(required=False, allow_null=True, default=None)
    person = shape.identifier(required=False, allow_null=True, default=None)
    topic = shape.identifier(required=False, allow_null=True, default=None)
    language = serializers.ChoiceField(
        choices=LANGUAGES, required=False, allow_blank=True, default=""
    )
    q = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)
    cursor = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)


class ContributorSerializer(serializers.Serializer[Any]):
    """A person, and what they know that everyone may build on."""

    person = PersonSerializer()
    facts = FactSerializer(many=True)
    fact_count = serializers.IntegerField()
    topics = TopicSerializer(many=True)
    topic_count = serializers.IntegerField()
    me = serializers.BooleanField()


class FactListApi(APIView):
    """The facts one may see."""

    @shape.answers(
        200,
        FactPageSerializer,
        name="fact_list",
        query=[FactQuerySerializer],
        refuses=(400, 401, 404),
    )
    def get(self, request: Request) -> Response:
        """A page of facts: accepted ones of code one may read, one's own, and what one may review."""
        query = FactQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        said = dict(query.validated_data)
        cursor = said.pop("cursor")
        found = facts.page(signin.person(request), facts.Wanted(**said), cursor=cursor)
        return Response(FactPageSerializer(found).data)


class FactApi(APIView):
    """One fact."""

    @shape.answers(200, FactDetailSerializer, name="fact_show", refuses=(401, 404))
    def get(self, request: Request, fact_id: int) -> Response:
        """A fact with its versions and the topics it was drawn from."""
        return Response(FactDetailSerializer(facts.show(signin.person(request), fact_id)).data)


class ContributorApi(APIView):
    """A person and what they contributed."""

    @shape.answers(200, ContributorSerializer, name="person_show", refuses=(401, 404))
    def get(self, request: Request, person_id: int) -> Response:
        """Their accepted facts and open topics, of those one may read."""
        found = contributors.show(signin.person(request), person_id)
        return Response(ContributorSerializer(found).data)
