"""What calls cost together, as every route says it (P11)."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class SpentMoneySerializer(serializers.Serializer[Any]):
    """An amount to its last digit, in one currency; currencies are never summed."""

    amount = serializers.CharField()
    currency = serializers.CharField()


class SpentTokensSerializer(serializers.Serializer[Any]):
    """Tokens in counts that do not overlap."""

    input = serializers.IntegerField()
    cached = serializers.IntegerField()
    output = serializers.IntegerField()
    reasoning = serializers.IntegerField()


class SpentSerializer(serializers.Serializer[Any]):
    """Money by currency, tokens, and how many calls have no known price."""

    money = SpentMoneySerializer(many=True)
    tokens = SpentTokensSerializer()
    unknown_calls = serializers.IntegerField(help_text="Calls whose price is not known.")
