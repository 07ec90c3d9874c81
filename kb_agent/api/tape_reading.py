"""Reading a tape over HTTP: its entries page by page, its anchors, search, and long output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.tapes import CursorSerializer
from kb_agent.api.topics import KINDS, EntrySerializer
from kb_agent.usecases import tape_reading
from tapes.browsing import Page

if TYPE_CHECKING:
    from rest_framework.request import Request

TIERS = ["exact", "fuzzy", "meaning"]


def seq(**kwargs: Any) -> serializers.IntegerField:
    """A place on a tape, or none."""
    return shape.identifier(required=False, allow_null=True, default=None, **kwargs)


class TapeEntriesSerializer(serializers.Serializer[Any]):
    """Entries in seq order, and how far the tape has come."""

    results = EntrySerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page.")
    head = serializers.IntegerField()


class AnchorSerializer(serializers.Serializer[Any]):
    """An anchor with who set it and why."""

    seq = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    state = serializers.DictField(child=serializers.JSONField(), allow_null=True)
    moves_window = serializers.BooleanField()
    fork = serializers.IntegerField(allow_null=True)
    topic = serializers.IntegerField(allow_null=True)
    date = serializers.DateTimeField()
    actor = serializers.CharField()
    why = serializers.CharField(allow_blank=True)
    withheld = serializers.BooleanField()


class AnchorsSerializer(serializers.Serializer[Any]):
    """The newest anchors of a tape, in seq order."""

    results = AnchorSerializer(many=True)


class TapeHitSerializer(serializers.Serializer[Any]):
    """An entry that was found."""

    seq = serializers.IntegerField()
    tier = serializers.ChoiceField(choices=TIERS)
    score = serializers.FloatField()
    snippet = serializers.CharField()
    topic = serializers.IntegerField(allow_null=True)


class TapeHitsSerializer(serializers.Serializer[Any]):
    """What was found, exact hits first."""

    results = TapeHitSerializer(many=True)
    cut = serializers.IntegerField(
        allow_null=True, help_text="Entries up to this seq were searched for the exact words only."
    )


class TapeEntriesQuerySerializer(CursorSerializer):
    """Which entries to read."""

    to = seq(help_text="Last seq, included.")
    kinds = serializers.CharField(
        required=False, allow_blank=True, default="", help_text="Kinds, with commas between."
    )
    forks = serializers.BooleanField(
        required=False, default=False, help_text="Show discarded forks, too."
    )
    limit = serializers.IntegerField(required=False, default=200, min_value=1, max_value=1000)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """`from` is Python's own word."""
        return {"from": seq(help_text="First seq, included."), **super().get_fields()}

    def validate_kinds(self, value: str) -> list[str]:
        """Kinds that exist."""
        return checked_kinds(value)


class TapeSearchQuerySerializer(serializers.Serializer[Any]):
    """What to look for."""

    q = serializers.CharField(max_length=500)
    kinds = serializers.CharField(required=False, allow_blank=True, default="")
    limit = serializers.IntegerField(required=False, default=20, min_value=1, max_value=100)

    def validate_kinds(self, value: str) -> list[str]:
        """Kinds that exist."""
        return checked_kinds(value)


def checked_kinds(value: str) -> list[str]:
    """The kinds of a list with commas."""
    found = [kind.strip() for kind in value.split(",") if kind.strip()]
    if set(found) - set(KINDS):
        raise serializers.ValidationError(f"Kinds are {', '.join(KINDS)}.")
    return found


class OutputQuerySerializer(serializers.Serializer[Any]):
    """Which page of which call's output."""

    call = serializers.CharField(max_length=500)
    page = serializers.IntegerField(required=False, default=1, min_value=1, max_value=1_000_000)


class OutputPageSerializer(serializers.Serializer[Any]):
    """A page of a tool's output that was too long for its entry."""

    call = serializers.CharField()
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    chars = serializers.IntegerField()
    text = serializers.CharField(trim_whitespace=False)


class TapeEntriesApi(APIView):
    """The entries of a tape."""

    @shape.answers(
        200,
        TapeEntriesSerializer,
        name="tape_entries",
        query=[TapeEntriesQuerySerializer],
        refuses=(400, 401, 404),
    )
    def get(self, request: Request, tape_id: int) -> Response:
        """A page of entries by seq; open forks are shown, discarded ones when asked for."""
        query = TapeEntriesQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        said = query.validated_data
        wanted = Page(
            first=said["from"] or 1,
            last=said["to"],
            kinds=said["kinds"] or (),
            discarded=said["forks"],
            limit=said["limit"],
        )
        found = tape_reading.entries(signin.person(request), tape_id, wanted, cursor=said["cursor"])
        return Response(TapeEntriesSerializer(found).data)


class TapeOutputApi(APIView):
    """Output of a tool in pages."""

    @shape.answers(
        200,
        OutputPageSerializer,
        name="tape_output",
        query=[OutputQuerySerializer],
        refuses=(400, 401, 404),
    )
    def get(self, request: Request, tape_id: int, seq: int) -> Response:
        """A page of what a tool gave, where its entry holds only the beginning."""
        query = OutputQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = tape_reading.output(signin.person(request), tape_id, seq, **query.validated_data)
        return Response(OutputPageSerializer(found).data)


class TapeAnchorsApi(APIView):
    """The anchors and marks of a tape."""

    @shape.answers(200, AnchorsSerializer, name="tape_anchors", refuses=(401, 404))
    def get(self, request: Request, tape_id: int) -> Response:
        """The newest 1,000 anchors, in seq order."""
        found = tape_reading.anchors(signin.person(request), tape_id)
        return Response(AnchorsSerializer({"results": found}).data)


class TapeSearchApi(APIView):
    """Searching a tape."""

    @shape.answers(
        200,
        TapeHitsSerializer,
        name="tape_search",
        query=[TapeSearchQuerySerializer],
        refuses=(400, 401, 404),
    )
    def get(self, request: Request, tape_id: int) -> Response:
        """Entries of the whole tape with these words, or nearly these."""
        query = TapeSearchQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        said = query.validated_data
        found = tape_reading.find(
            signin.person(request),
            tape_id,
            said["q"],
            kinds=said["kinds"] or (),
            limit=said["limit"],
        )
        return Response(TapeHitsSerializer(found).data)
