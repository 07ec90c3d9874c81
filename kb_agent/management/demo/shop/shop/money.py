"""Amounts in whole cents, and the one way they are rounded and shared out."""

from __future__ import annotations

from collections.abc import Sequence


def percent(amount: int, rate: int) -> int:
    """`rate` percent of `amount`, rounded half up to a whole cent."""
    return (amount * rate + 50) // 100


def share_out(amount: int, weights: Sequence[int]) -> list[int]:
    """Split `amount` by `weights` without losing a cent: the largest parts take what rounding leaves."""
    total = sum(weights)
    if total == 0:
        return [0 for _ in weights]
    parts = [amount * weight // total for weight in weights]
    left = amount - sum(parts)
    largest = sorted(range(len(weights)), key=lambda index: -weights[index])
    for index in largest[:left]:
        parts[index] += 1
    return parts
