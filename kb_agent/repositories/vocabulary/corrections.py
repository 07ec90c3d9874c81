"""What people corrected in the vocabulary, and what that does to the words of a question (C5).

A correction ties a business word, in any language, to a code's word, or cuts that tie; for all repositories or for one,
where it then counts in that repository's documents alone. Corrections of repositories that the asker does not read are
neither used nor shown (C7).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Now, StrIndex

from kb_agent.repositories import terms
from kb_agent.repositories.models import Repository
from kb_agent.repositories.models.vocabulary import Correction
from kb_agent.repositories.vocabulary import questions
from kb_agent.repositories.vocabulary.questions import NOWHERE, Bound, Concept

if TYPE_CHECKING:
    from kb_agent.accounts.models import User

ADDED, SUPPRESSED = "added", "suppressed"
LONGEST = 80
# What stands inside a longer word that someone added says less than that word.
COVERED = 0.5


class BadCorrection(ValueError):
    """A pair that ties nothing to nothing; `field` names which of its words."""

    code = "bad_correction"

    def __init__(self, message: str, field: str) -> None:
        """Name the field."""
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class Pair:
    """A business word and a code's word; `repository_id` None is all of them."""

    word: str
    code: str
    repository_id: int | None = None


def key(text: str) -> str:
    """A business word as a question is searched for it: simplified, English by stems, words apart by spaces."""
    said = spaced(text)
    said = said.lstrip() if _chinese(said.strip()[:1]) else said
    return said.rstrip() if _chinese(said.strip()[-1:]) else said


def spaced(text: str) -> str:
    """A text's words as `key` spells them, with a space around each; Chinese runs stay whole."""
    pieces: list[str] = []
    for token in terms.TOKEN.findall(terms.email_joined(terms.fold(text)).lower()):
        pieces += [token] if _chinese(token[0]) else (terms.parts(token) or [token])
    return f" {' '.join(pieces)} " if pieces else ""


def code_key(code: str) -> str:
    """A code's word as the index keeps it: a stem, a whole name (`=saleorder`), or several stems apart by spaces."""
    tokens = terms.TOKEN.findall(terms.fold(code))
    if len(tokens) == 1 and not _chinese(tokens[0][0]) and len(terms.PART.findall(tokens[0])) > 1:
        return terms.whole(tokens[0])
    return spaced(code).strip()


def readable(repositories: Iterable[int]) -> QuerySet[Correction]:
    """Corrections for all, and for these repositories."""
    return Correction.objects.filter(
        Q(repository=None) | Q(repository__in=list(repositories))
    ).order_by("-pk")


def set_state(
    pair: Pair, state: str, *, by: User | None, note: str = "", origin: str = ""
) -> Correction:
    """Add or suppress a pair; what was said of it before is replaced. Raises `BadCorrection`.

    What comes from an `origin` such as `fact:12` leaves a person's own word on the pair as it is.
    """
    word, code, here = pair.word.strip(), pair.code.strip(), pair.repository_id
    found, code_found = key(word), code_key(code)
    if not found.strip() or len(word) > LONGEST:
        raise BadCorrection(
            f"The word needs 1 to {LONGEST} characters, letters among them.", "word"
        )
    if not code_found or len(code) > LONGEST:
        raise BadCorrection(
            f"The code word needs 1 to {LONGEST} characters, letters among them.", "code"
        )
    repository = None if here is None else Repository(pk=here)
    known = Correction.objects.filter(key=found, code_key=code_found, repository=repository)
    if origin and (said := known.filter(origin="").first()) is not None:
        return said
    with transaction.atomic():
        row, _ = Correction.objects.update_or_create(
            key=found,
            code_key=code_found,
            repository=repository,
            defaults={
                "word": word,
                "code": code,
                "state": state,
                "note": note.strip(),
                "author": by,
                "origin": origin,
                "at": Now(),
            },
        )
    row.refresh_from_db()
    return row


