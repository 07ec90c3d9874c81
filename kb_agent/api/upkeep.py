"""The upkeep of repositories over HTTP, for administrators: add, change, index, grant, remove."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.repositories import (
    ANSWERS,
    GroupSerializer,
    RepositoryApi,
    RepositoryListApi,
    RepositorySerializer,
)
from kb_agent.repositories.mirror import schedule
from kb_agent.repositories.mirror.credentials import Login
from kb_agent.repositories.mirror.registry import About, Change
from kb_agent.usecases import upkeep

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

MOST_BRANCHES = 50
MOST_GROUPS = 500


class LoginSerializer(serializers.Serializer[Any]):
    """How an https server is signed in to; the token is sealed and never shown again."""

    username = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)
    token = shape.AnyTextField(max_length=4000)


class DescriptionChangeSerializer(serializers.Serializer[Any]):
    """One line in each language, as staff call it; what is left out stays."""

    zh = serializers.CharField(required=False, allow_blank=True, max_length=1000)
    en = serializers.CharField(required=False, allow_blank=True, max_length=1000)


def branches(**kwargs: Any) -> serializers.ListField:
    """Names of branches and tags; the domain says what a name may be."""
    return serializers.ListField(
        child=shape.AnyTextField(), max_length=MOST_BRANCHES, required=False, **kwargs
    )


def groups(**kwargs: Any) -> serializers.ListField:
    """Ids of groups."""
    return serializers.ListField(child=shape.identifier(), max_length=MOST_GROUPS, **kwargs)


class NewRepositorySerializer(serializers.Serializer[Any]):
    """A repository to be added; without branches the source's default branch is followed."""

    name = shape.AnyTextField()
    # The framework takes declared fields out of the class, this one's namesake stays.
    source = shape.AnyTextField()  # type: ignore[assignment]
    branches = branches(default=list)
    groups = groups(required=False, default=list)
    description = DescriptionChangeSerializer(required=False)
    login = LoginSerializer(required=False, allow_null=True)


class RepositoryChangeSerializer(serializers.Serializer[Any]):
    """What to change; what is left out stays."""

    name = shape.AnyTextField(required=False)
    source = shape.AnyTextField(required=False)  # type: ignore[assignment]
    description = DescriptionChangeSerializer(required=False)
    answers = serializers.ChoiceField(choices=ANSWERS, required=False)
    schedule_minutes = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=schedule.LONGEST_MINUTES
    )
    branches = branches(
        help_text="All to follow; an empty list follows the source's default branch."
    )
    default_branch = shape.AnyTextField(required=False)
    login = LoginSerializer(required=False, allow_null=True)


class GrantsSerializer(serializers.Serializer[Any]):
    """The groups that read a repository, all of them."""

    groups = groups()


class GroupListSerializer(serializers.Serializer[Any]):
    """Every group, by name."""

    results = GroupSerializer(many=True)


class RepositoryListUpkeepApi(RepositoryListApi):
    """The repositories, and adding one."""

    @shape.answers(
        201,
        RepositorySerializer,
        name="repository_add",
        takes=NewRepositorySerializer,
        refuses=(400, 401, 403, 409),
    )
    def post(self, request: Request) -> Response:
        """Add a repository and queue its first indexing; for administrators."""
        said = _read(NewRepositorySerializer, request)
        new = upkeep.New(
            name=said["name"],
            source=said["source"],
            branches=tuple(said["branches"]),
            groups=tuple(said["groups"]),
            about=About(**said.get("description", {})),
            login=_login(said),
        )
        return _shown(upkeep.add_by(signin.person(request), new), 201)


class RepositoryUpkeepApi(RepositoryApi):
    """One repository, changing and removing it."""

    @shape.answers(
        200,
        RepositorySerializer,
        name="repository_change",
        takes=RepositoryChangeSerializer,
        refuses=(400, 401, 403, 404, 409),
    )
    def patch(self, request: Request, repository_id: int) -> Response:
        """Change a repository; where code is taken from elsewhere it is fetched and indexed again."""
        said = _read(RepositoryChangeSerializer, request)
        described = said.pop("description", {})
        login = _login(said)
        said.pop("login", None)
        if "schedule_minutes" in said:
            said["schedule_minutes"] = said["schedule_minutes"] or 0
        wanted = Change(**said, **described, login=login)
        return _shown(upkeep.change_by(signin.person(request), repository_id, wanted), 200)

    @shape.answers(204, None, name="repository_remove", refuses=(401, 403, 404))
    def delete(self, request: Request, repository_id: int) -> Response:
        """Remove a repository: its index and words at once; cited lines still open for its readers."""
        upkeep.remove_by(signin.person(request), repository_id)
        return Response(status=204)


class RepositoryIndexApi(APIView):
    """Indexing a repository now."""

    @shape.answers(202, RepositorySerializer, name="repository_index", refuses=(401, 403, 404))
    def post(self, request: Request, repository_id: int) -> Response:
        """Queue an indexing; one that has fetched already is followed by another."""
        return _shown(upkeep.index_by(signin.person(request), repository_id), 202)


class RepositoryCancelApi(APIView):
    """Stopping an indexing."""

    @shape.answers(202, RepositorySerializer, name="repository_cancel", refuses=(401, 403, 404))
    def post(self, request: Request, repository_id: int) -> Response:
        """Ask the run that waits or goes on to stop; what it has read stays."""
        return _shown(upkeep.cancel_by(signin.person(request), repository_id), 202)


class RepositoryGrantsApi(APIView):
    """Who reads a repository."""

    @shape.answers(
        200,
        RepositorySerializer,
        name="repository_grants",
        takes=GrantsSerializer,
        refuses=(400, 401, 403, 404),
    )
    def put(self, request: Request, repository_id: int) -> Response:
        """Let exactly these groups read a repository."""
        said = _read(GrantsSerializer, request)
        return _shown(upkeep.grant_by(signin.person(request), repository_id, said["groups"]), 200)


class GroupListApi(APIView):
    """The groups."""

    @shape.answers(200, GroupListSerializer, name="group_list", refuses=(401, 403))
    def get(self, request: Request) -> Response:
        """Every group, by name, with how many people are in it; for administrators."""
        found = upkeep.groups(signin.person(request))
        return Response(GroupListSerializer({"results": found}).data)


def _read(kind: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    said = kind(data=request.data)
    said.is_valid(raise_exception=True)
    return dict(said.validated_data)


def _login(said: Mapping[str, Any]) -> Login | None:
    login = said.get("login")
    return Login(login["username"], login["token"]) if login else None


def _shown(repository: object, status: int) -> Response:
    return Response(RepositorySerializer(repository).data, status=status)
