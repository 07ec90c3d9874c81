"""Cited code over HTTP: outline, blame, log and names of a cited place; other lines at a known commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.evidence import EvidenceContextSerializer, EvidenceLineSerializer
from kb_agent.api.people import NamedSerializer
from kb_agent.usecases import code

if TYPE_CHECKING:
    from rest_framework.request import Request

    from kb_agent.repositories.search.symbols import Occurrence

WHY = ["no_history", "missing_file", "too_large", "binary", "took_too_long", "git_failed"]
LONGEST_NAME = 300
LONGEST_PATH = 4_000
LAST_LINE = 2**31 - 1


class UnavailableSerializer(serializers.Serializer[Any]):
    """An answer that may be empty for a reason."""

    unavailable = serializers.ChoiceField(
        choices=WHY, allow_null=True, help_text="Why nothing is told; null when it is."
    )


class OutlinedSymbolSerializer(serializers.Serializer[Any]):
    """A class, function, section or the like."""

    symbol = serializers.CharField()
    kind = serializers.CharField()
    start_line = serializers.IntegerField()
    end_line = serializers.IntegerField()
    cited = serializers.BooleanField(help_text="Cited lines lie in it.")


class OutlineSerializer(UnavailableSerializer):
    """What a file defines, in its order."""

    symbols = OutlinedSymbolSerializer(many=True)


class CommitSerializer(serializers.Serializer[Any]):
    """A commit; author and summary are one line each, secrets masked."""

    commit = serializers.CharField()
    author = serializers.CharField(allow_blank=True)
    date = serializers.DateTimeField(allow_null=True)
    summary = serializers.CharField(allow_blank=True)


class SpanSerializer(CommitSerializer):
    """Lines and the commit that last wrote them."""

    start_line = serializers.IntegerField()
    end_line = serializers.IntegerField()


class BlameSerializer(UnavailableSerializer):
    """Who last wrote each of the cited lines."""

    spans = SpanSerializer(many=True)


class LogSerializer(UnavailableSerializer):
    """The commits that touched the cited lines, the newest first."""

    commits = CommitSerializer(many=True)


class ChangedLineSerializer(serializers.Serializer[Any]):
    """A line that stayed, went or came, with its number then and now."""

    kind = serializers.ChoiceField(choices=["same", "gone", "new"])
    before = serializers.IntegerField(allow_null=True)
    now = serializers.IntegerField(allow_null=True)
    text = serializers.CharField(allow_blank=True, trim_whitespace=False)


class ChangeSerializer(UnavailableSerializer):
    """The cited lines beside what stands for them now; empty where they did not change."""

    commit = serializers.CharField(allow_blank=True, help_text="Where the branch is indexed now.")
    lines = ChangedLineSerializer(many=True)


class PlaceSerializer(serializers.Serializer[Any]):
    """A place in code, with its text from `start_line` on."""

    repository = NamedSerializer()
    branch = serializers.CharField(allow_blank=True)
    commit = serializers.CharField()
    path = serializers.CharField()
    start_line = serializers.IntegerField()
    end_line = serializers.IntegerField()
    symbol = serializers.CharField(allow_blank=True)
    kind = serializers.CharField(
        help_text="What is defined; of a use: use, import, text or comment."
    )
    excerpt = serializers.CharField(allow_blank=True)


class SymbolSerializer(UnavailableSerializer):
    """Where a name is defined, and where it is used: what depends on it first."""

    definitions = PlaceSerializer(many=True)
    uses = PlaceSerializer(many=True)


class CodeLinesSerializer(UnavailableSerializer):
    """Lines of a file at a commit with those around them."""

    repository = NamedSerializer()
    branch = serializers.CharField(allow_blank=True)
    commit = serializers.CharField()
    committed_at = serializers.DateTimeField(allow_null=True)
    path = serializers.CharField()
    start_line = serializers.IntegerField()
    end_line = serializers.IntegerField()
    lines = EvidenceLineSerializer(many=True)
    total_lines = serializers.IntegerField()
    language = serializers.CharField(allow_blank=True)


class LogQuerySerializer(serializers.Serializer[Any]):
    """How many commits."""

    limit = serializers.IntegerField(required=False, default=20, min_value=1, max_value=100)


class SymbolQuerySerializer(serializers.Serializer[Any]):
    """Which name."""

    name = serializers.CharField(max_length=LONGEST_NAME)


class CodeLinesQuerySerializer(EvidenceContextSerializer):
    """Which lines; `end` 0 is as far as is shown at once."""

    commit = serializers.RegexField(r"^[0-9a-f]{40,64}$", max_length=64)
    path = serializers.CharField(max_length=LONGEST_PATH, trim_whitespace=False)
    start = serializers.IntegerField(required=False, default=1, min_value=1, max_value=LAST_LINE)
    end = serializers.IntegerField(required=False, default=0, min_value=0, max_value=LAST_LINE)


class CodeApi(APIView):
    """Asks git or reads many files: limited for each person."""

    throttle_classes = (ScopedRateThrottle,)
    throttle_scope = "evidence"


class EvidenceOutlineApi(CodeApi):
    """What the cited file defines."""

    @shape.answers(200, OutlineSerializer, name="evidence_outline", refuses=(401, 404, 429))
    def get(self, request: Request, evidence_id: int) -> Response:
        """The file's outline at the cited commit, and what of it holds the cited lines."""
        return Response(OutlineSerializer(code.outlined(signin.person(request), evidence_id)).data)


