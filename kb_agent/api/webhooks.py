"""Webhooks over HTTP: what a server of code announces, without a session, and switching that on and off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import errors, shape, signin
from kb_agent.repositories.indexing.webhooks import LARGEST, Message
from kb_agent.usecases import webhooks

if TYPE_CHECKING:
    from rest_framework.request import Request

REASONS = ["queued", "not_followed", "other_event", "ping"]


class WebhookUrlsSerializer(serializers.Serializer[Any]):
    """The address in each provider's form."""

    github = serializers.CharField()
    gitlab = serializers.CharField()
    gitee = serializers.CharField()


class WebhookSerializer(serializers.Serializer[Any]):
    """A webhook's address and its secret, which is shown this once."""

    url = serializers.CharField(help_text="The likeliest of `urls`, by the source's host.")
    urls = WebhookUrlsSerializer()
    secret = serializers.CharField()


class HeardSerializer(serializers.Serializer[Any]):
    """What became of an announcement."""

    queued = serializers.BooleanField()
    reason = serializers.ChoiceField(choices=REASONS)


class AnyBody(BaseParser):
    """Leaves the body alone: signatures are over its bytes."""

    media_type = "*/*"

    def parse(self, *_: Any, **__: Any) -> dict[str, Any]:
        """Nothing is read here."""
        return {}


class RepositoryWebhookApi(APIView):
    """Whether a repository's server may announce pushes."""

    @shape.answers(200, WebhookSerializer, name="webhook_open", refuses=(401, 403, 404))
    def post(self, request: Request, repository_id: int) -> Response:
        """Make a webhook with a new address and secret; a former one is not answered any more."""
        opened = webhooks.open_by(
            signin.person(request), repository_id, base=request.build_absolute_uri("/")
        )
        return Response(WebhookSerializer(opened).data)

    @shape.answers(204, None, name="webhook_close", refuses=(401, 403, 404))
    def delete(self, request: Request, repository_id: int) -> Response:
        """Take the webhook away."""
        webhooks.close_by(signin.person(request), repository_id)
        return Response(status=204)


class WebhookApi(APIView):
    """What servers of code call: no session, no CSRF token, a signature or token of theirs."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    parser_classes = (AnyBody,)

    @shape.answers(202, HeardSerializer, name="webhook_hear", refuses=(400, 403, 404, 409, 413))
    def post(self, request: Request, provider: str, key: str) -> Response:
        """Hear of a push: a followed branch or tag is fetched and indexed."""
        if provider not in webhooks.PROVIDERS:
            return Response(errors.of_status(404), status=404)
        body = request._request.read(LARGEST + 1)  # noqa: SLF001 - the bytes as they came
        if len(body) > LARGEST:
            return Response(errors.of_status(413), status=413)
        headers = {name.lower(): value for name, value in request.headers.items()}
        heard = webhooks.hear(key, Message(provider, headers, body))
        said = {"queued": heard.run is not None, "reason": heard.reason}
        return Response(HeardSerializer(said).data, status=202)
