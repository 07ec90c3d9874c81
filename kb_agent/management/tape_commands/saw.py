"""Show what the model saw in every call of a turn, rebuilt and proven by hash."""

from __future__ import annotations

import dataclasses
import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from kb_agent.usecases import refusals, seen

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper

    from kb_agent.usecases.seen import SeenCall


def add_arguments(parser: ArgumentParser) -> None:
    """The turn."""
    parser.add_argument("turn", type=int)


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Print the messages of each call."""
    try:
        calls = seen.at_command_line(options["turn"])
    except refusals.Refusal as refused:
        raise CommandError(f"{refused.code}: {refused}") from refused
    if options["json"]:
        said = [dataclasses.asdict(call) for call in calls]
        out.write(json.dumps(said, ensure_ascii=False))
        return
    out.write("\n".join(line for call in calls for line in _lines(call)) or "no call was made")


def _lines(call: SeenCall) -> Iterator[str]:
    proof = "proven" if call.proven else f"NOT proven{f' ({call.problem})' if call.problem else ''}"
    yield (
        f"== call at {call.seq}, step {call.step}, {call.model}, {call.status}: about"
        f" {call.tokens} tokens, renderer {call.renderer}, {proof}"
    )
    for message in call.messages:
        place = f" entry {message.seq}" if message.seq else ""
        yield f"-- {message.role}{place}, about {message.tokens} tokens"
        yield from (f"{each['name']}({each['arguments']})" for each in message.calls)
        if message.content:
            yield message.content
    for fork in call.hidden.forks:
        yield f"not shown: {fork.entries} entries of fork {fork.id}, {fork.state}"
    if call.hidden.before:
        yield f"not shown: entries 1-{call.hidden.before['last']}, before the window"
    if call.hidden.withheld:
        yield f"withheld from the asker: {', '.join(map(str, call.hidden.withheld))}"
