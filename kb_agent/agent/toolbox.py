"""Offers the tools to the model, checks what it asks of them, and runs them.

A tool is a typed function in `tools/`: its docstring is what the model reads, its signature the
schema. Whatever is wrong with a call, or goes wrong in a tool, comes back to the model as a result;
only a lost database ends the attempt.
"""

from __future__ import annotations

import functools
import inspect
import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import InterfaceError, OperationalError
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from kb_agent.agent.desk import Desk, Output, ToolRefused
from kb_agent.agent.tools import (
    blame,
    correct,
    find_symbol,
    handoff,
    list_anchors,
    list_files,
    list_repositories,
    log,
    look_up_facts,
    mark,
    named_views,
    open_range,
    outline,
    read_lines,
    read_more,
    recall,
    reset,
    search_code,
    search_tape,
)
from tapes import anchors, spilled
from tapes.errors import TapeError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kb_agent.llm.protocol import Signal, ToolSchema
    from tapes.entries import NewEntry

logger = logging.getLogger(__name__)

TOOLS: tuple[Callable[..., Output], ...] = (
    # The order is the order a question is worked through.
    search_code.search_code,
    read_lines.read_lines,
    find_symbol.find_symbol,
    outline.outline,
    list_files.list_files,
    blame.blame,
    log.log,
    list_repositories.list_repositories,
    look_up_facts.look_up_facts,
    search_tape.search_tape,
    list_anchors.list_anchors,
    recall.recall,
    open_range.open_range,
    read_more.read_more,
    named_views.list_views,
    named_views.open_view,
    mark.mark,
    correct.correct,
    handoff.handoff,
    reset.reset,
)
CONTENT_CHARS = 24_000
FEWEST_CHARS, NOTE_CHARS = 600, 200


@dataclass(frozen=True)
class ToolCall:
    """A call as it is recorded. `refused` says why it is not run, and is empty when it is."""

    id: str
    name: str
    arguments: str
    refused: str = ""


@dataclass(frozen=True)
class Results:
    """One result per call, in call order, and the repositories their text came from."""

    results: list[dict[str, Any]]
    sources: frozenset[int]
    topics: frozenset[int] = frozenset()
    """Other topics whose words are in them."""
    then: tuple[NewEntry, ...] = ()
    """What follows the results: handoffs first, so that marks of the step stand in the new window."""


@functools.cache
def _by_name() -> dict[str, Callable[..., Output]]:
    return {tool.__name__: tool for tool in TOOLS}


@functools.cache
def _arguments_of(tool: Callable[..., Output]) -> type[BaseModel]:
    """The arguments a tool takes, read from its signature; the desk is ours to give."""
    signature = inspect.signature(tool, eval_str=True)
    fields: dict[str, Any] = {
        name: (parameter.annotation, _default(parameter))
        for name, parameter in signature.parameters.items()
        if name != "desk"
    }
    return create_model(tool.__name__, __config__=ConfigDict(extra="forbid"), **fields)


def _default(parameter: inspect.Parameter) -> Any:
    return ... if parameter.default is inspect.Parameter.empty else Field(parameter.default)


def schemas() -> list[ToolSchema]:
    """The tools as Chat Completions functions."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.__name__,
                "description": inspect.cleandoc(tool.__doc__ or ""),
                "parameters": _without_titles(_arguments_of(tool).model_json_schema()),
            },
        }
        for tool in TOOLS
    ]


def _without_titles(schema: dict[str, Any]) -> dict[str, Any]:
    properties = {
        name: {key: value for key, value in field.items() if key != "title"}
        for name, field in schema.get("properties", {}).items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": schema.get("required", []),
        "additionalProperties": False,
    }


def run(calls: Sequence[ToolCall], desk: Desk, stopped: Signal) -> Results:
    """Run calls one after another. A stop lets the calls that have not begun go unrun."""
    results: list[dict[str, Any]] = []
    sources: frozenset[int] = frozenset()
    topics: frozenset[int] = frozenset()
    then: list[NewEntry] = []
    for call in calls:
        began = time.monotonic()
        output, error = _STOPPED if stopped.is_set() else _run_one(call, desk)
        sources |= output.sources
        topics |= output.topics
        then += output.then
        results.append(
            {
                "id": call.id,
                "name": call.name,
                **_capped(output.content, _most_chars(output.content, desk, len(calls))),
                "data": output.data,
                "seconds": round(time.monotonic() - began, 3),
                "error": error,
            }
        )
    then.sort(key=lambda entry: str(entry.payload["name"]).startswith(anchors.MARK))
    return Results(results, sources, topics, tuple(then))


_Ran = tuple[Output, str | None]
_STOPPED: _Ran = (Output(content="not run: the turn was stopped"), "stopped")


def _run_one(call: ToolCall, desk: Desk) -> _Ran:
    if call.refused:
        return Output(content=_REFUSALS[call.refused]), call.refused
    tool = _by_name().get(call.name)
    if tool is None:
        known = ", ".join(_by_name())
        return Output(
            content=f"There is no tool {call.name!r}. The tools are: {known}."
        ), "unknown_tool"
    try:
        arguments = _arguments_of(tool).model_validate_json(call.arguments)
        return tool(desk, **dict(arguments)), None
    except ValidationError as error:
        return Output(content=_complaint(error)), "bad_arguments"
    except ToolRefused as refusal:
        return Output(content=refusal.message), refusal.code
    except (OperationalError, InterfaceError, TapeError):
        # The ground the whole turn stands on: an attempt without it is another attempt's to finish.
        raise
    except Exception as failure:
        logger.exception("tool %s failed", call.name)
        kind = type(failure).__name__
        return Output(content=f"The tool failed ({kind}). Try another way."), "tool_failed"


_REFUSALS = {
    "malformed_arguments": "The arguments were not a JSON object, so the tool was not run. Call it again with valid JSON.",
    "truncated": "The answer was cut off at its length limit while this call was being written, so the tool was"
    " not run. Call it again, with fewer calls at once.",
}


def _complaint(error: ValidationError) -> str:
    faults = [
        f"- {'.'.join(map(str, fault['loc'])) or 'arguments'}: {fault['msg']}"
        for fault in error.errors(include_url=False, include_input=False)
    ]
    return "The tool was not run; its arguments are wrong:\n" + "\n".join(faults)


def _most_chars(content: str, desk: Desk, calls: int) -> int:
    """How long a result may be: less than CONTENT_CHARS where the model's window is small (P8)."""
    if desk.result_tokens is None:
        return CONTENT_CHARS
    # At four bytes of UTF-8 a token; the more bytes its characters take, the fewer there may be.
    bytes_each = len(content.encode("utf-8", "replace")) / max(len(content), 1)
    share = desk.result_tokens * 4 / max(bytes_each, 1) / calls
    return min(CONTENT_CHARS, max(FEWEST_CHARS, int(share)))


def _capped(content: str, most: int) -> dict[str, Any]:
    """The content, at most so long; more is kept in pages, and the first of them says so (T17)."""
    if len(content) <= most:
        return {"content": content}
    # Only a short result has pages of its own: others are of the usual length.
    spill = spilled.keep(content, page_chars=None if most == CONTENT_CHARS else most - NOTE_CHARS)
    first = spilled.page(spill, 1)
    note = (
        f"[cut here: page 1 of {spill['pages']}, {len(first)} of {spill['chars']} characters;"
        f' read_more(id="{spill["id"][: spilled.SHORT]}", page=2) shows the next,'
        " or ask for a narrower range]"
    )
    return {"content": f"{first.rstrip()}\n{note}", "spill": spill}
