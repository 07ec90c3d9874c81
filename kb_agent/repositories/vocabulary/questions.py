"""Turns a question in any language into concepts: each the index terms that may stand for one of its words."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from kb_agent.repositories import terms, vocabulary
from kb_agent.repositories.measuring import EVERYTHING, Signals
from kb_agent.repositories.vocabulary import glosses, segmenting, synonyms, translating

LONGEST = 4000
MOST_CONCEPTS = 80
# So many uses of words in a company's Chinese catalogues tell which words it has.
TELLING = 5000
WHOLE, BIGRAM, SINGLE, JOINED, FAMILY = 1.5, 0.5, 0.5, 0.7, 0.5
PAIR, REVERSED, MOST_OF_PAIR = 0.25, 0.7, 4
PARAPHRASE, FULL_SHARE = 0.45, 0.2
SYNONYM, GLOSS, PHRASE, IN_PHRASE = 0.4, 0.15, 0.8, 0.35
SHORTEST_JOINED = 5
MOST_RELATIVES = 12
Weights = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Bound:
    """Where a term counts: `within` these repositories alone, or in all but these (see `corrections`)."""

    repositories: frozenset[int]
    within: bool


NOWHERE = Bound(frozenset(), within=True)


@dataclass(frozen=True)
class Concept:
    """A word of the question, or several that mean one thing (kind `phrase`).

    `terms` and, for other words, `beside` are pooled as one word; `instead` count only where they say more.
    """

    query: str
    terms: Weights
    weight: float = 1.0
    kind: str = "word"
    known: bool | None = True
    """Whether the company itself uses the word; None where too little of its Chinese is known to say."""

    instead: Weights = ()
    beside: Weights = ()
    bounds: Mapping[str, Bound] = field(default_factory=dict)

    @property
    def chinese(self) -> bool:
        """Whether the word is Chinese."""
        return self.query[0] > "\u2fff"


def concepts(
    question: str, repositories: Iterable[int], signals: Signals = EVERYTHING
) -> list[Concept]:
    """The words of a question, without their families; vocabulary comes from these repositories alone (C7)."""
    allowed = list(repositories)
    tokens = terms.TOKEN.findall(terms.email_joined(terms.fold(question[:LONGEST])))
    runs = [token for token in tokens if token[0] > "\u2fff"]
    words, telling = _segmented(runs, allowed) if runs else ({}, False)
    chinese = [word for run in runs for word in words[run]]
    translator = (
        translating.translator(chinese, allowed)
        if "catalogues" in signals
        else translating.Translator()
    )
    found: dict[str, Concept] = {}
    for token in tokens:
        made = (
            _chinese(words[token], translator, signals, telling=telling)
            if token[0] > "\u2fff"
            else _english(token)
        )
        for concept in made:
            found.setdefault(concept.query if concept.chinese else concept.terms[0][0], concept)
    _join_compounds(tokens, found)
    if "synonyms" in signals:
        said = {concept.query: concept for concept in _phrases(tokens)}
        parts = {terms.stem(part) for phrase in said for part in phrase.split()}
        found = {key: _with_synonyms(each, parts, signals) for key, each in found.items()} | said
    return list(found.values())[:MOST_CONCEPTS]


def _segmented(runs: list[str], repositories: list[int]) -> tuple[dict[str, list[str]], bool]:
    """The words of each run, and whether the company's Chinese texts are enough to tell its words."""
    candidates = {word for run in runs for word in segmenting.candidates(run)}
    counts, total = vocabulary.counted(candidates, repositories)
    segmenter = segmenting.Segmenter(counts, total)
    return {run: segmenter.words(run) for run in runs}, total >= TELLING


def _english(token: str) -> Iterator[Concept]:
    if len(terms.PART.findall(token)) > 1 and not token.isdigit():
        yield Concept(token, ((terms.whole(token), 1.0),), WHOLE)
    for stem in terms.parts(token):
        if not stem.isdigit():
            yield Concept(_said(token, stem), ((stem, 1.0),))


def _said(token: str, stem: str) -> str:
    """The question's own word that a stem stands for."""
    parts = [part for part in terms.PART.findall(token) if terms.stem(part.lower()) == stem]
    return parts[0].lower() if parts else stem


