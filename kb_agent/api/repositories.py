"""Repositories over HTTP: those one may read, and how fresh they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.usecases import repositories

if TYPE_CHECKING:
    from rest_framework.request import Request

STATUSES = ["new", "indexing", "fresh", "failed"]
RUN_STATUSES = ["waiting", "running", "done", "failed", "cancelled"]


class DescriptionSerializer(serializers.Serializer[Any]):
    """What a repository is about, in both languages."""

    zh = serializers.CharField(allow_blank=True)
    en = serializers.CharField(allow_blank=True)


class BranchSerializer(serializers.Serializer[Any]):
    """A branch that is followed."""

    name = serializers.CharField()
    commit = serializers.CharField(allow_blank=True)
    committed_at = serializers.DateTimeField(allow_null=True)
    indexed_at = serializers.DateTimeField(allow_null=True)


class IndexRunSerializer(serializers.Serializer[Any]):
    """The newest indexing of a repository."""

    id = serializers.IntegerField()
    status = serializers.ChoiceField(choices=RUN_STATUSES)
    phase = serializers.CharField(allow_blank=True)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    error = serializers.CharField(allow_blank=True)
    files = serializers.IntegerField()
    chunks = serializers.IntegerField()
    seconds = serializers.FloatField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class RepositorySerializer(serializers.Serializer[Any]):
    """A repository, its branches and its index."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    description = DescriptionSerializer()
    status = serializers.ChoiceField(choices=STATUSES)
    branches = BranchSerializer(many=True)
    files = serializers.IntegerField()
    chunks = serializers.IntegerField()
    error = serializers.CharField(allow_blank=True)
    run = IndexRunSerializer(allow_null=True)


class RepositoryListSerializer(serializers.Serializer[Any]):
    """The repositories one may read, by name."""

    results = RepositorySerializer(many=True)


class RepositoryListApi(APIView):
    """The repositories one may read."""

    @shape.answers(200, RepositoryListSerializer, name="repository_list", refuses=(401,))
    def get(self, request: Request) -> Response:
        """The repositories I may read, by name."""
        return Response(
            RepositoryListSerializer({"results": repositories.page(signin.person(request))}).data
        )


class RepositoryApi(APIView):
    """One repository."""

    @shape.answers(200, RepositorySerializer, name="repository_show", refuses=(401, 404))
    def get(self, request: Request, repository_id: int) -> Response:
        """A repository, its branches and its index."""
        return Response(
            RepositorySerializer(repositories.show(signin.person(request), repository_id)).data
        )
