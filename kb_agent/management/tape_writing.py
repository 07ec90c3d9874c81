"""What the verbs that write on a tape share: as whom, on which tape, how refusals and answers read."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from kb_agent.usecases import people, refusals
from tapes import store

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper

    from kb_agent.accounts.models import User
    from tapes.store import Tape


def add_person(parser: argparse.ArgumentParser) -> None:
    """As whom: the operator, who may act on every tape, when left out."""
    parser.add_argument("--as", dest="person", metavar="USER", help="act as this person")


def state(text: str) -> dict[str, Any]:
    """An object in JSON, from the command line."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"this is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise argparse.ArgumentTypeError("a state is an object")
    return found


@contextmanager
def act(options: Mapping[str, Any]) -> Iterator[tuple[User | None, Tape]]:
    """Who acts, and on which tape; a refusal is said in one line, with exit code 1."""
    try:
        by = people.named(options["person"]) if options["person"] else None
        yield by, store.by_name(options["name"])
    except refusals.Refusal as refused:
        raise CommandError(f"{refused.code}: {refused}") from refused


def say(out: OutputWrapper, options: Mapping[str, Any], said: Mapping[str, Any]) -> None:
    """One object in JSON, or its words on a line."""
    if options["json"]:
        out.write(json.dumps(said, ensure_ascii=False))
    else:
        out.write(", ".join(f"{name} {value}" for name, value in said.items()))
