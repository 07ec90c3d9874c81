"""Embeds the entries of tapes that have no vector yet: asynchronous, resumable, within a day's budget."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings

from kb_agent.llm import account, endpoints, passage_vectors
from kb_agent.llm.protocol import ProviderError
from tapes.search import meaning, passages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.llm.models import Endpoint
    from tapes.search.meaning import Space
    from tapes.search.passages import Batch

BATCH = 32
SLICE_SECONDS = 20.0
"""A worker goes on for so long, then lets what waits in its queue have a turn."""
CALL_SECONDS = 120.0
LONGEST_PAUSE = 600.0
SYSTEM = "system/"
"""Tapes whose name begins so hold calls and no words of people."""
_Vectors = list[Any]


class BudgetUsed(Exception):
    """The day's tokens for passages are used up."""


def name_of(endpoint: Endpoint) -> str:
    """The name of the space of an endpoint's vectors: another model has another one."""
    return f"{endpoint.name} {endpoint.model} {endpoint.inputs}"


def fill(*, seconds: float = SLICE_SECONDS) -> int:
    """Embed for some seconds, newest tapes first; returns how many vectors were made.

    Nothing where no endpoint is set up, or another worker is at it. What stops it is noted on
    the space, which then rests.
    """
    endpoint = endpoints.embedding()
    held = meaning.claim(meaning.space(name_of(endpoint)).pk) if endpoint else None
    if endpoint is None or held is None:
        return 0
    filling = _Filling(held, endpoint)
    try:
        filling.run(time.monotonic() + seconds)
    except meaning.Lost:
        return filling.made
    except BudgetUsed as used:
        held.error = str(used)
        tomorrow = datetime.now(tz=UTC).replace(hour=0, minute=0, second=0) + timedelta(days=1)
        meaning.pause(held, (tomorrow - datetime.now(tz=UTC)).total_seconds())
    except ProviderError as trouble:
        held.error, held.failures = str(trouble), min(held.failures + 1, 100)
        asked = getattr(trouble, "retry_after", None) or 0.0
        meaning.pause(held, max(asked, min(5.0 * 2**held.failures, LONGEST_PAUSE)))
    finally:
        meaning.let_go(held)
    return filling.made


class _Filling:
    def __init__(self, held: Space, endpoint: Endpoint) -> None:
        self._held = held
        self._endpoint = endpoint
        self.made = 0

    def run(self, until: float) -> None:
        """Go from tape to tape. Raises `meaning.Lost`, `BudgetUsed`, ProviderError."""
        meaning.keep_only(self._held)
        for due in meaning.due(self._held, without=SYSTEM):
            upto = due.upto
            while True:
                batch = passages.after(due.tape_id, upto, size=BATCH)
                self._write(batch)
                if time.monotonic() >= until:
                    return
                if not batch.passages or batch.upto == upto:
                    break
                upto = batch.upto
        meaning.order(self._held)

    def _write(self, batch: Batch) -> None:
        vectors: _Vectors = []
        for at in range(0, len(batch.passages), BATCH):
            some = batch.passages[at : at + BATCH]
            self._check_budget()
            payer = account.of_system(
                "index",
                tape="tape_search",
                sources={source for passage in some for source in passage.entry.sources},
                said={
                    "tape": batch.tape_id,
                    "first": some[0].entry.seq,
                    "last": some[-1].entry.seq,
                },
            )
            vectors += self._embedded([passage.text for passage in some], payer)
        self.made += meaning.write(self._held, batch, vectors)
        if vectors:
            self._held.error, self._held.failures = "", 0
            meaning.note(self._held, "dimension", "spent", "spent_on", "error", "failures")

    def _check_budget(self) -> None:
        today, held = datetime.now(tz=UTC).date(), self._held
        if held.spent_on != today:
            held.spent_on, held.spent = today, 0
        budget = settings.EMBEDDING_TOKENS_A_DAY
        if budget and held.spent >= budget:
            raise BudgetUsed(f"today's {budget} tokens for tapes are used up")

    def _embedded(self, texts: Sequence[str], payer: account.Account) -> _Vectors:
        held = self._held
        asked = passage_vectors.Passages(self._endpoint, payer, CALL_SECONDS, held.dimension)
        try:
            return asked.vectors(texts)
        finally:
            held.dimension = asked.dimension
            held.spent += asked.tokens
