"""Budgets and prices over HTTP, for administrators."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_agent.accounts.budget_models import Scope
from kb_agent.api import shape, signin
from kb_agent.api.costs import CostGroupNameSerializer
from kb_agent.api.people import PersonSerializer
from kb_agent.llm.price_list import Terms
from kb_agent.usecases import budgets

if TYPE_CHECKING:
    from rest_framework.request import Request

BUDGET_STATES = ("within", "warned", "reached")
PRICE_STATES = ("holds", "planned", "ended")


def amount(**more: Any) -> serializers.DecimalField:
    """A number of money or tokens."""
    return serializers.DecimalField(max_digits=20, decimal_places=6, min_value=Decimal(0), **more)


def share(**more: Any) -> serializers.DecimalField:
    """The share of a limit from which people are warned."""
    return serializers.DecimalField(
        max_digits=4, decimal_places=3, min_value=Decimal("0.001"), max_value=Decimal(1), **more
    )


class NewBudgetSerializer(serializers.Serializer[Any]):
    """A budget for each month; `target` is a person's or group's id, or a model's name."""

    scope = serializers.ChoiceField(choices=Scope.values)
    target = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)
    unit = serializers.CharField(max_length=6, help_text="`tokens`, or a currency.")
    limit = amount()
    warn_at = share(required=False, default=Decimal("0.8"))


class BudgetChangeSerializer(serializers.Serializer[Any]):
    """What to change; what is left out stays."""

    limit = amount(required=False)
    warn_at = share(required=False)


class BudgetSerializer(serializers.Serializer[Any]):
    """A budget and how it stands this month."""

    id = serializers.IntegerField()
    scope = serializers.ChoiceField(choices=Scope.values)
    person = PersonSerializer(allow_null=True)
    group = CostGroupNameSerializer(allow_null=True)
    model = serializers.CharField(allow_blank=True)
    unit = serializers.CharField()
    limit = serializers.CharField()
    warn_at = serializers.FloatField()
    spent = serializers.CharField()
    estimated = serializers.CharField(
        help_text="The part of `spent` that was reserved for calls of which no provider told the usage."
    )
    reserved = serializers.CharField(help_text="For calls under way.")
    state = serializers.ChoiceField(choices=BUDGET_STATES)
    expected = serializers.CharField(help_text="What the month comes to at the pace so far.")
    enough = serializers.BooleanField()


class BudgetListSerializer(serializers.Serializer[Any]):
    """The budgets that hold."""

    results = BudgetSerializer(many=True)


class BudgetListApi(APIView):
    """Budgets."""

    @shape.answers(200, BudgetListSerializer, name="budgets", refuses=(401, 403))
    def get(self, request: Request) -> Response:
        """Those that hold, with what is spent and reserved."""
        return Response(
            BudgetListSerializer({"results": budgets.listed(signin.person(request))}).data
        )

    @shape.answers(
        201,
        BudgetSerializer,
        name="budget_set",
        takes=NewBudgetSerializer,
        refuses=(400, 401, 403, 409),
    )
    def post(self, request: Request) -> Response:
        """Set one."""
        body = NewBudgetSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        found = budgets.add(signin.person(request), budgets.New(**body.validated_data))
        return Response(BudgetSerializer(found).data, status=201)


class BudgetApi(APIView):
    """One budget."""

    @shape.answers(
        200,
        BudgetSerializer,
        name="budget_change",
        takes=BudgetChangeSerializer,
        refuses=(400, 401, 403, 404),
    )
    def patch(self, request: Request, budget_id: int) -> Response:
        """Raise or lower it."""
        body = BudgetChangeSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        found = budgets.change(
            signin.person(request),
            budget_id,
            limit=body.validated_data.get("limit"),
            warn_at=body.validated_data.get("warn_at"),
        )
        return Response(BudgetSerializer(found).data)

    @shape.answers(204, None, name="budget_end", refuses=(401, 403, 404))
    def delete(self, request: Request, budget_id: int) -> Response:
        """Let it hold no longer."""
        budgets.end(signin.person(request), budget_id)
        return Response(status=204)


