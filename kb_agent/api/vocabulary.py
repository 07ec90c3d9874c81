"""The vocabulary over HTTP: what words map to, why, and correcting it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.people import NamedSerializer
from kb_agent.repositories.vocabulary.corrections import Pair
from kb_agent.usecases import vocabulary

if TYPE_CHECKING:
    from rest_framework.request import Request

SOURCES = list(vocabulary.SOURCES)
STATES = list(vocabulary.STATES)
CORRECTED = STATES[1:]
EXPLAINED = SOURCES[:5]


class WordSerializer(serializers.Serializer[Any]):
    """A business word and the code's word it stands for."""

    word = serializers.CharField()
    code = serializers.CharField()
    repository = NamedSerializer(allow_null=True, help_text="Null: for all repositories.")
    weight = serializers.FloatField(help_text="About how often the two went together.")
    source = serializers.ChoiceField(choices=SOURCES)  # type: ignore[assignment]
    state = serializers.ChoiceField(choices=STATES)
    correction = serializers.IntegerField(
        allow_null=True, help_text="The correction's id, unless the pair was mined."
    )
    note = serializers.CharField(allow_blank=True)
    author = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)


class WordCountsSerializer(serializers.Serializer[Any]):
    """How many rows each source has, for the repository and words asked for."""

    catalogue = serializers.IntegerField()
    label = serializers.IntegerField()  # type: ignore[assignment]
    enum = serializers.IntegerField()
    comment = serializers.IntegerField()
    fact = serializers.IntegerField()
    people = serializers.IntegerField()


class WordPageSerializer(serializers.Serializer[Any]):
    """A page of the vocabulary: corrections, newest first, then mined pairs, strongest first."""

    results = WordSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page.")
    counts = WordCountsSerializer()


class WordQuerySerializer(serializers.Serializer[Any]):
    """Which words to list."""

    repository = shape.identifier(required=False, allow_null=True, default=None)
    q = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)
    source = serializers.ChoiceField(  # type: ignore[assignment]
        choices=SOURCES, required=False, allow_blank=True, default=""
    )
    cursor = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)


class WordExampleSerializer(serializers.Serializer[Any]):
    """A place that ties the two words: the repository's own texts, or the lines an accepted fact cites."""

    kind = serializers.ChoiceField(choices=EXPLAINED)
    path = serializers.CharField()
    line = serializers.IntegerField()
    text = serializers.CharField()
    translation = serializers.CharField()
    repository = NamedSerializer()
    commit = serializers.CharField()


class WordExamplesSerializer(serializers.Serializer[Any]):
    """At most twenty places."""

    examples = WordExampleSerializer(many=True)


class WordWhySerializer(serializers.Serializer[Any]):
    """Which pair to explain."""

    word = serializers.CharField(max_length=80)
    code = serializers.CharField(max_length=80)
    repository = shape.identifier(required=False, allow_null=True, default=None)


class CorrectionSerializer(serializers.Serializer[Any]):
    """A pair to add or suppress."""

    word = serializers.CharField(max_length=80)
    code = serializers.CharField(max_length=80)
    repository = shape.identifier(
        allow_null=True, required=False, default=None, help_text="Null: for all repositories."
    )
    state = serializers.ChoiceField(choices=CORRECTED)
    note = serializers.CharField(required=False, allow_blank=True, default="", max_length=500)


class VocabularyApi(APIView):
    """The vocabulary of the repositories one may read; for reviewers and administrators."""

    @shape.answers(
        200,
        WordPageSerializer,
        name="vocabulary_list",
        query=[WordQuerySerializer],
        refuses=(400, 401, 403, 404),
    )
    def get(self, request: Request) -> Response:
        """A page of words, corrections first."""
        query = WordQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = vocabulary.page(signin.person(request), **query.validated_data)
        return Response(WordPageSerializer(found).data)

    @shape.answers(
        201,
        WordSerializer,
        name="vocabulary_correct",
        takes=CorrectionSerializer,
        refuses=(400, 401, 403, 404),
    )
    def post(self, request: Request) -> Response:
        """Add or suppress a pair; the very next search knows it."""
        body = CorrectionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        said = body.validated_data
        made = vocabulary.correct(
            signin.person(request),
            Pair(said["word"], said["code"], said["repository"]),
            state=said["state"],
            note=said["note"],
        )
        return Response(WordSerializer(made).data, status=201)


class VocabularyWhyApi(APIView):
    """Why a word stands for a code's word."""

    @shape.answers(
        200,
        WordExamplesSerializer,
        name="vocabulary_why",
        query=[WordWhySerializer],
        refuses=(400, 401, 403, 404),
    )
    def get(self, request: Request) -> Response:
        """The catalogue entries, enum texts, labels and comments that tie the two, at the indexed commit."""
        query = WordWhySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = vocabulary.why(signin.person(request), **query.validated_data)
        return Response(WordExamplesSerializer({"examples": found}).data)


class CorrectionApi(APIView):
    """One correction."""

    @shape.answers(204, None, name="vocabulary_undo", refuses=(401, 403, 404))
    def delete(self, request: Request, correction_id: int) -> Response:
        """Take a correction back: what the repositories themselves say counts again."""
        vocabulary.undo(signin.person(request), correction_id)
        return Response(status=204)
