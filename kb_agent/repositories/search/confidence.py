"""Tells whether a question is answered here at all: most of its words are words of this company, in one repository.

Weights were fitted on answerable and unanswerable questions of the benchmark company (docs/decisions); they hold for
a company of several repositories. For less there is a plainer rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kb_agent.repositories import terms

if TYPE_CHECKING:
    from kb_agent.repositories.indexing.corpus import Corpus
    from kb_agent.repositories.search.ranking import Part, Scores
    from kb_agent.repositories.vocabulary.questions import Concept

REACHED, FIT, UNKNOWN, CONSTANT = 0.95, 0.71, -10.9, 0.5
MOST_RARE = 8.0
# An English word in fewer chunks is no word of this company.
KNOWN_SHARE, KNOWN_LEAST = 0.0008, 3
# A company so small, or a search in so few repositories, gives no statistics to go by: there the best file must meet
# half of the words.
SMALL_CHUNKS, FEW_REPOSITORIES = 5000, 4
LEAST_MET = 0.5


def found(
    corpus: Corpus,
    concepts: Sequence[Concept],
    scores: Scores,
    fits: Mapping[int, float],
) -> bool:
    """Whether what was found answers the question. `fits` is `ranking.fits`."""
    if not scores.best:
        return False
    single = [
        each for each in concepts if each.kind != "phrase" and not each.terms[0][0].startswith("=")
    ]
    if corpus.documents.count < SMALL_CHUNKS or len(fits) < FEW_REPOSITORIES:
        return _met(corpus, concepts, scores) >= LEAST_MET
    signs = _signs(corpus, single, scores.parts, best=scores.best, fits=fits)
    return sum(signs) + CONSTANT >= 0


def _signs(
    corpus: Corpus,
    concepts: Sequence[Concept],
    parts: Sequence[Part],
    *,
    best: float,
    fits: Mapping[int, float],
) -> list[float]:
    """The best file's score against what the words could reach; the best repository's fit; how many words are unknown."""
    rarity = {part.concept.query: part.rarity for part in parts}
    weight = sum(each.weight for each in concepts) or 1.0
    reachable = sum(
        min(rarity.get(each.query, MOST_RARE), MOST_RARE) * each.weight for each in concepts
    )
    unknown = [each for each in concepts if not _known(corpus, each)]
    return [
        REACHED * best / (reachable or 1.0),
        FIT * max(fits.values(), default=0.0) / weight,
        UNKNOWN * _share(concepts, unknown),
    ]


def _share(concepts: Sequence[Concept], some: Sequence[Concept]) -> float:
    return sum(each.weight for each in some) / (sum(each.weight for each in concepts) or 1.0)


def _known(corpus: Corpus, concept: Concept) -> bool:
    """Whether the company uses the word: in its Chinese texts, or in enough of its code."""
    if concept.known is None:
        return all(len(corpus.of(bigram)[0]) for bigram in terms.bigrams(concept.query))
    if concept.chinese:
        return concept.known
    least = max(KNOWN_LEAST, KNOWN_SHARE * corpus.documents.count)
    return len(corpus.of(concept.terms[0][0])[0]) >= least


def _met(corpus: Corpus, concepts: Sequence[Concept], scores: Scores) -> float:
    """The share of the question's words that the best file meets."""
    first = corpus.documents.first_of_file
    best = int(scores.files.argmax())
    end = int(first[best + 1]) if best + 1 < len(first) else len(corpus.documents.file)
    here = slice(int(first[best]), end)
    met = {part.concept.query for part in scores.parts if float(part.score[here].max()) > 0}
    return _share(concepts, [each for each in concepts if each.query in met])
