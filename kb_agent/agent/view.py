"""Builds what the model is shown for one call, afresh from the tape, under the asker's grants of now."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb_agent.agent import limits, prompt, toolbox
from kb_agent.agent.desk import Desk
from kb_agent.llm.account import Account
from kb_agent.repositories import access
from tapes import messages, store, views
from tapes.views import View

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb_agent.agent.attempt import Attempt
    from kb_agent.llm.protocol import Message, ToolChoice
    from tapes.entries import Entry


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
    turn = attempt.claimed
    window = View.turn(fork_id=turn.fork.id, base_seq=turn.fork.base_seq, turn_ids=attempt.turn_ids)
    entries = views.read(attempt.turn.tape_id, window)
    rendered = messages.render(entries, readable=desk.readable, system=system)
    tools = toolbox.schemas()
    sources = _sources(entries, shown=set(rendered.seqs) - set(rendered.withheld))
    attempt.in_view |= sources
    return Seen(
        messages=rendered.messages,
        seqs=rendered.seqs,
        withheld=rendered.withheld,
        digest=rendered.digest,
        sources=sources,
        desk=desk,
        tools=tools,
        tool_choice="none" if last else "auto",
        system_digest=store.spill(system),
        tools_digest=store.spill(json.dumps(tools, ensure_ascii=False)),
    )


def _desk(attempt: Attempt) -> Desk:
    """The asker's grants, read anew: they may have changed since the last call."""
    readable = access.readable_ids(attempt.asker())
    turn = attempt.turn
    return Desk(
        tape_id=turn.tape_id,
        topic_id=turn.topic_id,
        turn_id=turn.pk,
        readable=readable,
        scope=readable & set(turn.repositories) if turn.repositories else readable,
        branch=turn.branch,
        account=Account(
            purpose="search",
            payer=attempt.asker_id,
            append=attempt.append,
            context=attempt.context(sources=frozenset()),
        ),
    )


def _sources(entries: Iterable[Entry], *, shown: set[int]) -> frozenset[int]:
    return frozenset(source for entry in entries if entry.seq in shown for source in entry.sources)