def rate(**more: Any) -> serializers.DecimalField:
    """A price for a million tokens."""
    return serializers.DecimalField(max_digits=14, decimal_places=6, min_value=Decimal(0), **more)


class NewPriceSerializer(serializers.Serializer[Any]):
    """Prices per million tokens, for a model (`*` stands for any characters), an endpoint, or both."""

    endpoint = serializers.CharField(required=False, allow_blank=True, default="", max_length=100)
    model = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)
    currency = serializers.CharField(max_length=3)
    input = rate()
    cached = rate(required=False, allow_null=True, help_text="Null: as input.")
    output = rate(required=False, allow_null=True, help_text="Null: unknown.")
    reasoning = rate(required=False, allow_null=True, help_text="Null: as output.")
    valid_from = serializers.DateTimeField(
        required=False, allow_null=True, help_text="From now on, when it is not said."
    )


class PriceSerializer(serializers.Serializer[Any]):
    """A price and since when it holds."""

    id = serializers.IntegerField()
    endpoint = serializers.CharField(allow_blank=True)
    model = serializers.CharField(allow_blank=True)
    currency = serializers.CharField()
    input = serializers.CharField()
    cached = serializers.CharField(allow_null=True)
    output = serializers.CharField(allow_null=True)
    reasoning = serializers.CharField(allow_null=True)
    valid_from = serializers.DateTimeField()
    valid_until = serializers.DateTimeField(allow_null=True)
    state = serializers.ChoiceField(choices=PRICE_STATES)


class PriceListSerializer(serializers.Serializer[Any]):
    """The company's own prices, the newest first."""

    results = PriceSerializer(many=True)


class PriceListApi(APIView):
    """Prices."""

    @shape.answers(200, PriceListSerializer, name="prices", refuses=(401, 403))
    def get(self, request: Request) -> Response:
        """All of them, those that hold no longer too."""
        return Response(
            PriceListSerializer({"results": budgets.prices(signin.person(request))}).data
        )

    @shape.answers(
        201, PriceSerializer, name="price_set", takes=NewPriceSerializer, refuses=(400, 401, 403)
    )
    def post(self, request: Request) -> Response:
        """Set one; calls made before it holds keep what they had."""
        body = NewPriceSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        said = dict(body.validated_data)
        endpoint, model = said.pop("endpoint"), said.pop("model")
        found = budgets.set_price(signin.person(request), endpoint, model, Terms(**said))
        return Response(PriceSerializer(found).data, status=201)


class PriceApi(APIView):
    """One price."""

    @shape.answers(200, PriceSerializer, name="price_end", refuses=(401, 403, 404))
    def delete(self, request: Request, price_id: int) -> Response:
        """Let it hold no longer; calls made under it keep it."""
        return Response(PriceSerializer(budgets.end_price(signin.person(request), price_id)).data)


class RepriceSerializer(serializers.Serializer[Any]):
    """The model whose calls are priced; all of them when none is named."""

    model = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)


class RepricedSerializer(serializers.Serializer[Any]):
    """What was done."""

    priced = serializers.IntegerField()
    left = serializers.IntegerField(help_text="No price held then, or their tokens are not known.")
    closed = serializers.IntegerField(help_text="Their tapes take no entries any more.")


class RepriceApi(APIView):
    """Past calls of unknown price."""

    @shape.answers(
        200, RepricedSerializer, name="costs_reprice", takes=RepriceSerializer, refuses=(401, 403)
    )
    def post(self, request: Request) -> Response:
        """Price them by the prices that held when they were made, as events on their tapes."""
        body = RepriceSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        done = budgets.reprice(signin.person(request), model=body.validated_data["model"])
        return Response(RepricedSerializer(done).data)
