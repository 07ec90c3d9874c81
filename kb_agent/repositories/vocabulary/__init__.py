"""What a repository's own catalogues teach (C5): counted when it is indexed, added up over readable ones when asked.

Rows of `Vocabulary` are counts of one repository alone, so that grants hold (C7): `counted` a Chinese word's uses in its
texts, `left` and `right` the words of aligned pairs, `catalogue`, `label`, `enum` and `comment` how often a Chinese word
stood for an English stem in pairs from there, `spelt` how a stem is mostly written, and `de`, `fr` … how often a foreign
stem stood for it.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from django.db import connection, transaction
from django.db.models import QuerySet, Sum

from kb_agent.repositories import catalogues, terms
from kb_agent.repositories.catalogues import mining
from kb_agent.repositories.models import File, Repository, Vocabulary
from kb_agent.repositories.vocabulary import alignment, foreign, segmenting

MOST_PAIRS = 60_000
CHINESE = "zh"
# Raised when the same texts would be read differently.
EDITION = "3"
DIGESTS = "digests"
OF_CHINESE = ("counted", "left", "right", "spelt", *mining.SOURCES)
# What an earlier edition called the pairs of catalogues.
RETIRED = ("aligned",)
# A comment says less surely than a translator what a name is called.
WEIGHTS = {"catalogue": 1.0, "label": 1.0, "enum": 1.0, "comment": 0.5}
Row = tuple[str, str, str, float]
Pair = tuple[str, str]
COLUMNS = "repository_id, kind, word, code, weight"
LONGEST = 80


def mine(repository: Repository) -> int:
    """Bring a repository's vocabulary to its default branch, where the texts of a language changed; returns how many rows."""
    digests = _digests(repository)
    known: dict[str, str] = repository.mined.get(DIGESTS, {})
    mined = {source: repository.mined.get(source, 0) for source in mining.SOURCES}
    with transaction.atomic():
        for language in sorted(digests.keys() | known.keys()):
            if digests.get(language) == known.get(language):
                continue
            kinds = (*OF_CHINESE, *RETIRED) if language == CHINESE else (language,)
            Vocabulary.objects.filter(repository=repository, kind__in=kinds).delete()
            if language == CHINESE:
                found = pairs(repository)
                mined = {source: len(some) for source, some in found.items()}
                _write(repository, list(_chinese_rows(found)))
            elif language in digests:
                _write(repository, list(_rows(repository, language)))
        repository.mined = {**mined, DIGESTS: digests}
        repository.save(update_fields=["mined"])
    return Vocabulary.objects.filter(repository=repository).count()


def _digests(repository: Repository) -> dict[str, str]:
    """For each language a digest of the texts it is learnt from."""
    held: dict[str, list[str]] = defaultdict(list)
    for path, sha in _files(repository).values_list("path", "blob__sha"):
        language = catalogues.reader(path)[1]
        name = language if language in catalogues.ELSEWHERE else CHINESE
        held[name].append(f"{path}\0{sha}")
    return {
        name: hashlib.sha256("\n".join([EDITION, *sorted(rows)]).encode()).hexdigest()[:16]
        for name, rows in held.items()
    }


def _files(repository: Repository) -> QuerySet[File]:
    """The files that say what things are called; tests make their texts up, whatever name these are given."""
    of_default = File.objects.filter(
        branch__repository=repository, branch__name=repository.default_branch
    )
    return of_default.exclude(blob__texts=b"").exclude(role="test")


def _rows(repository: Repository, language: str) -> Iterator[Row]:
    files = _files(repository).filter(path__regex=rf"[^a-z]{language}[^a-z]")
    texts = (
        catalogues.unpack(bytes(packed))
        for path, packed in files.order_by("path").values_list("path", "blob__texts")
        if catalogues.reader(path)[1] == language
    )
    for (word, code), count in foreign.counts(language, texts).items():
        yield language, word, code, count


def _chinese_rows(found: Mapping[str, list[Pair]]) -> Iterator[Row]:
    """Each source is aligned alone: counts add up, and each row says where it came from."""
    counted = segmenting.counts(chinese for some in found.values() for chinese, _ in some)
    segmenter = segmenting.Segmenter(counted, sum(counted.values()))
    left: dict[str, float] = defaultdict(float)
    right: dict[str, float] = defaultdict(float)
    spelt: dict[str, Counter[str]] = defaultdict(Counter)
    for source, some in found.items():
        weight = WEIGHTS[source]
        table = alignment.align(
            (_chinese_words(chinese, segmenter), terms.english(english))
            for chinese, english in some
        )
        for word, count in table.left.items():
            left[word] += count * weight
        for stem, count in table.right.items():
            right[stem] += count * weight
        for _, english in some:
            for word in terms.PART.findall(english):
                spelt[terms.stem(word.lower())][word.lower()] += 1
        yield from ((source, *pair, count * weight) for pair, count in table.joint.items())
    yield from (("counted", word, "", count) for word, count in counted.items())
    yield from (("left", word, "", count) for word, count in left.items())
    yield from (("right", "", stem, count) for stem, count in right.items())
    yield from (
        ("spelt", words.most_common(1)[0][0], stem, words.total())
        for stem, words in spelt.items()
        if stem in right
    )


def _chinese_words(text: str, segmenter: segmenting.Segmenter) -> list[str]:
    stops = terms.chinese_stop_words()
    runs = terms.HAN_RUN.findall(text)
    return [word for run in runs for word in segmenter.words(run) if word not in stops]


def _write(repository: Repository, rows: list[Row]) -> None:
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY repositories_vocabulary ({COLUMNS}) FROM STDIN") as copy,
    ):
        for kind, word, code, weight in rows:
            if len(word) <= LONGEST and len(code) <= LONGEST:
                copy.write_row((repository.pk, kind, word, code, weight))


def pairs(repository: Repository) -> dict[str, list[Pair]]:
    """(Chinese, English) by source: of catalogues and tables of words, and of what code says of its names.

    Chinese is simplified; what stands in code is a name as it is spelt.
    """
    families: dict[str, catalogues.Texts] = defaultdict(list)
    found: dict[str, dict[Pair, None]] = {source: {} for source in mining.SOURCES}
    files = _files(repository).order_by("path").values_list("path", "blob__texts")
    for path, packed in files.iterator(chunk_size=50):
        form, language = catalogues.reader(path)
        if language in catalogues.ELSEWHERE:
            continue
        if not form:
            for code, chinese, source in mining.unpack(bytes(packed)):
                found[source][terms.fold(chinese), code] = None
        elif form in catalogues.BESIDE:
            beside = catalogues.pairs(catalogues.unpack(bytes(packed)), None)
            found["catalogue"].update((_folded(pair), None) for pair in beside)
        else:
            families[catalogues.family(path)] += catalogues.unpack(bytes(packed))
    for texts in families.values():
        found["catalogue"].update((_folded(pair), None) for pair in catalogues.by_key(texts))
    return {source: list(some)[:MOST_PAIRS] for source, some in found.items()}


def _folded(pair: Pair) -> Pair:
    return terms.fold(pair[0]), pair[1]


def counted(words: Iterable[str], repositories: Iterable[int]) -> tuple[Mapping[str, float], float]:
    """(how often these words stand in the repositories' Chinese texts, how often all words do)."""
    rows = Vocabulary.objects.filter(repository__in=list(repositories), kind="counted")
    found: dict[str, float] = defaultdict(float)
    for word, weight in rows.filter(word__in=set(words)).values_list("word", "weight"):
        found[word] += weight
    total = rows.aggregate(total=Sum("weight"))["total"] or 0.0
    return found, total
