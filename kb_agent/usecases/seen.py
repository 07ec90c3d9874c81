"""What the model saw: the messages of every call of a turn, rebuilt and proven by hash (T18)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb_agent.llm import usage
from kb_agent.usecases import refusals, tape_forks
from kb_agent.usecases import turns as turn_cases
from kb_agent.usecases.access import Access
from tapes import browsing, saw, spilled, store, views
from topics import experiments
from topics.models import Turn
from topics.open_calls import ENDED, STARTED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kb_agent.accounts.models import User
    from kb_agent.usecases.tape_forks import ShownFork
    from kb_agent.usecases.turns import Cost
    from tapes.entries import Entry


@dataclass(frozen=True)
class SeenMessage:
    """A message as it was sent; one from code the reader may not read is withheld."""

    role: str
    content: str | None
    calls: list[dict[str, str]]
    seq: int | None
    """The entry it came from; None for the system prompt."""
    tokens: int
    """Estimated."""
    capped: dict[str, Any] | None
    """Where a tool's output was cut: `{id, chars, pages, shown}` (T17)."""
    withheld: bool


@dataclass(frozen=True)
class NotShown:
    """What of the tape was not shown to the model."""

    withheld: list[int]
    """Entries whose text was withheld from the asker."""
    before: dict[str, int] | None
    """`{first, last}`: entries before the window."""
    forks: list[ShownFork]
    """Forks whose entries stood within the window and were hidden."""


@dataclass(frozen=True)
class SeenCall:
    """One model call as it was made."""

    seq: int
    step: int | None
    model: str
    endpoint: str
    purpose: str
    status: str
    renderer: int | None
    """None for a call beside the turn: it was made of no window."""
    proven: bool
    """Whether the rebuilt messages have the hash noted before the call."""
    problem: str
    """Why they could not be rebuilt, as a code; else empty."""
    tools: list[str]
    messages: list[SeenMessage]
    tokens: int
    hidden: NotShown
    usage: dict[str, int] | None
    cost: Cost | None
    seconds: float | None


def show(user: User, turn_id: int) -> list[SeenCall]:
    """What the model saw in every call of a turn that this person may see."""
    access = Access(user)
    return _calls(access, access.turn(turn_id))


def at_command_line(turn_id: int) -> list[SeenCall]:
    """The same for the operator, who reads everything. Raises `NotFound`."""
    turn = Turn.objects.filter(pk=turn_id).first()
    if turn is None:
        raise refusals.NotFound("turn")
    return _calls(None, turn)


def _calls(access: Access | None, turn: Turn) -> list[SeenCall]:
    events = experiments.entries_of(turn, "event")
    ended = {
        entry.payload["data"].get("call"): entry.payload["data"]
        for entry in events
        if entry.payload["name"] == ENDED
    }
    return [
        _call(access, turn, entry, ended.get(entry.payload["data"]["call"], {}))
        for entry in events
        if entry.payload["name"] == STARTED and _rebuildable(entry.payload["data"])
    ]


def _rebuildable(call: Mapping[str, Any]) -> bool:
    return "seqs" in call or "messages" in call


def _call(access: Access | None, turn: Turn, started: Entry, ended: Mapping[str, Any]) -> SeenCall:
    call = started.payload["data"]
    seen, problem = _rebuilt(turn.tape_id, call)
    messages = _messages(access, started, seen) if seen else []
    told = [dict(ended)] if ended else []
    return SeenCall(
        seq=started.seq,
        step=call.get("step"),
        model=str(ended.get("model") or call["model"]),
        endpoint=str(call.get("endpoint", "")),
        purpose=str(call["purpose"]),
        status=str(ended.get("status", "unknown")),
        renderer=call.get("renderer"),
        proven=bool(seen and seen.proven),
        problem=problem,
        tools=_tools(seen.tools) if seen else [],
        messages=messages,
        tokens=sum(message.tokens for message in messages),
        hidden=_hidden(access, turn, started),
        usage=turn_cases.usage_of(told),
        cost=turn_cases.cost_of(told),
        seconds=ended.get("seconds"),
    )


def _rebuilt(tape_id: int, call: Mapping[str, Any]) -> tuple[saw.Seen | None, str]:
    try:
        seen = saw.rebuild(tape_id, call)
    except (saw.EntriesMissing, store.UnknownSpill) as missing:
        return None, missing.code
    return seen, "erased" if seen.erased else ""


def _messages(access: Access | None, started: Entry, seen: saw.Seen) -> list[SeenMessage]:
    """Each as far as the reader may read its entry; of a call beside the turn, all or none."""
    sources = {
        entry.seq: entry
        for entry in views.at((started.tape_id, seq) for seq in set(seen.places) if seq is not None)
    }
    withheld = _is_withheld(access, started)
    return [
        _message(
            access,
            message,
            sources.get(place) if place is not None else None,
            withheld=withheld and message["role"] != "system",
        )
        for message, place in zip(seen.messages, seen.places, strict=True)
    ]


def _is_withheld(access: Access | None, started: Entry) -> bool:
    """Whether a call beside the turn had words before it that the reader may not read."""
    call = started.payload["data"]
    if access is None or "messages" not in call:
        return False
    others = set(call.get("of_topics", ()))
    known = access.topics().filter(pk__in=others).count()
    return known < len(others) or not access.shows(started.sources)


def _message(
    access: Access | None, said: Mapping[str, Any], entry: Entry | None, *, withheld: bool
) -> SeenMessage:
    content = said.get("content") or ""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    calls = [{"id": call["id"], **call["function"]} for call in said.get("tool_calls") or ()]
    withheld = withheld or bool(access and entry and not access.shows_entry(entry))
    return SeenMessage(
        role=said["role"],
        content=None if withheld else text,
        calls=[] if withheld else calls,
        seq=entry.seq if entry else None,
        tokens=usage.estimate(text + "".join(call["arguments"] for call in calls)),
        capped=_capped(entry, said.get("tool_call_id"), len(text)),
        withheld=withheld,
    )


def _capped(entry: Entry | None, call_id: str | None, shown: int) -> dict[str, Any] | None:
    spill = spilled.of_call(entry, call_id) if entry and call_id else None
    return {**spill, "shown": shown} if spill else None


def _tools(schemas: str | None) -> list[str]:
    return [tool["function"]["name"] for tool in json.loads(schemas or "[]")]


def _hidden(access: Access | None, turn: Turn, started: Entry) -> NotShown:
    call = started.payload["data"]
    seqs: Sequence[int] = call.get("seqs", ())
    if not seqs:
        return NotShown([], None, [])
    first, shown = min(seqs), sorted(set(seqs))
    spans = browsing.forks_between(turn.tape_id, first, started.seq)
    seen = {entry.fork_id for entry in views.at((turn.tape_id, seq) for seq in shown)}
    hidden = [span for span in spans if span.id not in {*seen, turn.fork_id}]
    before = {"first": 1, "last": first - 1} if first > 1 else None
    forks = tape_forks.shown(turn.tape_id, hidden)
    if access is not None:
        forks = tape_forks.seen_by(access, turn.tape_id, forks)
    return NotShown(list(call.get("withheld", ())), before, forks)
