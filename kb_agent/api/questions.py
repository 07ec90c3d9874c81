"""Questions over HTTP: asking one, and what asking would do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.topics import TopicSerializer
from kb_agent.api.turns import TurnSerializer
from kb_agent.usecases import questions
from kb_agent.usecases.placement import Place

if TYPE_CHECKING:
    from rest_framework.request import Request

BUDGET_SCOPES = ["person", "group", "company"]
BUDGET_STATES = ["warned", "reached"]
DOES = ["start", "follow_up", "continue", "join_or_wait"]
KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="The same key asks the same question once, however often it is sent.",
)


class QuestionSerializer(serializers.Serializer[Any]):
    """A question, where it goes and what it looks at."""

    text = shape.AnyTextField()
    topic = shape.identifier(required=False, allow_null=True, default=None)
    tape = shape.identifier(required=False, allow_null=True, default=None)
    keep_open = serializers.BooleanField(required=False, default=False)
    repositories = serializers.ListField(
        child=shape.identifier(), required=False, default=list, max_length=500
    )
    branch = serializers.CharField(required=False, allow_blank=True, default="", max_length=250)
    joins = shape.identifier(required=False, allow_null=True, default=None)
    experiment = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Discard question and answer when it ends; later questions know nothing of it.",
    )
    after_anchor = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=200,
        help_text="The anchor its window starts after: a name (its latest), or a seq.",
    )


class AskedSerializer(serializers.Serializer[Any]):
    """The turn a question became and the topic it stands in."""

    turn = TurnSerializer()
    topic = TopicSerializer()
    continued_from = serializers.IntegerField(
        allow_null=True, help_text="The finished topic this question was sent to."
    )


class PreviewQuerySerializer(serializers.Serializer[Any]):
    """Where a question would be sent."""

    topic = shape.identifier(required=False, allow_null=True, default=None)
    tape = shape.identifier(required=False, allow_null=True, default=None)
    keep_open = serializers.BooleanField(required=False, default=False)


class ClosesSerializer(serializers.Serializer[Any]):
    """The open topic that a new one would finish."""

    id = serializers.IntegerField()
    title = serializers.CharField()


class BudgetWarningSerializer(serializers.Serializer[Any]):
    """A budget nearly or wholly used that the question falls under: never an amount or a name."""

    scope = serializers.ChoiceField(choices=BUDGET_SCOPES)
    state = serializers.ChoiceField(choices=BUDGET_STATES)
    share = serializers.FloatField(
        allow_null=True, help_text="Used, as a share of the limit; null unless it is one's own."
    )


class PreviewSerializer(serializers.Serializer[Any]):
    """What asking would do."""

    does = serializers.ChoiceField(choices=DOES)
    closes = ClosesSerializer(allow_null=True)
    tape = serializers.IntegerField(allow_null=True, help_text="Null for a fresh tape.")
    running_turn = serializers.IntegerField(allow_null=True)
    budget = BudgetWarningSerializer(allow_null=True)


class QuestionApi(APIView):
    """Asking."""

    throttle_classes = (ScopedRateThrottle,)
    throttle_scope = "questions"

    @shape.answers(
        202,
        AskedSerializer,
        name="question_ask",
        takes=QuestionSerializer,
        query=[KEY],
        refuses=(400, 401, 403, 404, 409, 413, 429),
    )
    def post(self, request: Request) -> Response:
        """Ask a question: it is on the tape when this answers, and a worker takes it up."""
        body = QuestionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        said = body.validated_data
        asked = questions.ask(
            signin.person(request),
            said["text"],
            place=Place(
                said["topic"],
                said["tape"],
                keep_open=said["keep_open"],
                after_anchor=said["after_anchor"].strip(),
                experiment=said["experiment"],
            ),
            scope=questions.Scope(tuple(said["repositories"]), said["branch"]),
            joins=said["joins"],
            idempotency_key=request.headers.get("Idempotency-Key", ""),
        )
        return Response(AskedSerializer(asked).data, status=202)


class QuestionPreviewApi(APIView):
    """What asking would do."""

    @shape.answers(
        200,
        PreviewSerializer,
        name="question_preview",
        query=[PreviewQuerySerializer],
        refuses=(400, 401, 404),
    )
    def get(self, request: Request) -> Response:
        """What a question sent there would start, finish or join, by the rule that asking itself uses."""
        query = PreviewQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        said = query.validated_data
        place = Place(said["topic"], said["tape"], keep_open=said["keep_open"])
        return Response(PreviewSerializer(questions.preview(signin.person(request), place)).data)
