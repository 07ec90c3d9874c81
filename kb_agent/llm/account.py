"""Who pays for an embedding call and on which tape it stands: an event before it and one after (P11, T18)."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import connection

from kb_agent.llm import prices
from kb_agent.llm.protocol import MissingAccount, ProviderError
from tapes import entries, store
from topics.open_calls import ENDED, STARTED

if TYPE_CHECKING:
    from kb_agent.llm.models import Endpoint
    from kb_agent.llm.protocol import Usage
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

    def __post_init__(self) -> None:
        """Refuse a call that no one would be seen to have paid for."""
        if not self.purpose or not self.payer:
            raise MissingAccount("an embedding call needs a purpose and a payer")

    def started(self, endpoint: Endpoint, texts: Sequence[str]) -> str:
        """Record that a call begins; returns the call's id. The texts themselves stay off the tape."""
        call = uuid.uuid4().hex
        sent = json.dumps(list(texts), ensure_ascii=False).encode("utf-8", "replace")
        data = {
            "call": call,
            "kind": endpoint.kind,
            "endpoint": endpoint.name,
            "model": endpoint.model,
            "purpose": self.purpose,
            "payer": self.payer,
            "texts": len(texts),
            "texts_digest": hashlib.sha256(sent).hexdigest(),
        }
        self.append([entries.event(STARTED, data, **self.context)])
        if not connection.in_atomic_block:
            # While a provider answers no connection is held: others of the pool's users need it.
            connection.close()
        return call

    def ended(self, call: str, endpoint: Endpoint, usage: Usage | None, seconds: float) -> None:
        """Record a call that brought vectors."""
        self._ended(call, endpoint, usage, seconds, status="ok")

    def failed(self, call: str, endpoint: Endpoint, error: ProviderError, seconds: float) -> None:
        """Record a call that brought none."""
        said = {"code": error.code, "message": error.message}
        self._ended(call, endpoint, error.usage, seconds, status="failed", error=said)

    def _ended(
        self, call: str, endpoint: Endpoint, usage: Usage | None, seconds: float, **more: Any
    ) -> None:
        data = {
            "call": call,
            "model": endpoint.model,
            **prices.told(endpoint, usage),
            "seconds": round(seconds, 3),
            "finish_reason": None,
            **more,
        }
        self.append([entries.event(ENDED, data, **self.context)])


def of_system(
    purpose: str, *, tape: str, payer: int | str = COMPANY, sources: Iterable[int] = ()
) -> Account:
    """An account on tape `system/<tape>`, for calls that belong to no topic."""
    return Account(
        purpose=purpose,
        payer=payer,
        append=partial(_append, f"system/{tape}"),
        context={"actor": "system", "why": purpose, "sources": sorted(sources)},
    )


def _append(name: str, new: Sequence[NewEntry]) -> None:
    """Append to the tape of this name, which is made with its first entry."""
    store.append(store.in_use(name).pk, new)
