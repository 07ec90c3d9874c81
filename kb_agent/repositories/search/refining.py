"""Ranks the first files of a search anew among those of their repository, by finer signs that are weighed together.

The ranking of all files is a sum over words. Here each of the first files is looked at as a whole: how much of it is about
the subject, how much of the question its best places meet together, whether its name says it. Code of one repository
trades places, and so does what is no code. Each repository keeps its ranks and scores, so which one a question lands in,
and how sure that is, stays.

The weights are data: fitted to the right files of questions with known places, and tried on repositories that took no part
in fitting (docs/decisions).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kb_agent.repositories import terms
from kb_agent.repositories.models import File
from kb_agent.repositories.search import ranking

if TYPE_CHECKING:
    from kb_agent.repositories.indexing.corpus import Corpus
    from kb_agent.repositories.search.ranking import Part, Scores

FIRST = 30
# Files whose role weighs so much are code; pages, templates and tests trade places only among themselves.
CODE = 0.85
# A place meets a word that gives it this share of what the word could give.
MET, MOST_DECISIONS = 0.2, 6.0
# By how much the logarithm of a file's score grows for each sign: what its best place decides; how many of its places are
# half as good as the best, of how many, and how long that is; what share of the words its best place meets, and of their
# worth its best two and three together; what its name says; what of all that is due to words that only name the system.
# The name is held far below its fit (.9), at little loss: clients of an API bear the names of all that others decide.
WEIGHTS: dict[str, float] = {
    "decides": 0.125,
    "good places": 0.05,
    "places": -0.03,
    "length": -0.08,
    "met in the best": 0.41,
    "met in two": 0.44,
    "met in three": 0.57,
    "name": 0.2,
    "system in the file": -1.03,
    "system in the best": -0.98,
}


@dataclass(frozen=True)
class Reach:
    """The question's single words: what each gives every chunk, what it could give at most, whether it names a system."""

    parts: Sequence[Part]
    most: np.ndarray
    system: np.ndarray

    @property
    def total(self) -> float:
        """What a place that met every word fully would get."""
        return float(self.most.sum()) or 1.0


def refined(corpus: Corpus, scores: Scores, systems: Collection[str]) -> Scores:
    """The scores, those of the first files dealt out anew; `systems` are words of the question that only name a system."""
    order = np.lexsort((np.arange(len(scores.files)), -scores.files))[:FIRST]
    first = order[scores.files[order] > 0]
    if len(first) < 2:
        return scores
    found = signs(corpus, scores, first, systems)
    value = np.log(scores.files[first]) + sum(WEIGHTS[name] * each for name, each in found.items())
    kin = peers(corpus, first)
    files = scores.files.copy()
    for one in np.unique(kin):
        own = np.flatnonzero(kin == one)
        files[first[own[np.argsort(-value[own], kind="stable")]]] = scores.files[first[own]]
    return replace(scores, files=files)


def peers(corpus: Corpus, first: np.ndarray) -> np.ndarray:
    """A number for each file, the same for those that trade places: of one repository, code or not."""
    at = corpus.documents.first_of_file[first]
    kin: np.ndarray = corpus.documents.repository[at] * 2 + (corpus.documents.role[at] >= CODE)
    return kin


def signs(
    corpus: Corpus, scores: Scores, first: np.ndarray, systems: Collection[str]
) -> dict[str, np.ndarray]:
    """What is looked at, by name, a value a file; `first` are files, best first."""
    reach = _reach(scores.parts, systems)
    rows = [_of_file(corpus, scores, reach, file) for file in first.tolist()]
    found = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    found["name"] = np.array(_named(corpus, reach, first))
    return found


def _reach(parts: Sequence[Part], systems: Collection[str]) -> Reach:
    single = [part for part in parts if part.concept.kind != "pair"]
    most = [part.rarity * part.concept.weight * (ranking.K1 + 1) for part in single]
    system = [part.concept.query in systems for part in single]
    return Reach(single, np.maximum(np.array(most), 1e-6), np.array(system, float))


def _of_file(corpus: Corpus, scores: Scores, reach: Reach, file: int) -> Mapping[str, float]:
    documents = corpus.documents
    starts = documents.first_of_file
    end = int(starts[file + 1]) if file + 1 < len(starts) else len(documents.file)
    here = slice(int(starts[file]), end)
    chunks = scores.chunks[here]
    given = np.array([part.score[here] for part in reach.parts])
    top = np.argsort(-chunks, kind="stable")[:3]
    best = int(top[0])
    at = here.start + best
    return {
        "decides": min(float(documents.decisions[at]), MOST_DECISIONS) / MOST_DECISIONS,
        "good places": math.log1p(int((chunks > chunks[best] / 2).sum())),
        "places": math.log(len(chunks)),
        "length": math.log1p(float(documents.length[at])),
        "met in the best": float((given[:, best] / reach.most > MET).mean()),
        "met in two": float(given[:, top[:2]].max(axis=1).sum()) / reach.total,
        "met in three": float(given[:, top].max(axis=1).sum()) / reach.total,
        "system in the file": float(given.max(axis=1) @ reach.system) / reach.total,
        "system in the best": float(given[:, best] @ reach.system) / reach.total,
    }


def _named(corpus: Corpus, reach: Reach, first: np.ndarray) -> list[float]:
    """The share of the question that each file's own name says."""
    ids = corpus.documents.file[corpus.documents.first_of_file[first]].tolist()
    paths = dict(File.objects.filter(pk__in=ids).values_list("pk", "path"))
    stands = [dict((*part.concept.beside, *part.concept.terms)) for part in reach.parts]
    return [_says(paths.get(pk, ""), reach, stands) for pk in ids]


def _says(path: str, reach: Reach, stands: Sequence[Mapping[str, float]]) -> float:
    held = terms.count(path.rpartition("/")[2].partition(".")[0])
    shares = [
        max((each[term] for term in held.keys() & each.keys()), default=0.0) for each in stands
    ]
    return float(np.array(shares) @ reach.most) / reach.total
