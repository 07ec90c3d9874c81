"""People over HTTP: who is signed in, who one is, and the language one reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.decorators import method_decorator
from django.views.decorators.csrf import ensure_csrf_cookie
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.usecases import people

if TYPE_CHECKING:
    from rest_framework.request import Request

LANGUAGES = ["zh", "en"]
ROLES = ["member", "reviewer", "administrator", "auditor"]


class PersonSerializer(serializers.Serializer[Any]):
    """A person as others see them."""

    id = serializers.IntegerField()
    display_name = serializers.CharField()


class SampleSerializer(serializers.Serializer[Any]):
    """A question worth asking, from a repository one may read."""

    text = serializers.CharField()
    language = serializers.ChoiceField(choices=LANGUAGES)
    about = serializers.CharField(
        help_text="What kind of question it is, in the question's language."
    )


class NamedSerializer(serializers.Serializer[Any]):
    """Something with an id and a name."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class MeSerializer(serializers.Serializer[Any]):
    """The person signed in, and what they may read."""

    id = serializers.IntegerField()
    username = serializers.CharField()
    display_name = serializers.CharField()
    language = serializers.ChoiceField(choices=LANGUAGES)
    roles = serializers.ListField(child=serializers.ChoiceField(choices=ROLES))
    samples = SampleSerializer(many=True)
    repositories = NamedSerializer(many=True)
    version = serializers.CharField()


class MeChangeSerializer(serializers.Serializer[Any]):
    """What a person may change about themselves."""

    language = serializers.ChoiceField(choices=LANGUAGES)


class SignedInSerializer(serializers.Serializer[Any]):
    """Who is behind this browser, if anyone."""

    authenticated = serializers.BooleanField()
    user = PersonSerializer(allow_null=True)


class MeApi(APIView):
    """The person signed in."""

    @shape.answers(200, MeSerializer, name="me_show", refuses=(401,))
    def get(self, request: Request) -> Response:
        """Who I am, what I may read, and what I could ask."""
        return Response(MeSerializer(people.me(signin.person(request))).data)

    @shape.answers(
        200, MeSerializer, name="me_change", takes=MeChangeSerializer, refuses=(400, 401, 403)
    )
    def patch(self, request: Request) -> Response:
        """Change the language I read."""
        change = MeChangeSerializer(data=request.data)
        change.is_valid(raise_exception=True)
        return Response(
            MeSerializer(people.change(signin.person(request), **change.validated_data)).data
        )


@method_decorator(ensure_csrf_cookie, name="dispatch")
class SessionApi(APIView):
    """The browser's session: asked first, it also hands out the CSRF cookie."""

    permission_classes = (AllowAny,)

    @shape.answers(200, SignedInSerializer, name="session_show")
    def get(self, request: Request) -> Response:
        """Whether someone is signed in, and who."""
        known = request.user.is_authenticated
        person = people.person(signin.person(request)) if known else None
        return Response(
            SignedInSerializer({"authenticated": person is not None, "user": person}).data
        )
