"""Says why a place matched, in the words of the question and as the code spells them (C6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kb_agent.repositories import terms
from kb_agent.repositories.indexing import analysis
from kb_agent.repositories.search import ranking

if TYPE_CHECKING:
    from kb_agent.repositories.indexing.corpus import Corpus
    from kb_agent.repositories.search.ranking import Part
    from kb_agent.repositories.vocabulary.questions import Concept

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
        return self._spelt.get(term, term.removeprefix("="))

    @cached_property
    def _spelt(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for token in dict.fromkeys(terms.TOKEN.findall(f"{self.symbol} {self.text} {self.path}")):
            for term, word in _words(token):
                if term not in found or len(word) < len(found[term]):
                    found[term] = word
        return found


def matches(number: int, parts: Sequence[Part], corpus: Corpus, spelling: Spelling) -> list[Match]:
    """The matches that gave the document most, each once."""
    in_path = analysis.path_terms(spelling.path)
    in_symbol = set(terms.count(spelling.symbol))
    found: dict[Match, None] = {}
    giving = [part for part in parts if part.score[number] > 0 and part.concept.kind != "pair"]
    for part in sorted(giving, key=lambda part: (_is_part(part), -float(part.score[number]))):
        term = _strongest(part.concept, number, corpus)
        if term and len(found) < MOST:
            kind = _kind(part.concept, term)
            if kind == "word" and term in in_symbol:
                kind = "symbol"
            elif kind == "word" and term in in_path:
                kind = "path"
            found[Match(kind, part.concept.query, spelling.of(term))] = None
    return list(found)


def _is_part(part: Part) -> bool:
    """Whether a word is no whole name: such a name tells most."""
    return not part.concept.terms[0][0].startswith("=")


def _kind(concept: Concept, term: str) -> str:
    """By the vocabulary when another word stands for the question's: a translation, a paraphrase."""
    if concept.chinese:
        return "vocabulary" if term.isascii() else "word"
    others = concept.kind == "phrase" or term in dict((*concept.instead, *concept.beside))
    return "vocabulary" if others else "word"


def _strongest(concept: Concept, number: int, corpus: Corpus) -> str:
    """The term of the concept that stands in the document, the likeliest first."""
    weights = {**dict(concept.instead), **dict(concept.beside), **dict(concept.terms)}
    for term in sorted(weights, key=lambda term: -weights[term]):
        places = ranking.postings(corpus, concept, term)[0]
        at = int(np.searchsorted(places, number))
        if at < len(places) and places[at] == number:
            return term
    return ""


def _words(token: str) -> Iterator[tuple[str, str]]:
    """(term, how the token spells it): its parts in lower case, itself as a whole; Chinese terms stand for themselves."""
    for term in terms.expand(token):
        if term.startswith("=") or token[0] > "\u2fff":
            yield term, token if term.startswith("=") else term
    if token[0] <= "\u2fff":
        for part in terms.PART.findall(token):
            yield terms.stem(part.lower()), part.lower()
