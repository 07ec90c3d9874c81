"""Costs over HTTP, for administrators: the dashboard's figures, and the same as a file."""

from __future__ import annotations

import csv
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.api import shape, signin
from kb_agent.api.people import PersonSerializer
from kb_agent.api.spent import SpentMoneySerializer, SpentSerializer
from kb_agent.usecases import costs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rest_framework.request import Request


LINES_A_PIECE = 500


class CostsQuerySerializer(serializers.Serializer[Any]):
    """A period, both days included (this month when none is said), and what it is limited to."""

    first = serializers.DateField(required=False)
    last = serializers.DateField(required=False)
    days = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=costs.MOST_DAYS,
        help_text="So many days up to `last` (today), instead of `first`.",
    )
    currency = serializers.CharField(
        required=False, max_length=3, help_text="What plots and ranks are in."
    )
    person = serializers.IntegerField(
        required=False, min_value=0, max_value=shape.BIGGEST_ID, help_text="0: the company."
    )
    group = shape.identifier(required=False)
    repository = shape.identifier(required=False)
    model = serializers.CharField(required=False, max_length=200)
    purpose = serializers.CharField(required=False, max_length=40)


class CostFiguresSerializer(SpentSerializer):
    """What some calls used and cost."""

    calls = serializers.IntegerField()
    turns = serializers.IntegerField(help_text="Counted at the first call of each turn.")
    failed = serializers.IntegerField()
    retries = serializers.IntegerField()
    cached_share = serializers.FloatField(
        allow_null=True, help_text="Of the tokens sent, from 0 to 1; null when none were."
    )


class CostPeriodSerializer(serializers.Serializer[Any]):
    """Two days and what is between them."""

    first = serializers.DateField()
    last = serializers.DateField()


class CostDaySerializer(CostFiguresSerializer):
    """A day and a purpose."""

    day = serializers.DateField()
    purpose = serializers.CharField()


class CostPersonSerializer(CostFiguresSerializer):
    """A person; null where the company pays, as for indexing."""

    person = PersonSerializer(allow_null=True)


class CostGroupNameSerializer(serializers.Serializer[Any]):
    """A group of people."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class CostGroupSerializer(CostFiguresSerializer):
    """Today's members of a group; groups overlap."""

    group = CostGroupNameSerializer()


class CostRepositoryNameSerializer(serializers.Serializer[Any]):
    """A repository; without its name when you may not read it."""

    id = serializers.IntegerField()
    name = serializers.CharField(allow_null=True)


class CostRepositorySerializer(CostFiguresSerializer):
    """Calls with a repository in view; one with several in view stands at each."""

    repository = CostRepositoryNameSerializer()


class CostModelSerializer(CostFiguresSerializer):
    """A model."""

    model = serializers.CharField()


class CostPurposeSerializer(CostFiguresSerializer):
    """A purpose with its words."""

    purpose = serializers.CharField()
    zh = serializers.CharField()
    en = serializers.CharField()


class CostTopicSerializer(CostFiguresSerializer):
    """A topic; without its title when you may not read it."""

    topic = serializers.IntegerField()
    title = serializers.CharField(allow_null=True)


class ForecastSerializer(serializers.Serializer[Any]):
    """Where this month ends at the pace of the last two weeks."""

    month = serializers.DateField()
    money = SpentMoneySerializer(many=True)


class CostsSerializer(serializers.Serializer[Any]):
    """The dashboard."""

    first = serializers.DateField()
    last = serializers.DateField()
    before = CostPeriodSerializer(help_text="The period before, as long as this one.")
    time_zone = serializers.CharField(help_text="Where a day begins.")
    currency = serializers.CharField(allow_blank=True, help_text="Empty while nothing has a price.")
    currencies = serializers.ListField(child=serializers.CharField())
    total = CostFiguresSerializer()
    previous = CostFiguresSerializer()
    days = CostDaySerializer(many=True)
    people = CostPersonSerializer(many=True)
    groups = CostGroupSerializer(many=True)
    repositories = CostRepositorySerializer(many=True)
    models = CostModelSerializer(many=True)
    purposes = CostPurposeSerializer(many=True)
    topics = CostTopicSerializer(many=True)
    unpriced = CostModelSerializer(many=True, help_text="Models with calls of unknown price.")
    lost = serializers.IntegerField(help_text="Calls that began and were not seen to end.")
    forecast = ForecastSerializer()


class CostsApi(APIView):
    """What the company's calls cost."""

    @shape.answers(
        200, CostsSerializer, name="costs", query=[CostsQuerySerializer], refuses=(400, 401, 403)
    )
    def get(self, request: Request) -> Response:
        """A period by day, person, group, repository, model, purpose and topic, against the one before."""
        found = costs.show(signin.person(request), _wanted(request))
        # Already as the serializer says, which would take most of the answer's time over a year of days.
        return Response(found)


class CostsFileApi(APIView):
    """The same period as CSV."""

    @shape.answers(
        200,
        {(200, "text/csv"): OpenApiTypes.STR},
        name="costs_file",
        query=[CostsQuerySerializer],
        refuses=(400, 401, 403),
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """A line for each day, person, model, purpose and currency."""
        wanted = _wanted(request)
        rows = costs.rows(signin.person(request), wanted)
        name = f"costs-{wanted.first or 'month'}-{wanted.last or 'today'}.csv"
        return StreamingHttpResponse(
            _written(rows),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )


class _Line:
    """Hands back each line the csv writer makes."""

    def write(self, line: str) -> str:
        return line


def _written(rows: Iterable[list[Any]]) -> Iterator[str]:
    writer = csv.writer(_Line())
    # Spreadsheets take a file without this mark for one in the machine's old encoding.
    yield "\ufeff"
    left = iter(rows)
    while lines := list(islice(left, LINES_A_PIECE)):
        yield "".join(writer.writerow(line) for line in lines)


def _wanted(request: Request) -> costs.Wanted:
    query = CostsQuerySerializer(data=request.query_params)
    query.is_valid(raise_exception=True)
    return costs.Wanted(**query.validated_data)
