"""What facts are found by, and the words that accepted ones give to the vocabulary (P10, C5).

A fact is found by the words of its text, by what these are called in the code (`~` before the term),
and by the names in the lines it cites (`@` before it). While it is accepted and fresh, words of its
text that no dictionary leads to the cited lines are tied to the names there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from django.dispatch import receiver

from kb_agent.repositories import mirror, secrets, terms, text
from kb_agent.repositories.evidence.excerpts import cut
from kb_agent.repositories.indexing import outline
from kb_agent.repositories.mirror import git
from kb_agent.repositories.models import Repository
from kb_agent.repositories.models.vocabulary import Correction
from kb_agent.repositories.vocabulary import corrections, dictionary, questions
from kb_agent.repositories.vocabulary.corrections import BadCorrection, Pair
from kb_agent.repositories.vocabulary.explaining import Example
from topics import signals
from topics.models.facts import Fact, FactStatus

if TYPE_CHECKING:
    from kb_agent.repositories.vocabulary.questions import Concept
    from topics.models.facts import FactPlace

TRANSLATED, CITED = "~", "@"
MOST_WORDS, MOST_TIES = 800, 3
MOST_DEFINED = 3
LIKELY = 0.3
"""A translation at least so likely is one that a fact may be found by."""
# `冲正（reverse_charge）`, `冲正（`reverse_charge`）`, `reverse_charge (冲正)`
_HAN = r"[\u3400-\u9fff]{2,12}"
_NAME = r"`?([A-Za-z_][\w.]{2,79})`?"
_SAID_SO = (
    re.compile(rf"({_HAN})[」”\"]?\s*[（(]\s*{_NAME}\s*[)）]"),
    re.compile(rf"(?<![A-Za-z_]){_NAME}\s*[（(]\s*({_HAN})\s*[)）]"),
)
UNREADABLE = (mirror.MissingFile, mirror.TooLarge, git.GitFailed, text.Binary)


def origin(fact_id: int) -> str:
    """How the vocabulary names a fact."""
    return f"fact:{fact_id}"


@receiver(signals.fact_changed, dispatch_uid="fact words")
def _on_change(*, fact_id: int, using: str, **_: Any) -> None:
    """Index the fact anew and tie its words, or take both away."""
    Correction.objects.using(using).filter(origin=origin(fact_id)).delete()
    fact = Fact.objects.using(using).filter(pk=fact_id).first()
    if fact is None:
        return
    read = [(place, _cited(place)) for place in fact.places.using(using).order_by("pk")]
    Fact.objects.using(using).filter(pk=fact_id).update(words=_words(fact, read))
    if fact.status == FactStatus.ACCEPTED and not fact.stale:
        _tie(fact, read)


def terms_of(said: str) -> set[str]:
    """The index terms of a text: stems and Chinese bigrams."""
    return set(terms.count(terms.fold(said)))


def _words(fact: Fact, read: Iterable[tuple[FactPlace, list[str]]]) -> list[str]:
    said = terms_of(fact.text)
    found = questions.concepts(fact.text, fact.repositories)
    translated = {
        term for each in found if each.chinese for term, weight in each.terms if weight >= LIKELY
    }
    cited = {term for place, lines in read for term in terms_of("\n".join([place.path, *lines]))}
    words = [
        *sorted(said),
        *(f"{TRANSLATED}{term}" for term in sorted(translated - said) if term.isascii()),
        *(f"{CITED}{term}" for term in sorted(cited)),
    ]
    return words[:MOST_WORDS]


def _cited(place: FactPlace) -> list[str]:
    """The cited lines, masked; none that cannot be read."""
    try:
        data = mirror.read(Repository(pk=place.repository), place.commit, place.path)
        return cut(text.decode(data), place.start_line, place.end_line)
    except UNREADABLE:
        return []


def _tie(fact: Fact, read: list[tuple[FactPlace, list[str]]]) -> None:
    """Add the pairs; a person's own word on a pair stands, and so does an earlier fact's."""
    for pair in [*_told(fact, read), *_learnt(fact, read)][:MOST_TIES]:
        known = Correction.objects.filter(
            key=corrections.key(pair.word),
            code_key=corrections.code_key(pair.code),
            repository=pair.repository_id,
        )
        if known.exists():
            continue
        try:
            corrections.set_state(
                pair, corrections.ADDED, by=None, note=fact.text[:200], origin=origin(fact.pk)
            )
        except BadCorrection:
            continue


def _told(fact: Fact, read: Iterable[tuple[FactPlace, list[str]]]) -> Iterator[Pair]:
    """Pairs that the fact itself says: `冲正（reverse_charge）`, of names in the cited lines."""
    pairs = [(word, name) for word, name in _SAID_SO[0].findall(fact.text)]
    pairs += [(word, name) for name, word in _SAID_SO[1].findall(fact.text)]
    for place, lines in read:
        cited = "\n".join(lines)
        for word, name in pairs:
            if re.search(rf"(?<!\w){re.escape(name.rpartition('.')[2])}(?!\w)", cited):
                yield Pair(_shortened(word, place), name.rpartition(".")[2], place.repository)


def _shortened(run: str, place: FactPlace) -> str:
    """The last words of a run of Chinese: what stands right before the brackets."""
    words = [each.query for each in questions.concepts(run, [place.repository]) if each.chinese]
    ending = [each for each in words if run.endswith(each)]
    return max(ending, key=len, default=run[-4:])


def _learnt(fact: Fact, read: Iterable[tuple[FactPlace, list[str]]]) -> Iterator[Pair]:
    """Business words of the fact that nothing leads from to the cited lines, with what is defined there."""
    for place, lines in read:
        names = _defined(place)
        if not names:
            continue
        there = terms_of("\n".join([place.path, *lines]))
        for concept in questions.concepts(fact.text, [place.repository]):
            if _unknown(concept, there):
                yield Pair(concept.query, names[0], place.repository)


def _unknown(concept: Concept, there: set[str]) -> bool:
    """A word of at least two characters, translated to nothing that stands in the cited lines or their comments."""
    word = concept.query
    if not concept.chinese or len(word) < 2 or word in terms.chinese_stop_words():
        return False
    if dictionary.has(word):
        return False  # One that it translates by nothing but "not", "may" and the like is no business word.
    if all(pair in there for pair in terms.bigrams(word)):
        return False
    return not any(term.isascii() for term, _ in concept.terms)


def _defined(place: FactPlace) -> list[str]:
    """What the cited lines define, or the definition they stand in, the narrowest first; of many, which is meant is not said."""
    try:
        defined = outline.of(Repository(pk=place.repository), place.commit, place.path)
    except UNREADABLE:
        return []
    near = [
        each
        for each in defined
        if each.start_line <= place.end_line and each.end_line >= place.start_line
    ]
    if len(near) > MOST_DEFINED:
        return []
    near.sort(key=lambda each: each.end_line - each.start_line)
    return [each.symbol.rpartition(".")[2] for each in near]


def why(word: str, code: str, repositories: Iterable[int]) -> list[Example]:
    """The cited lines of the facts that tie these two words, in these repositories, masked."""
    allowed = sorted(set(repositories))
    tied = Correction.objects.filter(
        key=corrections.key(word),
        code_key=corrections.code_key(code),
        repository__in=allowed,
        origin__startswith="fact:",
    )
    facts = Fact.objects.filter(
        pk__in=[int(row.origin.partition(":")[2]) for row in tied],
        sources__contained_by=allowed,
    )
    return [
        Example(
            "fact",
            place.path,
            place.start_line,
            secrets.mask(fact.text).text,
            code,
            place.repository,
            place.commit,
        )
        for fact in facts.order_by("pk")
        for place in fact.places.filter(repository__in=allowed).order_by("pk")
    ]
