"""What words of a question are called elsewhere: Chinese in English, English in other English words.

Both are learnt from the readable repositories' catalogues alone, whose counts are added up here (C7).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kb_agent.repositories import catalogues
from kb_agent.repositories.catalogues import mining
from kb_agent.repositories.models import Vocabulary
from kb_agent.repositories.vocabulary import dictionary

# Translations kept; how near the best one; below how many aligned uses the dictionary is asked too.
KEPT, NEAR, SURE = 6, 0.12, 3.0
SEEN = 0.3
# A comment says about what its code says, a catalogue says the same.
OF_COMMENT = 0.3
DOUBT = 4.0
OF_DICTIONARY, OF_OWN_LIST, BESIDE = 0.5, 0.8, 0.6
# Paraphrases: the least share, how many, and how many languages must know a word for full weight.
LEAST_SHARE, KEPT_PARAPHRASES, AGREED = 0.05, 3, 3
Place = tuple[str, str]
Weighted = list[tuple[str, float]]


@dataclass
class Translator:
    """Counts of the words of one question."""

    joint: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    left: Mapping[str, float] = field(default_factory=dict)
    right: Mapping[str, float] = field(default_factory=dict)

    def known(self, word: str) -> bool:
        """Whether the company's own catalogues use the word."""
        return word in self.left

    def translations(self, word: str) -> Weighted:
        """English stems with weights relative to the best."""
        joint = self.joint.get(word, {})
        seen = self.left.get(word, 0.0)
        scored = {
            stem: count / math.sqrt(seen * self.right.get(stem, 0.0) + DOUBT)
            for stem, count in joint.items()
            if count > SEEN
        }
        best = max(scored.values(), default=0.0)
        near = [(value / best, stem) for stem, value in scored.items() if value >= NEAR * best]
        found = {stem: value for value, stem in sorted(near, reverse=True)[:KEPT]}
        if sum(joint.values()) < SURE:
            weight = OF_OWN_LIST if word in dictionary.built_in() else OF_DICTIONARY
            weight *= BESIDE if found else 1.0
            for stem, value in dictionary.stems(word):
                found[stem] = max(found.get(stem, 0.0), value * weight)
        return list(found.items())


def translator(words: Iterable[str], repositories: Iterable[int]) -> Translator:
    """What the repositories' catalogues know of these Chinese words."""
    rows = Vocabulary.objects.filter(repository__in=list(repositories))
    joint: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    left: dict[str, float] = defaultdict(float)
    right: dict[str, float] = defaultdict(float)
    of_words = rows.filter(word__in=set(words), kind__in=("left", *mining.SOURCES))
    for kind, word, code, weight in of_words.values_list("kind", "word", "code", "weight"):
        if kind == "left":
            left[word] += weight
        else:
            joint[word][code] += weight * (OF_COMMENT if kind == "comment" else 1.0)
    stems = {stem for codes in joint.values() for stem in codes}
    of_stems = rows.filter(word="", code__in=stems, kind="right")
    for code, weight in of_stems.values_list("code", "weight"):
        right[code] += weight
    return Translator(joint, left, right)


def paraphrases(stems: Iterable[str], repositories: Iterable[int]) -> dict[str, Weighted]:
    """Other English stems that translators render by the same words, with the chance of it, best first.

    They meet at the foreign word only here: two names of one thing mostly live in two repositories.
    """
    rows = Vocabulary.objects.filter(
        repository__in=list(repositories), kind__in=catalogues.ELSEWHERE
    )
    uses: dict[str, dict[Place, float]] = defaultdict(lambda: defaultdict(float))
    asked: set[Place] = set()
    of_stems = rows.filter(code__in=set(stems)).values_list("code", "kind", "word", "weight")
    for stem, language, word, count in of_stems:
        uses[stem][language, word] += count
        asked.add((language, word))
    others: dict[Place, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    of_words = rows.filter(word__in={word for _, word in asked})
    for language, word, stem, count in of_words.values_list("kind", "word", "code", "weight"):
        others[language, word][stem] += count
    return {stem: _shares(stem, places, others) for stem, places in uses.items()}


def _shares(
    stem: str, uses: Mapping[Place, float], others: Mapping[Place, Mapping[str, float]]
) -> Weighted:
    """The chance that a translator used, for another stem, the word used for this one: the mean over languages."""
    per_language: dict[str, float] = defaultdict(float)
    for (language, _), count in uses.items():
        per_language[language] += count
    total: dict[str, float] = defaultdict(float)
    for place, count in uses.items():
        everywhere = sum(others[place].values())
        for other, times in others[place].items():
            if other != stem:
                total[other] += count / per_language[place[0]] * times / everywhere
    languages = max(len(per_language), AGREED)
    found = sorted(((n / languages, other) for other, n in total.items()), reverse=True)
    return [(other, share) for share, other in found[:KEPT_PARAPHRASES] if share >= LEAST_SHARE]
