"""Builds what the model is shown for one call, afresh from the tape, under the asker's grants of now."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kb_agent.agent import limits, prompt, room, toolbox, window
from kb_agent.agent.desk import Desk
from kb_agent.llm.account import Account
from kb_agent.repositories import access
from tapes import messages, store
from topics import access as topic_access
from topics.quoting import Quotes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kb_agent.agent.attempt import Attempt
    from kb_agent.llm.protocol import Message, ToolChoice
    from tapes.entries import Entry
    from tapes.messages import Rendered


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One view: the messages, what they are made of, and what the asker may read at this moment."""

    messages: list[Message]
    seqs: list[int]
    withheld: list[int]
    digest: str
    sources: frozenset[int]
    """Repositories whose text is in these messages (C7)."""
    desk: Desk
    tools: list[dict[str, Any]]
    tool_choice: ToolChoice
    system_digest: str
    tools_digest: str


def build(attempt: Attempt) -> Seen:
    """The view of the next call."""
    desk = _desk(attempt)
    last = limits.last_step(attempt)
    system = prompt.system(
        readable=desk.repositories().count(), branch=attempt.turn.branch, last_step=last
    )
    entries = window.entries_of(attempt)
    rendered = _rendered(entries, desk, system)
    tools = toolbox.schemas()
    sources = _sources(entries, shown=set(rendered.seqs) - set(rendered.withheld))
    attempt.in_view |= sources
    return Seen(
        messages=rendered.messages,
        seqs=rendered.seqs,
        withheld=rendered.withheld,
        digest=rendered.digest,
        sources=sources,
        desk=replace(desk, result_tokens=room.for_results(system, tools)),
        tools=tools,
        tool_choice="none" if last else "auto",
        system_digest=store.spill(system),
        tools_digest=store.spill(json.dumps(tools, ensure_ascii=False)),
    )


def messages_of(entries: Sequence[Entry], seen: Seen) -> list[Message]:
    """What would be shown if the window held these entries instead."""
    rendered = _rendered(entries, seen.desk, None).messages
    return [*(one for one in seen.messages[:1] if one["role"] == "system"), *rendered]


def _rendered(entries: Sequence[Entry], desk: Desk, system: str | None) -> Rendered:
    return messages.render(
        entries, readable=desk.readable, system=system, withheld=desk.quotes.hidden(entries)
    )


def _desk(attempt: Attempt) -> Desk:
    """The asker's grants, read anew: they may have changed since the last call."""
    asker = attempt.asker()
    readable = access.readable_ids(asker)
    turn = attempt.turn
    return Desk(
        tape_id=turn.tape_id,
        topic_id=turn.topic_id,
        turn_id=turn.pk,
        readable=readable,
        scope=readable & set(turn.repositories) if turn.repositories else readable,
        branch=turn.branch,
        quotes=Quotes(topic_access.known_to(asker, readable)),
        account=Account(
            purpose="search",
            payer=attempt.asker_id,
            append=attempt.append,
            context=attempt.context(sources=frozenset()),
        ),
    )


def _sources(entries: Iterable[Entry], *, shown: set[int]) -> frozenset[int]:
    return frozenset(source for entry in entries if entry.seq in shown for source in entry.sources)
