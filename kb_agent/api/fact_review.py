"""What people do with facts over HTTP: propose, accept, edit, reject, take back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.facts import FactDetailSerializer, FactSerializer
from kb_agent.usecases import fact_review, facts
from topics.facts import LONGEST, MOST_PLACES

if TYPE_CHECKING:
    from rest_framework.request import Request

    from topics.models.facts import Fact


class FactProposalSerializer(serializers.Serializer[Any]):
    """What an answer says, as a fact."""

    turn = shape.identifier(help_text="The turn whose answer says it.")
    text = serializers.CharField(max_length=LONGEST)
    evidence = serializers.ListField(
        child=shape.identifier(),
        min_length=1,
        max_length=MOST_PLACES,
        help_text="Ids of the answer's evidence.",
    )


class FactVersionedSerializer(serializers.Serializer[Any]):
    """Which version was looked at: a newer one refuses the act."""

    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class FactReasonSerializer(FactVersionedSerializer):
    """Why."""

    reason = serializers.CharField(max_length=LONGEST)


class FactWithdrawalSerializer(FactVersionedSerializer):
    """Why, if one wants to say."""

    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=LONGEST)


class FactEditPlaceSerializer(serializers.Serializer[Any]):
    """Lines where the index stands now."""

    repository = shape.identifier()
    branch = serializers.CharField(required=False, allow_blank=True, default="", max_length=250)
    path = serializers.CharField(max_length=1000)
    start_line = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    end_line = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class FactEditSerializer(FactVersionedSerializer):
    """A new version."""

    text = serializers.CharField(max_length=LONGEST)
    evidence = FactEditPlaceSerializer(
        many=True,
        required=False,
        allow_null=True,
        default=None,
        help_text="Left out: what it rests on stays.",
    )


class TopicFactsApi(APIView):
    """The facts of a topic."""

    @shape.answers(
        201,
        FactSerializer,
        name="fact_propose",
        takes=FactProposalSerializer,
        refuses=(400, 401, 403, 404),
    )
    def post(self, request: Request, topic_id: int) -> Response:
        """Propose what an answer of one's own topic says as a fact."""
        body = FactProposalSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        said = body.validated_data
        made = fact_review.propose(
            signin.person(request),
            topic_id,
            turn=said["turn"],
            text=said["text"],
            evidence_ids=said["evidence"],
        )
        return Response(FactSerializer(made).data, status=201)


class FactAcceptApi(APIView):
    """Accepting a fact."""

    @shape.answers(
        200,
        FactDetailSerializer,
        name="fact_accept",
        takes=FactVersionedSerializer,
        refuses=(400, 401, 403, 404, 409),
    )
    def post(self, request: Request, fact_id: int) -> Response:
        """Let it take part in answering; for reviewers who may read all its sources."""
        body = FactVersionedSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        done = fact_review.accept(signin.person(request), fact_id, **body.validated_data)
        return _shown(request, done)


class FactEditApi(APIView):
    """Editing a fact."""

    @shape.answers(
        200,
        FactDetailSerializer,
        name="fact_edit",
        takes=FactEditSerializer,
        refuses=(400, 401, 403, 404, 409),
    )
    def post(self, request: Request, fact_id: int) -> Response:
        """Write a new version: other words, other lines."""
        body = FactEditSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        said = body.validated_data
        named = said["evidence"]
        done = fact_review.edit(
            signin.person(request),
            fact_id,
            version=said["version"],
            text=said["text"],
            places=None if named is None else [fact_review.Place(**each) for each in named],
        )
        return _shown(request, done)


class FactRejectApi(APIView):
    """Rejecting a fact."""

    @shape.answers(
        200,
        FactDetailSerializer,
        name="fact_reject",
        takes=FactReasonSerializer,
        refuses=(400, 401, 403, 404, 409),
    )
    def post(self, request: Request, fact_id: int) -> Response:
        """Let it be none, with the reason for its contributor."""
        body = FactReasonSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        done = fact_review.reject(signin.person(request), fact_id, **body.validated_data)
        return _shown(request, done)


class FactWithdrawApi(APIView):
    """Taking one's own fact back."""

    @shape.answers(
        200,
        FactDetailSerializer,
        name="fact_withdraw",
        takes=FactWithdrawalSerializer,
        refuses=(400, 401, 403, 404, 409),
    )
    def post(self, request: Request, fact_id: int) -> Response:
        """Take it back; it takes part in no answer from now on."""
        body = FactWithdrawalSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        done = fact_review.withdraw(signin.person(request), fact_id, **body.validated_data)
        return _shown(request, done)


def _shown(request: Request, done: Fact) -> Response:
    return Response(FactDetailSerializer(facts.show(signin.person(request), done.pk)).data)
