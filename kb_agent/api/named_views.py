"""Named views over HTTP: keep one, list those one may see, open one with today's rights, forget one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.people import PersonSerializer
from kb_agent.api.tape_reading import seq
from kb_agent.api.topics import EntrySerializer
from kb_agent.usecases import named_views

if TYPE_CHECKING:
    from rest_framework.request import Request


class PartSerializer(serializers.Serializer[Any]):
    """A topic; or of a tape a range of seqs, or what follows an anchor, until another.

    Of another's view a part that one may not see is empty.
    """

    topic = seq()
    tape = seq()
    first = seq()
    last = seq()
    after = serializers.CharField(required=False, allow_null=True, default=None, max_length=200)
    before = serializers.CharField(required=False, allow_null=True, default=None, max_length=200)


class NewViewSerializer(serializers.Serializer[Any]):
    """A view to keep."""

    name = serializers.CharField(max_length=100)
    parts = PartSerializer(many=True, allow_empty=False)


class NamedViewSerializer(serializers.Serializer[Any]):
    """A view under a name: its definition, never entries."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    parts = PartSerializer(many=True)
    created_at = serializers.DateTimeField()
    owner = PersonSerializer()
    mine = serializers.BooleanField()
    shared = serializers.BooleanField(help_text="Open to somebody; told to its owner alone.")


class NamedViewsSerializer(serializers.Serializer[Any]):
    """One's own views, and those opened to one."""

    results = NamedViewSerializer(many=True)


class OpenedPartSerializer(serializers.Serializer[Any]):
    """What a part shows today."""

    part = PartSerializer()
    problem = serializers.CharField(
        allow_blank=True, help_text="Why it shows nothing, as a code; or empty."
    )
    entries = EntrySerializer(many=True)
    more = serializers.BooleanField()
    partly = serializers.BooleanField(
        help_text="Only what is open to this person is shown; what else it may cover is withheld."
    )


class OpenedViewSerializer(NamedViewSerializer):
    """A view with what it shows now."""

    shown = OpenedPartSerializer(many=True)


class ViewListApi(APIView):
    """Named views."""

    @shape.answers(200, NamedViewsSerializer, name="view_list", refuses=(401,))
    def get(self, request: Request) -> Response:
        """One's own by name, then those opened to one, the newest first; 500 at most."""
        found = named_views.page(signin.person(request))
        return Response(NamedViewsSerializer({"results": found}).data)

    @shape.answers(
        201,
        NamedViewSerializer,
        name="view_create",
        takes=NewViewSerializer,
        refuses=(400, 401, 404, 409),
    )
    def post(self, request: Request) -> Response:
        """Keep a view; every part must be something one may see now."""
        body = NewViewSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        new = named_views.create(signin.person(request), **body.validated_data)
        return Response(NamedViewSerializer(new).data, status=201)


class ViewApi(APIView):
    """One named view."""

    @shape.answers(200, OpenedViewSerializer, name="view_open", refuses=(401, 404))
    def get(self, request: Request, view_id: int) -> Response:
        """What it shows with today's rights."""
        return Response(
            OpenedViewSerializer(named_views.open(signin.person(request), view_id)).data
        )

    @shape.answers(204, None, name="view_delete", refuses=(401, 403, 404))
    def delete(self, request: Request, view_id: int) -> Response:
        """Forget it and end its shares; nothing it showed is touched."""
        named_views.remove(signin.person(request), view_id)
        return Response(status=204)
