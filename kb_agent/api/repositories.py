"""Repositories over HTTP: those one may read or manages, how they stand, and what was left out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.repositories.mirror import fetching
from kb_agent.usecases import repositories

if TYPE_CHECKING:
    from rest_framework.request import Request

STATUSES = ["new", "indexing", "fresh", "failed"]
RUN_STATUSES = ["waiting", "running", "done", "failed", "cancelled"]
ANSWERS = ["readers", "company"]
ERROR_CODES = ["", *fetching.REASONS]


class DescriptionSerializer(serializers.Serializer[Any]):
    """What a repository is about, in both languages."""

    zh = serializers.CharField(allow_blank=True)
    en = serializers.CharField(allow_blank=True)


class BranchSerializer(serializers.Serializer[Any]):
    """A branch or tag that is followed."""

    name = serializers.CharField()
    commit = serializers.CharField(allow_blank=True)
    committed_at = serializers.DateTimeField(allow_null=True)
    indexed_at = serializers.DateTimeField(allow_null=True)
    missing = serializers.BooleanField(
        help_text="The source has it no longer; what is indexed stays."
    )


class IndexRunSerializer(serializers.Serializer[Any]):
    """The newest indexing of a repository."""

    id = serializers.IntegerField()
    status = serializers.ChoiceField(choices=RUN_STATUSES)
    phase = serializers.CharField(allow_blank=True)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    seconds_left = serializers.IntegerField(
        allow_null=True, help_text="At the rate measured; null while it is not known."
    )
    place = serializers.IntegerField(
        allow_null=True, help_text="In the queue, from 1; null when it does not wait."
    )
    error = serializers.CharField(allow_blank=True)
    error_code = serializers.ChoiceField(choices=ERROR_CODES, allow_blank=True)
    files = serializers.IntegerField()
    chunks = serializers.IntegerField()
    seconds = serializers.FloatField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class GroupSerializer(serializers.Serializer[Any]):
    """A group, and how many people are in it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    people = serializers.IntegerField()


class RepositorySerializer(serializers.Serializer[Any]):
    """A repository, its branches and its index."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    description = DescriptionSerializer()
    draft = serializers.BooleanField(
        help_text="The description was drafted from the code; nobody has edited it."
    )
    status = serializers.ChoiceField(choices=STATUSES)
    answers = serializers.ChoiceField(choices=ANSWERS)
    schedule_minutes = serializers.IntegerField(
        help_text="How often it is fetched by itself; 0 is never."
    )
    # The framework takes declared fields out of the class, this one's namesake stays.
    source = serializers.CharField(  # type: ignore[assignment]
        allow_null=True, help_text="Null but for administrators."
    )
    default_branch = serializers.CharField(allow_blank=True)
    branches = BranchSerializer(many=True)
    files = serializers.IntegerField()
    chunks = serializers.IntegerField()
    symbols = serializers.IntegerField()
    skipped = serializers.IntegerField()
    groups = GroupSerializer(many=True)
    readable = serializers.BooleanField(
        help_text="False for an administrator whom no group lets read it."
    )
    may_manage = serializers.BooleanField()
    webhook = serializers.BooleanField(help_text="Whether its server may announce pushes.")
    repo_at_1 = serializers.FloatField(allow_null=True)
    error = serializers.CharField(allow_blank=True)
    error_code = serializers.ChoiceField(choices=ERROR_CODES, allow_blank=True)
    run = IndexRunSerializer(allow_null=True)


class CountsSerializer(serializers.Serializer[Any]):
    """How many repositories stand how."""

    fresh = serializers.IntegerField()
    indexing = serializers.IntegerField()
    waiting = serializers.IntegerField()
    failed = serializers.IntegerField()


class RepositoryListSerializer(serializers.Serializer[Any]):
    """The repositories one may read or manages, by name."""

    results = RepositorySerializer(many=True)
    counts = CountsSerializer()


class SkippedCountSerializer(serializers.Serializer[Any]):
    """How many files were left out for a reason, and one of them."""

    reason = serializers.CharField()
    count = serializers.IntegerField()
    example = serializers.CharField(allow_blank=True)


class SkippedFileSerializer(serializers.Serializer[Any]):
    """A file that was left out."""

    path = serializers.CharField()
    reason = serializers.CharField()


class SkippedPageSerializer(serializers.Serializer[Any]):
    """Files left out of the default branch's index; whoever may not read the code sees counts only."""

    counts = SkippedCountSerializer(many=True)
    results = SkippedFileSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page.")


class SkippedQuerySerializer(serializers.Serializer[Any]):
    """Which of them to list."""

    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=20)
    cursor = serializers.CharField(required=False, allow_blank=True, default="", max_length=4000)


class RepositoryListApi(APIView):
    """The repositories one may read or manages."""

    @shape.answers(200, RepositoryListSerializer, name="repository_list", refuses=(401,))
    def get(self, request: Request) -> Response:
        """The repositories I may read, by name; an administrator sees how all of them stand."""
        found = repositories.page(signin.person(request))
        return Response(RepositoryListSerializer(found).data)


class RepositoryApi(APIView):
    """One repository."""

    @shape.answers(200, RepositorySerializer, name="repository_show", refuses=(401, 404))
    def get(self, request: Request, repository_id: int) -> Response:
        """A repository, its branches and its index."""
        return Response(
            RepositorySerializer(repositories.show(signin.person(request), repository_id)).data
        )


class SkippedApi(APIView):
    """What was left out of an index."""

    @shape.answers(
        200,
        SkippedPageSerializer,
        name="repository_skipped",
        query=[SkippedQuerySerializer],
        refuses=(400, 401, 404),
    )
    def get(self, request: Request, repository_id: int) -> Response:
        """Files left out of the index of the default branch: counts by reason, and a page of them."""
        query = SkippedQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = repositories.skipped(signin.person(request), repository_id, **query.validated_data)
        return Response(SkippedPageSerializer(found).data)
