"""Who pays for an embedding call and on which tape it stands: an event before it and one after (P11, T18)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from kb_agent.llm import call_events
from kb_agent.llm.protocol import MissingAccount
from tapes import entries, store
from topics.open_calls import ENDED, STARTED

if TYPE_CHECKING:
    from kb_agent.llm.models import Endpoint
    from kb_agent.llm.protocol import ProviderError, Usage
    from tapes.entries import Context, NewEntry

COMPANY = "company"
"""Pays for what no person asked for, such as indexing."""


@dataclass(frozen=True, kw_only=True)
class Account:
    """A purpose, a payer (a person's id, or `COMPANY`), and how entries get on the tape of the call.

    Raises MissingAccount without purpose or payer.
    """

    purpose: str
    payer: int | str
    append: Callable[[Sequence[NewEntry]], object]
    context: Context
    said: Mapping[str, Any] = field(default_factory=dict)
    """What the events say of the texts instead of their digest, against which words that were
    erased since could be guessed (T19)."""

    def __post_init__(self) -> None:
        """Refuse a call that no one would be seen to have paid for."""
        if not self.purpose or not self.payer:
            raise MissingAccount("an embedding call needs a purpose and a payer")

    def started(self, call: str, endpoint: Endpoint, texts: Sequence[str]) -> None:
        """Record that a call begins. The texts themselves stay off the tape."""
        data = {
            "call": call,
            "kind": endpoint.kind,
            "endpoint": endpoint.name,
            "model": endpoint.model,
            "purpose": self.purpose,
            "payer": self.payer,
            "texts": len(texts),
            **(self.said or {"texts_digest": _digest(texts)}),
        }
        self.append([entries.event(STARTED, data, **self.context)])
        call_events.give_back_connection()

    def ended(self, call: str, endpoint: Endpoint, usage: Usage | None, seconds: float) -> None:
        """Record a call that brought vectors."""
        data = call_events.ended(call, endpoint, usage, seconds, status="ok")
        self.append([entries.event(ENDED, data, **self.context)])

    def failed(self, call: str, endpoint: Endpoint, error: ProviderError, seconds: float) -> None:
        """Record a call that brought none."""
        data = call_events.failed(call, endpoint, error, seconds)
        self.append([entries.event(ENDED, data, **self.context)])


def _digest(texts: Sequence[str]) -> str:
    sent = json.dumps(list(texts), ensure_ascii=False).encode("utf-8", "replace")
    return hashlib.sha256(sent).hexdigest()


def of_system(
    purpose: str,
    *,
    tape: str,
    payer: int | str = COMPANY,
    sources: Iterable[int] = (),
    said: Mapping[str, Any] | None = None,
) -> Account:
    """An account on tape `system/<tape>`, for calls that belong to no topic."""
    return Account(
        purpose=purpose,
        payer=payer,
        append=partial(_append, f"system/{tape}"),
        context={"actor": "system", "why": purpose, "sources": sorted(sources)},
        said=said or {},
    )


def _append(name: str, new: Sequence[NewEntry]) -> None:
    """Append to the tape of this name, which is made with its first entry."""
    store.append(store.in_use(name).pk, new)
