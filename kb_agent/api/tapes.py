"""Tapes over HTTP: the list, what stands on one, its entries, anchors, search and check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.people import PersonSerializer
from kb_agent.api.topics import KINDS, STATUSES, EntrySerializer
from kb_agent.api.turns import CostSerializer, UsageSerializer
from kb_agent.usecases import tapes
from tapes.browsing import Page

if TYPE_CHECKING:
    from rest_framework.request import Request

FORK_STATES = ["open", "merged", "discarded"]
TIERS = ["exact", "fuzzy", "meaning"]


class CheckSerializer(serializers.Serializer[Any]):
    """What the last check of a tape found."""

    at = serializers.DateTimeField(allow_null=True, help_text="Null before the first has ended.")
    ok = serializers.BooleanField(allow_null=True)
    first_bad_seq = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    entries = serializers.IntegerField(allow_null=True)
    pending = serializers.BooleanField(help_text="A newer check waits or runs.")


class TapeSerializer(serializers.Serializer[Any]):
    """A tape in a list."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    head = serializers.IntegerField(help_text="The seq of its newest entry.")
    created_at = serializers.DateTimeField()
    archived_at = serializers.DateTimeField(allow_null=True, help_text="When it was closed.")
    owner = PersonSerializer(allow_null=True)
    mine = serializers.BooleanField()
    topic_count = serializers.IntegerField()
    verified = CheckSerializer(allow_null=True, help_text="Null where nobody ever asked.")


class TapePageSerializer(serializers.Serializer[Any]):
    """A page of tapes, newest first."""

    results = TapeSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page.")


class SegmentSerializer(serializers.Serializer[Any]):
    """A stretch of a topic that `brain_overload` split; `last` is null while it is open."""

    first = serializers.IntegerField()
    last = serializers.IntegerField(allow_null=True)


class TapeTopicSerializer(serializers.Serializer[Any]):
    """A topic on a tape, its range and what it cost."""

    id = serializers.IntegerField()
    title = serializers.CharField(help_text="Empty when withheld.")
    status = serializers.ChoiceField(choices=STATUSES)
    reason = serializers.CharField()
    initial_seq = serializers.IntegerField()
    finalized_seq = serializers.IntegerField(allow_null=True)
    turn_count = serializers.IntegerField()
    usage = UsageSerializer(allow_null=True)
    cost = CostSerializer(allow_null=True)
    segments = SegmentSerializer(many=True, help_text="Empty for a topic in one piece.")


class ForkSerializer(serializers.Serializer[Any]):
    """A fork, where its entries stand, and the turn that writes on it."""

    id = serializers.IntegerField()
    state = serializers.ChoiceField(choices=FORK_STATES)
    base_seq = serializers.IntegerField(help_text="The tape's head when it opened.")
    first_seq = serializers.IntegerField(allow_null=True)
    last_seq = serializers.IntegerField(allow_null=True)
    closed_seq = serializers.IntegerField(allow_null=True, help_text="The event that closed it.")
    entries = serializers.IntegerField()
    turn = serializers.IntegerField(allow_null=True, help_text="Null for a side line.")


class TapeDetailSerializer(TapeSerializer):
    """A tape with its topics, forks, counts and cost."""

    busy = serializers.BooleanField(help_text="A turn waits or runs on it.")
    topics = TapeTopicSerializer(many=True)
    counts = serializers.DictField(
        child=serializers.IntegerField(), help_text="Entries by kind, as default views show them."
    )
    usage = UsageSerializer(allow_null=True)
    cost = CostSerializer(allow_null=True)
    forks = ForkSerializer(many=True, help_text="The newest 100, newest first.")
    fork_count = serializers.IntegerField()


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


class CursorSerializer(serializers.Serializer[Any]):
    """Where a page begins."""

    cursor = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)


def seq(**kwargs: Any) -> serializers.IntegerField:
    """A place on a tape, or none."""
    return shape.identifier(required=False, allow_null=True, default=None, **kwargs)


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


class TapeListApi(APIView):
    """The tapes one may see."""

    @shape.answers(
        200, TapePageSerializer, name="tape_list", query=[CursorSerializer], refuses=(400, 401)
    )
    def get(self, request: Request) -> Response:
        """A page of tapes, newest first."""
        query = CursorSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = tapes.page(signin.person(request), **query.validated_data)
        return Response(TapePageSerializer(found).data)


class TapeApi(APIView):
    """One tape."""

    @shape.answers(200, TapeDetailSerializer, name="tape_show", refuses=(401, 404))
    def get(self, request: Request, tape_id: int) -> Response:
        """A tape with its topics, forks, counts and cost."""
        return Response(TapeDetailSerializer(tapes.show(signin.person(request), tape_id)).data)


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
        found = tapes.entries(signin.person(request), tape_id, wanted, cursor=said["cursor"])
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
        found = tapes.output(signin.person(request), tape_id, seq, **query.validated_data)
        return Response(OutputPageSerializer(found).data)


class TapeAnchorsApi(APIView):
    """The anchors and marks of a tape."""

    @shape.answers(200, AnchorsSerializer, name="tape_anchors", refuses=(401, 404))
    def get(self, request: Request, tape_id: int) -> Response:
        """The newest 1,000 anchors, in seq order."""
        found = tapes.anchors(signin.person(request), tape_id)
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
        found = tapes.find(
            signin.person(request),
            tape_id,
            said["q"],
            kinds=said["kinds"] or (),
            limit=said["limit"],
        )
        return Response(TapeHitsSerializer(found).data)


class TapeVerifyApi(APIView):
    """Having a tape checked."""

    @shape.answers(202, CheckSerializer, name="tape_verify", refuses=(401, 404))
    def post(self, request: Request, tape_id: int) -> Response:
        """Let a worker check every hash; what it finds stands in `verified` of the tape."""
        found = tapes.verify(signin.person(request), tape_id)
        return Response(CheckSerializer(found).data, status=202)
