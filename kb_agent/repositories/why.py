"""Says why a place matched, in the words of the question and of the code (C6)."""

from __future__ import annotations

from collections.abc import Sequence
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


def matches(
    place: Scored, groups: Sequence[Group], corpus: Corpus, *, path: str, symbol: str
) -> list[Match]:
    """The matches that gave most, each once."""
    in_path = analysis.path_terms(path)
    in_symbol = set(terms.count(symbol))
    found: dict[Match, None] = {}
    for number, _ in place.shares:
        group = groups[number]
        code = _strongest(group, place, corpus)
        if not code:
            continue
        kind = group.kind
        if kind == "word" and code in in_symbol:
            kind = "symbol"
        elif kind == "word" and code in in_path:
            kind = "path"
        found[Match(kind, group.query, code.removeprefix("="))] = None
    return list(found)[:MOST]


def _strongest(group: Group, place: Scored, corpus: Corpus) -> str:
    """The term of the group that stands in the place, the likeliest first."""
    for term in sorted(group.terms, key=lambda term: -group.terms[term]):
        rows = corpus.postings.get(term)
        if rows is None:
            continue
        documents = corpus.documents[rows["document"]]
        if np.any((documents["file"] == place.file_id) & (documents["ordinal"] == place.ordinal)):
            return term
    return ""