def applied(found: Sequence[Concept], question: str, repositories: Iterable[int]) -> list[Concept]:
    """The concepts of a question after the corrections of these repositories, which are read anew for every search."""
    rows = _met(question, repositories)
    concepts = list(found)
    for row in sorted(rows, key=lambda row: (row.repository_id is not None, row.pk)):
        at = next((i for i, each in enumerate(concepts) if key(each.query) == row.key), None)
        if row.state == ADDED and at is None:
            concepts = [_lighter(each, row.key) for each in concepts]
            concepts.append(_added(_new(row), row))
        elif row.state == ADDED and at is not None:
            concepts[at] = _added(concepts[at], row)
        elif at is not None:
            concepts[at] = _suppressed(concepts[at], row)
    return [each for each in concepts if each.terms]


def _met(question: str, repositories: Iterable[int]) -> list[Correction]:
    said = spaced(question[: questions.LONGEST])
    met = StrIndex(Value(said), F("key"))
    return list(readable(repositories).annotate(met=met).filter(met__gt=0)) if said else []


def _new(row: Correction) -> Concept:
    bigrams = [each for run in terms.HAN_RUN.findall(row.key) for each in terms.bigrams(run)]
    weights = tuple((each, questions.BIGRAM / len(bigrams)) for each in bigrams)
    return Concept(row.word, weights, kind="vocabulary")


def _added(concept: Concept, row: Correction) -> Concept:
    weights, bounds = dict(concept.terms), dict(concept.bounds)
    more = code_terms(row.code)
    for term, weight in more:
        only_here = row.repository_id is not None and (
            term not in weights or (term in bounds and bounds[term].within)
        )
        if only_here:
            known = bounds[term].repositories if term in bounds else frozenset()
            bounds[term] = Bound(known | {row.repository_id or 0}, within=True)
        elif row.repository_id is None:
            bounds.pop(term, None)
        weights[term] = max(weights.get(term, 0.0), weight)
    first = {term: weights.pop(term) for term, _ in more}
    return replace(concept, terms=(*first.items(), *weights.items()), bounds=bounds, known=True)


def _suppressed(concept: Concept, row: Correction) -> Concept:
    bounds = dict(concept.bounds)
    here = row.repository_id
    if here is None:
        bounds[row.code_key] = NOWHERE
        kept = tuple(each for each in concept.terms if each[0] != row.code_key)
        return replace(concept, terms=_scaled(kept), bounds=bounds)
    known = bounds.get(row.code_key)
    if known is None or not known.within:
        denied = known.repositories if known else frozenset()
        bounds[row.code_key] = Bound(denied | {here}, within=False)
    return replace(concept, bounds=bounds)


def _scaled(weights: questions.Weights) -> questions.Weights:
    """The next best translation takes the place of one that was suppressed."""
    best = max((weight for term, weight in weights if term.isascii()), default=0.0)
    return tuple((term, weight / best if term.isascii() else weight) for term, weight in weights)


def code_terms(code: str) -> questions.Weights:
    """The index terms of a code's word: its stem; of several words their pairs and the name they make as one."""
    tokens = terms.TOKEN.findall(terms.fold(code))
    chinese = [each for token in tokens if _chinese(token[0]) for each in terms.bigrams(token)]
    stems = [stem for token in tokens if not _chinese(token[0]) for stem in terms.parts(token)]
    found = {each: 1.0 / len(chinese) for each in chinese}
    names = [token for token in tokens if not _chinese(token[0])]
    if len(stems) > 1:
        found |= dict.fromkeys([terms.whole("".join(names)), *terms.neighbours(stems)], 1.0)
    else:
        found |= dict.fromkeys(stems or [name.lower() for name in names], 1.0)
    return tuple(found.items())


def _lighter(concept: Concept, longer: str) -> Concept:
    inside = key(concept.query) in longer
    return replace(concept, weight=concept.weight * COVERED) if inside else concept


def _chinese(character: str) -> bool:
    return character > "\u2fff"