def _chinese(
    words: Iterable[str],
    translator: translating.Translator,
    signals: Signals,
    *,
    telling: bool,
) -> Iterator[Concept]:
    for word in words:
        known = translator.known(word)
        if word in terms.chinese_stop_words() or (len(word) == 1 and not known):
            continue
        found = translator.translations(word)
        if "dictionary" not in signals and not known:
            found = []
        if len(word) > 1:
            bigrams = list(terms.bigrams(word))
            found += [(each, BIGRAM / len(bigrams)) for each in bigrams]
        if found:
            weight = 1.0 if len(word) > 1 else SINGLE
            yield Concept(
                word, tuple(found), weight, "vocabulary", known=known if telling else known or None
            )


def _join_compounds(tokens: list[str], found: dict[str, Concept]) -> None:
    """ "check in" also means checkin."""
    for first, second in pairwise(tokens):
        joined = terms.stem((first + second).lower())
        if len(joined) >= SHORTEST_JOINED and joined.isalpha() and joined.isascii():
            for stem in (terms.stem(first.lower()), terms.stem(second.lower())):
                if stem in found:
                    more = (*found[stem].terms, (joined, JOINED))
                    found[stem] = replace(found[stem], terms=more)


def _with_synonyms(concept: Concept, covered: Container[str], signals: Signals) -> Concept:
    """An English word with others for it, lighter where a phrase says what it means.

    What translates a Chinese word needs no other words: they only blur it.
    """
    stem = concept.terms[0][0]
    if concept.chinese:
        return concept
    if stem in covered:
        return replace(concept, weight=concept.weight * IN_PHRASE)
    others = dict.fromkeys(synonyms.of(stem), SYNONYM)
    if "glosses" in signals:
        for other, nearness in glosses.near(stem):
            others.setdefault(other, GLOSS * nearness)
    own = dict(concept.terms)
    return replace(concept, beside=tuple(each for each in others.items() if each[0] not in own))


def _phrases(tokens: Iterable[str]) -> Iterator[Concept]:
    """Words that together mean something else: "sign up" is a registration."""
    for said, others in synonyms.phrases([each.lower() for each in tokens]):
        yield Concept(said, tuple((each, 1.0) for each in others), PHRASE, "phrase")


def widened(concept: Concept, relatives: Mapping[str, Iterable[str]]) -> Concept:
    """The concept with the words of its terms' families, which `relatives` lists by root."""
    best = dict(concept.terms)
    for term, weight in concept.terms:
        root = terms.family(term)
        for other in list(relatives.get(root, ()))[:MOST_RELATIVES] if root else ():
            best.setdefault(other, weight * FAMILY)
    return replace(concept, terms=tuple(best.items()))


def paraphrased(concept: Concept, others: Iterable[tuple[str, float]]) -> Concept:
    """The concept with other words for it, which count only where they say more."""
    weights = tuple((other, PARAPHRASE * min(1.0, share / FULL_SHARE)) for other, share in others)
    return replace(concept, instead=weights)


def pairs(found: Iterable[Concept]) -> list[Concept]:
    """Each two words that follow one another, side by side in the code in either order."""
    single = [
        concept
        for concept in found
        if concept.kind != "phrase" and not concept.terms[0][0].startswith("=")
    ]
    return [pair for first, second in pairwise(single) if (pair := _pair(first, second)).terms]


def _pair(first: Concept, second: Concept) -> Concept:
    together: dict[str, float] = {}
    for left, one in _likeliest(first):
        for right, other in _likeliest(second):
            if left != right:
                for term, order in ((f"{left} {right}", 1.0), (f"{right} {left}", REVERSED)):
                    together[term] = max(together.get(term, 0.0), one * other * order)
    return Concept(first.query + second.query, tuple(together.items()), PAIR, "pair")


def _likeliest(concept: Concept) -> list[tuple[str, float]]:
    single = [each for each in concept.terms if each[0].isascii() and each[0].isalnum()]
    return sorted(single, key=lambda each: -each[1])[:MOST_OF_PAIR]
