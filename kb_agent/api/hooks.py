"""Hooks over HTTP, for administrators: who runs where, how it went, on or off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.usecases import hooks

if TYPE_CHECKING:
    from rest_framework.request import Request

STAGES = [
    "pre_topic_initial",
    "post_topic_initial",
    "pre_topic_finalized",
    "post_topic_finalized",
]


class HookFiguresSerializer(serializers.Serializer[Any]):
    """How the newest runs of a hook went."""

    runs = serializers.IntegerField(help_text="How many runs these figures are of, at most 100.")
    outcomes = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Runs by outcome: done, failed, refused, not heeded, left out, switched off, waiting, running, again.",
    )
    median_seconds = serializers.FloatField(allow_null=True)
    last_outcome = serializers.CharField(allow_blank=True)
    last_at = serializers.DateTimeField(allow_null=True)


class HookSerializer(serializers.Serializer[Any]):
    """A hook at one stage, as the settings name it."""

    stage = serializers.ChoiceField(choices=STAGES)
    order = serializers.IntegerField(help_text="From 1.")
    hook = serializers.CharField(help_text="Dotted path.")
    does_en = serializers.CharField()
    does_zh = serializers.CharField(help_text="Empty where its author wrote none.")
    essential = serializers.BooleanField(help_text="Essential hooks cannot be switched off.")
    on = serializers.BooleanField()
    problem = serializers.CharField(help_text="Why it cannot be loaded; or empty.")
    changed_by = serializers.CharField(help_text="Who switched it last; or empty.")
    changed_at = serializers.DateTimeField(allow_null=True)
    figures = HookFiguresSerializer()


class HookListSerializer(serializers.Serializer[Any]):
    """Every hook in the order it runs."""

    results = HookSerializer(many=True)


class HookSwitchSerializer(serializers.Serializer[Any]):
    """Whether a hook is to run."""

    on = serializers.BooleanField()


class HookListApi(APIView):
    """The hooks of topics."""

    @shape.answers(200, HookListSerializer, name="hook_list", refuses=(401, 403))
    def get(self, request: Request) -> Response:
        """Every hook in the order it runs, with how it did lately."""
        return Response(HookListSerializer({"results": hooks.listed(signin.person(request))}).data)


class HookApi(APIView):
    """One hook, by its dotted path."""

    @shape.answers(
        200,
        HookListSerializer,
        name="hook_switch",
        takes=HookSwitchSerializer,
        refuses=(400, 401, 403, 404, 409),
    )
    def patch(self, request: Request, path: str) -> Response:
        """Switch a hook on or off at every stage it stands in; audited."""
        said = HookSwitchSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        found = hooks.switch_by(signin.person(request), path, **said.validated_data)
        return Response(HookListSerializer({"results": found}).data)
