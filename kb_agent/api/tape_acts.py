"""Writing on tapes over HTTP: handoff, reset, marks, corrections and side lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.tapes import ForkSerializer
from kb_agent.usecases import tape_acts

if TYPE_CHECKING:
    from rest_framework.request import Request

WRITES = (400, 401, 403, 404, 409)


def why() -> serializers.CharField:
    """Why one does it, for those who read the tape later."""
    return serializers.CharField(
        required=False, allow_blank=True, default="", max_length=tape_acts.LONGEST_TEXT
    )


class WhySerializer(serializers.Serializer[Any]):
    """An act that needs no more than its reason."""

    why = why()


class HandoffSerializer(serializers.Serializer[Any]):
    """The anchor of a new phase."""

    name = serializers.CharField(max_length=tape_acts.LONGEST_NAME)
    state = serializers.DictField(
        child=serializers.JSONField(), required=False, allow_null=True, default=None
    )
    why = why()


class NewMarkSerializer(serializers.Serializer[Any]):
    """A lesson or an idea over given entries."""

    seqs = serializers.ListField(child=shape.identifier(), max_length=tape_acts.MOST_SEQS)
    note = serializers.CharField(max_length=tape_acts.LONGEST_TEXT)
    name = serializers.CharField(max_length=tape_acts.LONGEST_NAME)


class NewCorrectionSerializer(serializers.Serializer[Any]):
    """What is right where an entry was wrong."""

    corrects = shape.identifier()
    text = serializers.CharField(max_length=tape_acts.LONGEST_TEXT)


class SideLineSerializer(serializers.Serializer[Any]):
    """What a side line is for."""

    note = serializers.CharField(max_length=tape_acts.LONGEST_TEXT)


class SideLineNoteSerializer(serializers.Serializer[Any]):
    """Words for a side line."""

    text = serializers.CharField(max_length=tape_acts.LONGEST_TEXT)


class WrittenSerializer(serializers.Serializer[Any]):
    """Where something was written."""

    tape = serializers.IntegerField()
    seq = serializers.IntegerField()


class ResetSerializer(serializers.Serializer[Any]):
    """The tape that goes on under the same name."""

    tape = serializers.IntegerField()
    name = serializers.CharField()


class TapeHandoffApi(APIView):
    """Beginning a new phase."""

    @shape.answers(
        201, WrittenSerializer, name="tape_handoff", takes=HandoffSerializer, refuses=WRITES
    )
    def post(self, request: Request, tape_id: int) -> Response:
        """Set an anchor that the default window starts after, with a state to keep."""
        body = HandoffSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        said = dict(body.validated_data)
        anchor, _ = tape_acts.handoff(signin.person(request), tape_id, said.pop("name"), **said)
        return _written(tape_id, anchor.seq)


class TapeResetApi(APIView):
    """Closing a tape and starting anew."""

    @shape.answers(201, ResetSerializer, name="tape_reset", takes=WhySerializer, refuses=WRITES)
    def post(self, request: Request, tape_id: int) -> Response:
        """Close the tape with its open topic; the answer names the new one of its name."""
        body = WhySerializer(data=request.data)
        body.is_valid(raise_exception=True)
        new = tape_acts.reset(signin.person(request), tape_id, **body.validated_data)
        return Response(ResetSerializer({"tape": new.pk, "name": new.name}).data, status=201)


class TapeMarksApi(APIView):
    """Marking entries."""

    @shape.answers(
        201, WrittenSerializer, name="tape_mark", takes=NewMarkSerializer, refuses=WRITES
    )
    def post(self, request: Request, tape_id: int) -> Response:
        """Mark entries with a note that the model is shown; the window stays where it is."""
        body = NewMarkSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        said = dict(body.validated_data)
        new = tape_acts.mark(signin.person(request), tape_id, said.pop("name"), **said)
        return _written(tape_id, new.seq)


class TapeCorrectionsApi(APIView):
    """Correcting an entry."""

    @shape.answers(
        201,
        WrittenSerializer,
        name="tape_correct",
        takes=NewCorrectionSerializer,
        refuses=WRITES,
    )
    def post(self, request: Request, tape_id: int) -> Response:
        """Say what is right; the entry stays as it was, with this beside it."""
        body = NewCorrectionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        new = tape_acts.correct(signin.person(request), tape_id, **body.validated_data)
        return _written(tape_id, new.seq)


class TapeForksApi(APIView):
    """Opening a side line."""

    @shape.answers(201, ForkSerializer, name="tape_fork", takes=SideLineSerializer, refuses=WRITES)
    def post(self, request: Request, tape_id: int) -> Response:
        """Open a side line, which no default view shows until it is merged."""
        body = SideLineSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        new = tape_acts.fork(signin.person(request), tape_id, **body.validated_data)
        return Response(ForkSerializer(new).data, status=201)


class TapeForkNotesApi(APIView):
    """Writing on a side line."""

    @shape.answers(
        201,
        WrittenSerializer,
        name="tape_fork_note",
        takes=SideLineNoteSerializer,
        refuses=WRITES,
    )
    def post(self, request: Request, tape_id: int, fork_id: int) -> Response:
        """Write a note on an open side line."""
        body = SideLineNoteSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        new = tape_acts.note(signin.person(request), tape_id, fork_id, **body.validated_data)
        return _written(tape_id, new.seq)


class TapeForkMergeApi(APIView):
    """Merging a side line."""

    @shape.answers(200, ForkSerializer, name="tape_merge", takes=WhySerializer, refuses=WRITES)
    def post(self, request: Request, tape_id: int, fork_id: int) -> Response:
        """Show a side line to every view; done twice, nothing changes."""
        body = WhySerializer(data=request.data)
        body.is_valid(raise_exception=True)
        found = tape_acts.merge(signin.person(request), tape_id, fork_id, **body.validated_data)
        return Response(ForkSerializer(found).data)


class TapeForkDiscardApi(APIView):
    """Discarding a side line."""

    @shape.answers(200, ForkSerializer, name="tape_discard", takes=WhySerializer, refuses=WRITES)
    def post(self, request: Request, tape_id: int, fork_id: int) -> Response:
        """Hide a side line from all but an inspection; done twice, nothing changes."""
        body = WhySerializer(data=request.data)
        body.is_valid(raise_exception=True)
        found = tape_acts.discard(signin.person(request), tape_id, fork_id, **body.validated_data)
        return Response(ForkSerializer(found).data)


def _written(tape_id: int, seq: int) -> Response:
    return Response(WrittenSerializer({"tape": tape_id, "seq": seq}).data, status=201)