class EvidenceBlameApi(CodeApi):
    """Who wrote the cited lines."""

    @shape.answers(200, BlameSerializer, name="evidence_blame", refuses=(401, 404, 429))
    def get(self, request: Request, evidence_id: int) -> Response:
        """The commit that last wrote each of the cited lines."""
        return Response(BlameSerializer(code.blame(signin.person(request), evidence_id)).data)


class EvidenceLogApi(CodeApi):
    """How the cited lines came to be."""

    @shape.answers(
        200,
        LogSerializer,
        name="evidence_log",
        query=[LogQuerySerializer],
        refuses=(400, 401, 404, 429),
    )
    def get(self, request: Request, evidence_id: int) -> Response:
        """The commits that touched the cited lines, the newest first."""
        query = LogQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        return Response(
            LogSerializer(
                code.log(signin.person(request), evidence_id, **query.validated_data)
            ).data
        )


class EvidenceChangeApi(CodeApi):
    """What became of the cited lines."""

    @shape.answers(200, ChangeSerializer, name="evidence_change", refuses=(401, 404, 429))
    def get(self, request: Request, evidence_id: int) -> Response:
        """The cited lines, three around them, and what stands for them on the branch now, masked."""
        return Response(ChangeSerializer(code.change(signin.person(request), evidence_id)).data)


class EvidenceSymbolApi(CodeApi):
    """Where a name of the cited lines is defined and used."""

    @shape.answers(
        200,
        SymbolSerializer,
        name="evidence_symbol",
        query=[SymbolQuerySerializer],
        refuses=(400, 401, 404, 429),
    )
    def get(self, request: Request, evidence_id: int) -> Response:
        """Definitions and uses of a name: the cited repository's first, at the cited commit."""
        query = SymbolQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = code.symbol(signin.person(request), evidence_id, query.validated_data["name"])
        return Response(
            SymbolSerializer(
                {
                    "definitions": [_place(each) for each in found.definitions],
                    "uses": [_place(each) for each in found.uses],
                    "unavailable": found.unavailable,
                }
            ).data
        )


class RepositoryLinesApi(CodeApi):
    """Lines of a file that nothing cites yet."""

    @shape.answers(
        200,
        CodeLinesSerializer,
        name="repository_lines",
        query=[CodeLinesQuerySerializer],
        refuses=(400, 401, 404, 429),
    )
    def get(self, request: Request, repository_id: int) -> Response:
        """Lines at a commit that was indexed or cited, masked, with those around them."""
        query = CodeLinesQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = code.lines(signin.person(request), repository_id, **query.validated_data)
        return Response(CodeLinesSerializer(found).data)


def _place(found: Occurrence) -> dict[str, Any]:
    return {
        **vars(found),
        "repository": {"id": found.repository_id, "name": found.repository},
    }
