"""Tapes over HTTP: the list, what stands on one, and having it checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.people import PersonSerializer
from kb_agent.api.spent import SpentSerializer
from kb_agent.api.topics import STATUSES
from kb_agent.usecases import tapes

if TYPE_CHECKING:
    from rest_framework.request import Request

FORK_STATES = ["open", "merged", "discarded"]


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
    cost = SpentSerializer(allow_null=True, help_text="Null where no model was called.")
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
    note = serializers.CharField(allow_blank=True, help_text="What a side line is for.")


class TapeDetailSerializer(TapeSerializer):
    """A tape with its topics, forks, counts and cost."""

    busy = serializers.BooleanField(help_text="A turn waits or runs on it.")
    topics = TapeTopicSerializer(many=True)
    counts = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Entries by kind, as default views show them: the newest 50,000.",
    )
    counted_from = serializers.IntegerField(help_text="The first entry that `counts` counts.")
    cost = SpentSerializer(allow_null=True, help_text="Null where no model was called.")
    forks = ForkSerializer(many=True, help_text="The newest 100, newest first.")
    fork_count = serializers.IntegerField()


class CursorSerializer(serializers.Serializer[Any]):
    """Where a page begins."""

    cursor = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)


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


class TapeVerifyApi(APIView):
    """Having a tape checked."""

    @shape.answers(202, CheckSerializer, name="tape_verify", refuses=(401, 404))
    def post(self, request: Request, tape_id: int) -> Response:
        """Let a worker check every hash; what it finds stands in `verified` of the tape."""
        found = tapes.verify(signin.person(request), tape_id)
        return Response(CheckSerializer(found).data, status=202)
