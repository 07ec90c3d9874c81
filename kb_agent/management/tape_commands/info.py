"""Tell what stands on a tape: entries by kind, anchors, topics, forks, cost, the last check."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kb_agent.usecases import tapes
from tapes import store

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def add_arguments(parser: ArgumentParser) -> None:
    """The tape."""
    parser.add_argument("name")


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Print a line for each of them."""
    found = tapes.told(store.by_name(options["name"]))
    if options["json"]:
        out.write(json.dumps(found, ensure_ascii=False))
        return
    kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(found["counts"].items()))
    out.write(f"{found['id']} {found['name']}: {found['head']} entries ({kinds})")
    for topic in found["topics"]:
        until = topic["last"] or "now"
        out.write(
            f"topic {topic['id']}, {topic['first']}-{until}, {topic['status']}: {topic['title']}"
        )
    states = ", ".join(f"{number} {state}" for state, number in found["forks"].items())
    out.write(f"forks: {states or 'none'}")
    if found["cost"]:
        out.write(f"cost: {_spent(found['cost'])}")
    if found["verified"] and found["verified"]["ok"] is not None:
        bad = found["verified"]["first_bad_seq"]
        out.write(f"last check: {'whole' if bad is None else f'CHANGED at seq {bad}'}")


def _spent(cost: Mapping[str, Any]) -> str:
    amounts = [f"{each['amount']} {each['currency']}" for each in cost["money"]]
    unknown = cost["unknown_calls"]
    return ", ".join([*amounts, *([f"{unknown} calls without a price"] if unknown else [])]) or "0"
