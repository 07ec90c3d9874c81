"""Search of tapes by meaning: asks for a question's vector, and for the entries nearest to it (T13)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kb_agent.llm import endpoints, question_vectors, tape_vectors
from tapes import search
from tapes.search import EVERYTHING, Only, meaning, nearness

if TYPE_CHECKING:
    from kb_agent.llm.account import Account
    from tapes.search import Found
    from tapes.search.nearness import Near, Where


def find(
    tape_id: int,
    query: str,
    *,
    limit: int = 20,
    readable: Iterable[int],
    only: Only = EVERYTHING,
    account: Account | None,
) -> Found:
    """Search a tape in all three tiers; by meaning only where words have not found enough.

    The query leaves the house for that, so the caller has masked its secrets. Raises
    `UnknownTape`.
    """
    ids = frozenset(readable)
    found = search.search(tape_id, query, limit=limit, readable=ids, only=only)
    if len(found.hits) >= limit:
        return found
    where = nearness.Where(
        tapes=[tape_id] if only.topic_ids is None else [],
        topics=only.topic_ids or (),
        readable=ids,
        kinds=only.kinds,
    )
    meant = near(query, where, account=account)
    return search.add_meaning(found, tape_id, meant, limit=limit, readable=ids, only=only)


def near(
    question: str, where: Where, *, account: Account | None, limit: int = nearness.MOST
) -> list[Near]:
    """The entries nearest to a question, among those that may be seen.

    Empty where no endpoint is set up, nothing is embedded yet, nobody pays for the call, or the
    endpoint does not answer in time: meaning is never required.
    """
    endpoint = endpoints.embedding() if account is not None and question.strip() else None
    space = meaning.serving(tape_vectors.name_of(endpoint)) if endpoint else None
    if account is None or endpoint is None or space is None:
        return []
    vector = question_vectors.vector(
        endpoint, question.strip(), account=account, dimension=space.dimension
    )
    return [] if vector is None else nearness.near(space, vector, where, limit=limit)
