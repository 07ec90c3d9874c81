"""Says why a place matched, in the words of the question and as the code spells them (C6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kb_agent.repositories import analysis, terms

if TYPE_CHECKING:
    from kb_agent.repositories.questions import Group
    from kb_agent.repositories.ranking import Corpus, Scored

MOST = 6


@dataclass(frozen=True)
class Match:
    """A word of the question and the code's word it met: as word, symbol, path or by the vocabulary."""

    kind: str
    query: str
    code: str


@dataclass(frozen=True)
class Spelling:
    """Where a place stands and what it says: what its matches are told with."""

    path: str
    symbol: str
    text: str

    def of(self, term: str) -> str:
        """The term as the place spells it, the shortest way first found; the term itself when it does not."""
        tokens = dict.fromkeys(terms.TOKEN.findall(f"{self.symbol} {self.text} {self.path}"))
        spelt = (word for token in tokens for word in _words(token, term))
        return min(spelt, key=len, default=term.removeprefix("="))


def matches(
    place: Scored, groups: Sequence[Group], corpus: Corpus, spelling: Spelling
) -> list[Match]:
    """The matches that gave most, each once."""
    in_path = analysis.path_terms(spelling.path)
    in_symbol = set(terms.count(spelling.symbol))
    found: dict[Match, None] = {}
    for number, _ in place.shares:
        group = groups[number]
        term = _strongest(group, place, corpus)
        if term and len(found) < MOST:
            kind = group.kind
            if kind == "word" and term in in_symbol:
                kind = "symbol"
            elif kind == "word" and term in in_path:
                kind = "path"
            found[Match(kind, group.query, spelling.of(term))] = None
    return list(found)


def _strongest(group: Group, place: Scored, corpus: Corpus) -> str:
    """The term of the group that stands in the place, the likeliest first."""
    for term in sorted(group.terms, key=lambda term: -group.terms[term]):
        rows = corpus.postings.get(term)
        if rows is not None and np.any(rows["document"] == place.number):
            return term
    return ""


def _words(token: str, term: str) -> Iterator[str]:
    """The parts of a token that the term stands for, in lower case; Chinese terms stand for themselves."""
    if term not in terms.expand(token):
        return
    if term.startswith("=") or token[0] > "\u2fff":
        yield token if term.startswith("=") else term
        return
    for part in terms.PART.findall(token):
        if terms.stem(part.lower()) == term:
            yield part.lower()
