"""Evaluation over HTTP: a company's questions with known places, their runs and the trend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.people import PersonSerializer
from kb_agent.usecases import evaluation

if TYPE_CHECKING:
    from rest_framework.request import Request

TRIGGERS = list(evaluation.TRIGGERS)
MOST_CHARACTERS = 900_000


class FiguresSerializer(serializers.Serializer[Any]):
    """How well known places were found: shares of the questions, from 0 to 1."""

    questions = serializers.IntegerField()
    repo_at_1 = serializers.FloatField()
    file_at_1 = serializers.FloatField()
    file_at_5 = serializers.FloatField()
    file_at_10 = serializers.FloatField()
    mrr = serializers.FloatField()
    span_at_10 = serializers.FloatField(allow_null=True, help_text="Null when no lines are known.")
    all_at_10 = serializers.FloatField()


class EvaluationRunSerializer(serializers.Serializer[Any]):
    """A finished run."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    trigger = serializers.ChoiceField(choices=TRIGGERS)
    seconds = serializers.FloatField()
    all = FiguresSerializer()
    zh = FiguresSerializer(allow_null=True)
    en = FiguresSerializer(allow_null=True)


class EvaluationSerializer(serializers.Serializer[Any]):
    """A set of questions, and its newest finished run."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    questions = serializers.IntegerField()
    running = serializers.BooleanField()
    last = EvaluationRunSerializer(allow_null=True)
    owner = PersonSerializer()
    may_edit = serializers.BooleanField()
    error = serializers.CharField(
        allow_blank=True, help_text="Why the newest run came to no end; or empty."
    )


class EvaluationListSerializer(serializers.Serializer[Any]):
    """The company's sets, by name."""

    results = EvaluationSerializer(many=True)


class EvaluationPlaceSerializer(serializers.Serializer[Any]):
    """A file that answers a question, or was found for it."""

    repository = serializers.CharField()
    path = serializers.CharField()


class EvaluationOutcomeSerializer(serializers.Serializer[Any]):
    """What the newest run found for a question."""

    repo_first = serializers.BooleanField(help_text="The first place is in a right repository.")
    file_rank = serializers.IntegerField(
        allow_null=True, help_text="The first right file's place among the files found."
    )
    found = serializers.BooleanField(help_text="The search itself held this for answered here.")
    first = EvaluationPlaceSerializer(
        allow_null=True, help_text="The first place; null where there is none that one may see."
    )


class EvaluationQuestionSerializer(serializers.Serializer[Any]):
    """A question with known places; without words and places where one of them may not be read."""

    id = serializers.CharField()
    question = serializers.CharField(allow_blank=True)
    language = serializers.CharField()
    places = EvaluationPlaceSerializer(many=True)
    withheld = serializers.BooleanField()
    outcome = EvaluationOutcomeSerializer(allow_null=True)


class EvaluationDetailSerializer(serializers.Serializer[Any]):
    """A set with its questions and its runs, newest first."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    running = serializers.BooleanField()
    last = EvaluationRunSerializer(allow_null=True)
    owner = PersonSerializer()
    may_edit = serializers.BooleanField()
    error = serializers.CharField(allow_blank=True)
    source = serializers.CharField(  # type: ignore[assignment]
        allow_blank=True, help_text="The questions as they were written, a line of JSON each."
    )
    questions = EvaluationQuestionSerializer(many=True)
    runs = EvaluationRunSerializer(many=True)


class EvaluationBodySerializer(serializers.Serializer[Any]):
    """A set as it is written: a line of JSON a question, `{"question", "gold": [{"repo", "path"}]}`."""

    name = serializers.CharField(max_length=100)
    questions = serializers.CharField(max_length=MOST_CHARACTERS, trim_whitespace=False)


class EvaluationListApi(APIView):
    """The company's sets of questions; for reviewers and administrators."""

    @shape.answers(200, EvaluationListSerializer, name="evaluation_list", refuses=(401, 403))
    def get(self, request: Request) -> Response:
        """The sets, each with its newest run."""
        found = evaluation.page(signin.person(request))
        return Response(EvaluationListSerializer({"results": found}).data)

    @shape.answers(
        201,
        EvaluationSerializer,
        name="evaluation_add",
        takes=EvaluationBodySerializer,
        refuses=(400, 401, 403, 409),
    )
    def post(self, request: Request) -> Response:
        """Keep a new set; a line that is no question is named by its number, and nothing is kept."""
        body = EvaluationBodySerializer(data=request.data)
        body.is_valid(raise_exception=True)
        made = evaluation.add(signin.person(request), **body.validated_data)
        return Response(EvaluationSerializer(made).data, status=201)


class EvaluationApi(APIView):
    """One set of questions."""

    @shape.answers(200, EvaluationDetailSerializer, name="evaluation_show", refuses=(401, 403, 404))
    def get(self, request: Request, evaluation_id: int) -> Response:
        """The set, its questions with their newest outcomes, and its runs."""
        found = evaluation.show(signin.person(request), evaluation_id)
        return Response(EvaluationDetailSerializer(found).data)

    @shape.answers(
        200,
        EvaluationSerializer,
        name="evaluation_change",
        takes=EvaluationBodySerializer,
        refuses=(400, 401, 403, 404, 409),
    )
    def put(self, request: Request, evaluation_id: int) -> Response:
        """Keep other questions under this set; questions that stay the same keep their outcomes."""
        body = EvaluationBodySerializer(data=request.data)
        body.is_valid(raise_exception=True)
        person = signin.person(request)
        changed = evaluation.change(person, evaluation_id, **body.validated_data)
        return Response(EvaluationSerializer(changed).data)

    @shape.answers(204, None, name="evaluation_remove", refuses=(401, 403, 404))
    def delete(self, request: Request, evaluation_id: int) -> Response:
        """Take the set and its runs away."""
        evaluation.remove(signin.person(request), evaluation_id)
        return Response(status=204)


class EvaluationRunApi(APIView):
    """Running a set."""

    @shape.answers(202, EvaluationSerializer, name="evaluation_run", refuses=(401, 403, 404))
    def post(self, request: Request, evaluation_id: int) -> Response:
        """Ask every question now; one that runs already goes on."""
        queued = evaluation.run(signin.person(request), evaluation_id)
        return Response(EvaluationSerializer(queued).data, status=202)
