"""Sharing over HTTP: whom a topic or a view is open to, opening and closing it, coming by a link, names to pick."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.people import NamedSerializer, PersonSerializer
from kb_agent.usecases import references, sharing
from kb_agent.usecases.sharing import Subject

if TYPE_CHECKING:
    from rest_framework.request import Request

SHARE_KINDS = ["person", "group", "company", "link"]


class ShareSerializer(serializers.Serializer[Any]):
    """One opening that is in force."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=SHARE_KINDS)
    person = PersonSerializer(allow_null=True)
    group = NamedSerializer(allow_null=True)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    visits = serializers.IntegerField(help_text="How many people came by this link.")


class NewShareSerializer(ShareSerializer):
    """An opening just made."""

    token = serializers.CharField(
        allow_blank=True,
        help_text="A new link's, shown this once: the link is `/s/<token>`. Empty for the others.",
    )


class SharesSerializer(serializers.Serializer[Any]):
    """Who has a topic, or a view."""

    results = ShareSerializer(many=True)


class ShareChangeSerializer(serializers.Serializer[Any]):
    """Whom to open it to, and until when."""

    kind = serializers.ChoiceField(choices=SHARE_KINDS)
    person = shape.identifier(required=False, allow_null=True, default=None)
    group = shape.identifier(required=False, allow_null=True, default=None)
    expires_at = serializers.DateTimeField(required=False, allow_null=True, default=None)


class LinkSerializer(serializers.Serializer[Any]):
    """A link's token."""

    token = serializers.CharField(max_length=100)


class LinkFollowedSerializer(serializers.Serializer[Any]):
    """The topic or the view that a link leads to."""

    topic = serializers.IntegerField(allow_null=True)
    view = serializers.IntegerField(allow_null=True)


class NameQuerySerializer(serializers.Serializer[Any]):
    """What a name begins with or contains."""

    q = serializers.CharField(required=False, allow_blank=True, default="", max_length=100)


class PersonNameSerializer(PersonSerializer):
    """A person to pick."""

    mention = serializers.CharField(help_text="What to write behind `@` for this person.")


class PeopleSerializer(serializers.Serializer[Any]):
    """Names of people."""

    results = PersonNameSerializer(many=True)


class GroupNamesSerializer(serializers.Serializer[Any]):
    """Names of groups one may open something to."""

    results = NamedSerializer(many=True)


class TopicNameSerializer(serializers.Serializer[Any]):
    """A topic to name in a question, as `topic:<id>`."""

    topic = serializers.IntegerField()
    title = serializers.CharField()
    owner = PersonSerializer()
    mine = serializers.BooleanField()


class TopicNamesSerializer(serializers.Serializer[Any]):
    """Topics to name in a question."""

    results = TopicNameSerializer(many=True)


class TopicSharesApi(APIView):
    """Whom a topic is open to."""

    @shape.answers(200, SharesSerializer, name="topic_shares", refuses=(401, 403, 404))
    def get(self, request: Request, topic_id: int) -> Response:
        """Who has it now; for its owner and for auditors."""
        return _page(request, Subject("topic", topic_id))

    @shape.answers(
        201,
        NewShareSerializer,
        name="topic_share",
        takes=ShareChangeSerializer,
        refuses=(400, 401, 403, 404, 409),
    )
    def post(self, request: Request, topic_id: int) -> Response:
        """Open it to a person, a group or the whole company, or make a link."""
        return _shared(request, Subject("topic", topic_id))


class TopicShareApi(APIView):
    """One opening of a topic."""

    @shape.answers(204, None, name="topic_unshare", refuses=(401, 403, 404))
    def delete(self, request: Request, topic_id: int, share_id: int) -> Response:
        """Take it back at once."""
        sharing.revoke(signin.person(request), Subject("topic", topic_id), share_id)
        return Response(status=204)


class ViewSharesApi(APIView):
    """Whom a named view is open to."""

    @shape.answers(200, SharesSerializer, name="view_shares", refuses=(401, 403, 404))
    def get(self, request: Request, view_id: int) -> Response:
        """Who has it now; for its owner and for auditors."""
        return _page(request, Subject("view", view_id))

    @shape.answers(
        201,
        NewShareSerializer,
        name="view_share",
        takes=ShareChangeSerializer,
        refuses=(400, 401, 403, 404, 409),
    )
    def post(self, request: Request, view_id: int) -> Response:
        """Open the definition, and nothing that it names, to a person, a group, the company or by link."""
        return _shared(request, Subject("view", view_id))


class ViewShareApi(APIView):
    """One opening of a named view."""

    @shape.answers(204, None, name="view_unshare", refuses=(401, 403, 404))
    def delete(self, request: Request, view_id: int, share_id: int) -> Response:
        """Take it back at once."""
        sharing.revoke(signin.person(request), Subject("view", view_id), share_id)
        return Response(status=204)


def _page(request: Request, subject: Subject) -> Response:
    found = sharing.page(signin.person(request), subject)
    return Response(SharesSerializer({"results": found}).data)


def _shared(request: Request, subject: Subject) -> Response:
    body = ShareChangeSerializer(data=request.data)
    body.is_valid(raise_exception=True)
    said = body.validated_data
    made = sharing.share(
        signin.person(request),
        subject,
        kind=said["kind"],
        person_id=said["person"],
        group_id=said["group"],
        expires_at=said["expires_at"],
    )
    return Response(NewShareSerializer(made).data, status=201)


class LinkApi(APIView):
    """Coming by a link."""

    throttle_classes = (ScopedRateThrottle,)
    throttle_scope = "links"

    @shape.answers(
        200,
        LinkFollowedSerializer,
        name="link_follow",
        takes=LinkSerializer,
        refuses=(400, 401, 404, 429),
    )
    def post(self, request: Request) -> Response:
        """See what a link opens from now on; one that holds no more answers like one that never was."""
        body = LinkSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        found = sharing.follow(signin.person(request), body.validated_data["token"])
        led = {"topic": None, "view": None, found.kind: found.id}
        return Response(LinkFollowedSerializer(led).data)


class PeopleApi(APIView):
    """Names to pick from."""

    @shape.answers(
        200, PeopleSerializer, name="people", query=[NameQuerySerializer], refuses=(400, 401)
    )
    def get(self, request: Request) -> Response:
        """Others whose names begin so or contain it, ten at most; names and nothing else."""
        query = NameQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = sharing.people(signin.person(request), query.validated_data["q"])
        return Response(PeopleSerializer({"results": found}).data)


class OwnGroupsApi(APIView):
    """Groups to pick from."""

    @shape.answers(200, GroupNamesSerializer, name="own_groups", refuses=(401,))
    def get(self, request: Request) -> Response:
        """The groups one may open something to: one's own; for an administrator all."""
        found = sharing.groups(signin.person(request))
        return Response(GroupNamesSerializer({"results": found}).data)


class ReferencesApi(APIView):
    """Topics to name in a question."""

    @shape.answers(
        200,
        TopicNamesSerializer,
        name="references",
        query=[NameQuerySerializer],
        refuses=(400, 401),
    )
    def get(self, request: Request) -> Response:
        """Those one may name whose number or title goes on so, eight at most."""
        query = NameQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = references.complete(signin.person(request), query.validated_data["q"])
        return Response(TopicNamesSerializer({"results": found}).data)
