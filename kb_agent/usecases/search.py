"""What a person can do with search: find places in the code they may read, without asking."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kb_agent.llm import account
from kb_agent.repositories import access, measuring, search
from kb_agent.usecases import refusals

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from kb_agent.repositories.search import Results

LONGEST = 4000
MOST = 100
SIGNALS = measuring.SIGNALS


def find(
    person: User,
    query: str,
    *,
    repositories: Iterable[str] = (),
    branch: str = "",
    limit: int = 10,
    without: Iterable[str] = (),
) -> Results:
    """Search what `person` reads, `without` some of `SIGNALS` to measure them. Raises `refusals.Invalid`, and `refusals.NotFound` for a repository out of reach."""
    if not query.strip():
        raise refusals.Invalid("The question is empty.", code="empty_query")
    if len(query) > LONGEST:
        raise refusals.Invalid(
            f"The question has more than {LONGEST} characters.", code="query_too_long"
        )
    if not 1 <= limit <= MOST:
        raise refusals.Invalid(f"The limit must be between 1 and {MOST}.", code="bad_limit")
    names = list(repositories)
    readable = access.readable(person)
    chosen = dict(readable.filter(name__in=names).values_list("name", "pk"))
    if set(names) - chosen.keys():
        raise refusals.NotFound("repository")
    ids = readable.values_list("pk", flat=True)
    return search.search(
        query,
        readable=ids,
        repositories=chosen.values(),
        branch=branch,
        limit=limit,
        signals=measuring.Signals(
            frozenset(without), account.of_system("search", tape="search", payer=person.pk)
        ),
    )
