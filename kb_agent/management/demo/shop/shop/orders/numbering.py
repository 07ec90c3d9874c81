"""Gives orders their numbers: the day, a running number, a check digit."""

from __future__ import annotations

from datetime import date

WEIGHTS = (3, 1)


def order_number(day: date, running: int) -> str:
    """Such as 20260115-00042-7: the last digit finds a mistyped number on the phone."""
    digits = f"{day:%Y%m%d}{running:05d}"
    return f"{day:%Y%m%d}-{running:05d}-{check_digit(digits)}"


def check_digit(digits: str) -> int:
    """The digit that makes the weighted sum a multiple of ten."""
    total = sum(int(digit) * WEIGHTS[index % 2] for index, digit in enumerate(digits))
    return -total % 10


def is_number(text: str) -> bool:
    """Whether `text` is an order number with the right check digit."""
    parts = text.split("-")
    if [len(part) for part in parts] != [8, 5, 1] or not "".join(parts).isdigit():
        return False
    return check_digit(parts[0] + parts[1]) == int(parts[2])
