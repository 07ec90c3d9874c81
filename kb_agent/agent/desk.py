"""The desk a tool works at: for which turn, and within which repositories."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kb_agent.repositories.models import Branch, Repository
from topics.quoting import Quotes

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from kb_agent.llm.account import Account
    from tapes.entries import Entry, NewEntry


class ToolRefused(Exception):
    """A tool cannot do what it was asked; the message goes back to the model as the result."""

    def __init__(self, code: str, message: str) -> None:
        """Name the refusal and say what to do instead."""
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, kw_only=True)
class Desk:
    """Who asks and what may be opened for them, as it stands at this call."""

    tape_id: int
    topic_id: int
    turn_id: int
    readable: frozenset[int]
    """Every repository the asker may read: what decides over earlier text."""
    scope: frozenset[int]
    """Those the question is limited to: what tools look into."""
    branch: str = ""
    account: Account | None = None
    """Who pays for embedding what is searched for, on this turn's fork."""

    result_tokens: int | None = None
    """Tokens that the results of one step may take together; None for no limit (P8)."""
    quotes: Quotes = field(default_factory=Quotes.of_nobody)
    """Which other topics' words the asker may be shown (P9)."""

    def shows(self, entry: Entry) -> bool:
        """Whether the asker may read an earlier entry: where it came from, and whom it quotes."""
        return self.readable.issuperset(entry.sources) and self.quotes.shown(entry)

    def repositories(self) -> QuerySet[Repository]:
        """The rows in scope."""
        return Repository.objects.filter(pk__in=self.scope, removed_at=None)

    def repository(self, name: str) -> Repository:
        """A repository in scope by name; one that may not be read is as unknown as none at all."""
        found = self.repositories().filter(name=name.strip()).first()
        if found is None:
            # No names: they would be told without the sources that C7 asks for.
            raise ToolRefused(
                "unknown_repository",
                f"there is no repository {name!r}; list_repositories gives the names",
            )
        return found

    def branch_of(self, repository: Repository) -> Branch:
        """The branch the question is about where this repository has it, else its default."""
        indexed = repository.branches.exclude(indexed_commit="")
        wanted = (self.branch, repository.default_branch)
        found = {branch.name: branch for branch in indexed.filter(name__in=wanted)}
        for name in wanted:
            if name in found:
                return found[name]
        raise ToolRefused("not_indexed", f"{repository.name} has not been indexed yet")

    def named(self, repository: str) -> frozenset[int]:
        """The scope, or the one repository named."""
        return frozenset({self.repository(repository).pk}) if repository else self.scope


@dataclass(frozen=True, kw_only=True)
class Output:
    """What a tool gives back: text for the model, data for people, and where the text came from."""

    content: str
    data: dict[str, Any] = field(default_factory=dict)
    sources: frozenset[int] = frozenset()
    topics: frozenset[int] = frozenset()
    """Other topics whose words it repeats: they leave with the right to see those (P9)."""
    then: tuple[NewEntry, ...] = ()
    """What the step appends after its results: anchors set inside a step would orphan its calls."""
