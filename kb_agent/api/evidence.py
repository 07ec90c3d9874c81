"""Evidence over HTTP: how cited places stand today, and their lines at the commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.people import NamedSerializer
from kb_agent.usecases import evidence

if TYPE_CHECKING:
    from rest_framework.request import Request

MOST_IDS = 100


class EvidenceStateSerializer(serializers.Serializer[Any]):
    """A place in code that something rests on, checked now."""

    id = serializers.IntegerField()
    repository = NamedSerializer()
    branch = serializers.CharField(allow_blank=True)
    commit = serializers.CharField()
    committed_at = serializers.DateTimeField(allow_null=True)
    indexed_at = serializers.DateTimeField(allow_null=True)
    path = serializers.CharField()
    start_line = serializers.IntegerField()
    end_line = serializers.IntegerField()
    valid = serializers.BooleanField(help_text="The lines' hash still matches the git object.")
    changed_since = serializers.BooleanField(
        help_text="The branch has moved and these lines with it."
    )
    missing = serializers.BooleanField(help_text="The commit or the file can no longer be read.")
    gone = serializers.BooleanField(help_text="The branch has no such file any more.")


class EvidenceLineSerializer(serializers.Serializer[Any]):
    """One line of a file, with secrets masked."""

    number = serializers.IntegerField()
    text = serializers.CharField(allow_blank=True, trim_whitespace=False)
    cited = serializers.BooleanField()


class EvidenceSerializer(EvidenceStateSerializer):
    """A place in code with its lines and those around it, at the cited commit."""

    lines = EvidenceLineSerializer(many=True)
    total_lines = serializers.IntegerField()
    language = serializers.CharField(allow_blank=True)


class EvidenceStatesSerializer(serializers.Serializer[Any]):
    """How several cited places stand; those one may not see are absent."""

    results = EvidenceStateSerializer(many=True)


class EvidenceIdsSerializer(serializers.Serializer[Any]):
    """Which evidence: ids separated by commas."""

    ids = serializers.RegexField(
        rf"^[0-9]{{1,18}}(,[0-9]{{1,18}}){{0,{MOST_IDS - 1}}}$", max_length=19 * MOST_IDS
    )


class EvidenceContextSerializer(serializers.Serializer[Any]):
    """How many lines to show around the cited ones."""

    # The framework takes declared fields out of the class, this one's namesake stays.
    context = serializers.IntegerField(  # type: ignore[assignment]
        required=False, default=20, min_value=0, max_value=2000
    )


class EvidenceStatesApi(APIView):
    """How cited places stand."""

    throttle_classes = (ScopedRateThrottle,)
    throttle_scope = "evidence"

    @shape.answers(
        200,
        EvidenceStatesSerializer,
        name="evidence_states",
        query=[EvidenceIdsSerializer],
        refuses=(400, 401, 429),
    )
    def get(self, request: Request) -> Response:
        """Whether these places are valid, and whether the code has changed since."""
        query = EvidenceIdsSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        ids = [int(each) for each in query.validated_data["ids"].split(",")]
        return Response(
            EvidenceStatesSerializer({"results": evidence.states(signin.person(request), ids)}).data
        )


class EvidenceApi(APIView):
    """One cited place."""

    @shape.answers(
        200,
        EvidenceSerializer,
        name="evidence_open",
        query=[EvidenceContextSerializer],
        refuses=(400, 401, 404),
    )
    def get(self, request: Request, evidence_id: int) -> Response:
        """The cited lines and those around them, at the commit the answer rests on."""
        query = EvidenceContextSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        return Response(
            EvidenceSerializer(
                evidence.open(signin.person(request), evidence_id, **query.validated_data)
            ).data
        )
