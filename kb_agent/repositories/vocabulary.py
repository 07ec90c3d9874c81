"""Business words tied to code's words (C5): mined from a repository, looked up for a question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources

from django.db import transaction
from django.db.models import Q

from kb_agent.repositories import alignment, catalogues, terms
from kb_agent.repositories.models import File, Repository, Vocabulary

MOST_PAIRS = 40_000
SHORT = 5
FAR_BEHIND = 0.4
HARDLY_SEEN = 0.25
DOUBT = 0.5


@dataclass(frozen=True)
class Meaning:
    """The code's words for a Chinese word: stem to chance, the chances adding up to at most 1."""

    word: str
    codes: dict[str, float]


def mine(repository: Repository) -> int:
    """Write a repository's vocabulary anew from its default branch; returns how many rows."""
    learnt = alignment.align(pairs(repository))
    rows = [
        Vocabulary(
            repository=repository,
            word=found.word[:80],
            code=found.code[:80],
            weight=found.weight,
            kind="catalogue",
        )
        for found in learnt
    ]
    with transaction.atomic():
        Vocabulary.objects.filter(repository=repository).delete()
        Vocabulary.objects.bulk_create(rows, batch_size=5000)
    return len(rows)


def pairs(repository: Repository) -> list[alignment.Pair]:
    """(Chinese, English) texts of the repository's catalogues and bilingual tables."""
    files = File.objects.filter(
        branch__repository=repository, branch__name=repository.default_branch
    ).exclude(blob__texts=b"")
    families: dict[str, dict[str, catalogues.Texts]] = defaultdict(dict)
    found: dict[alignment.Pair, None] = {}
    for path, packed in files.order_by("path").values_list("path", "blob__texts"):
        form, language = catalogues.reader(path)
        texts = catalogues.unpack(bytes(packed))
        if not form:
            found.update(dict.fromkeys((chinese, english) for english, chinese in texts))
        elif form == "po":
            found.update(dict.fromkeys(catalogues.pairs(texts, None)))
        else:
            families[catalogues.family(path)].setdefault(language, []).extend(texts)
    for family in families.values():
        found.update(dict.fromkeys(catalogues.pairs(family.get("zh", []), family.get("en", []))))
    return list(found)[:MOST_PAIRS]


def meanings(words: Iterable[str], repositories: Iterable[int]) -> dict[str, Meaning]:
    """What these Chinese words mean in the given repositories (and no others), and by the built-in list.

    A word seen hardly ever is less sure of its meaning, and left out when hardly seen at all.
    """
    wanted = set(words)
    counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    rows = Vocabulary.objects.filter(Q(repository__in=list(repositories)), word__in=wanted)
    for word, code, weight in rows.values_list("word", "code", "weight"):
        counts[word][code] += weight
    for word in wanted & built_in().keys():
        for code in built_in()[word]:
            counts[word][code] += 1.0
    return {
        word: Meaning(word, _chances(codes))
        for word, codes in counts.items()
        if sum(codes.values()) >= HARDLY_SEEN
    }


def _chances(codes: dict[str, float]) -> dict[str, float]:
    """The likeliest few codes of a word, those far behind the best left out."""
    total = sum(codes.values()) + DOUBT
    best = sorted(codes.items(), key=lambda item: -item[1])[:SHORT]
    return {code: weight / total for code, weight in best if weight >= FAR_BEHIND * best[0][1]}


@cache
def built_in() -> dict[str, tuple[str, ...]]:
    """Common words of business and software, our own list: a word in Chinese, its English words."""
    text = (resources.files("kb_agent.repositories") / "data" / "words.tsv").read_text("utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        word, _, english = line.partition("\t")
        if english and not word.startswith("#"):
            found[word] = tuple(sorted(terms.words([english])))
    return found
