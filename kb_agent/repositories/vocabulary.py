"""What a repository's own catalogues teach (C5): counted when it is indexed, added up over readable ones when asked.

Rows of `Vocabulary` are counts of one repository alone, so that grants hold (C7): `counted` a Chinese word's uses in its
catalogues, `left` and `right` the words of aligned pairs, `aligned` how often a Chinese word stood for an English stem,
and `de`, `fr` … how often a foreign stem did.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from django.db import connection, transaction
from django.db.models import QuerySet, Sum

from kb_agent.repositories import alignment, catalogues, foreign, segmenting, terms
from kb_agent.repositories.models import File, Repository, Vocabulary

MOST_PAIRS = 60_000
CHINESE = "zh"
OF_CHINESE = ("counted", "left", "right", "aligned")
Row = tuple[str, str, str, float]
COLUMNS = "repository_id, kind, word, code, weight"
LONGEST = 80


def mine(repository: Repository) -> int:
    """Bring a repository's vocabulary to its default branch, where the texts of a language changed; returns how many rows."""
    digests = _digests(repository)
    known: dict[str, str] = repository.mined
    with transaction.atomic():
        for language in sorted(digests.keys() | known.keys()):
            if digests.get(language) == known.get(language):
                continue
            kinds = OF_CHINESE if language == CHINESE else (language,)
            Vocabulary.objects.filter(repository=repository, kind__in=kinds).delete()
            if language in digests:
                _write(repository, list(_rows(repository, language)))
        repository.mined = digests
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
        name: hashlib.sha256("\n".join(sorted(rows)).encode()).hexdigest()[:16]
        for name, rows in held.items()
    }


def _files(repository: Repository) -> QuerySet[File]:
    return File.objects.filter(
        branch__repository=repository, branch__name=repository.default_branch
    ).exclude(blob__texts=b"")


def _rows(repository: Repository, language: str) -> Iterator[Row]:
    if language != CHINESE:
        files = _files(repository).filter(path__regex=rf"[^a-z]{language}[^a-z]")
        texts = (
            catalogues.unpack(bytes(packed))
            for path, packed in files.order_by("path").values_list("path", "blob__texts")
            if catalogues.reader(path)[1] == language
        )
        for (word, code), count in foreign.counts(language, texts).items():
            yield language, word, code, count
        return
    found = pairs(repository)
    counted = segmenting.counts(chinese for chinese, _ in found)
    segmenter = segmenting.Segmenter(counted, sum(counted.values()))
    table = alignment.align(
        (_chinese_words(chinese, segmenter), terms.english(english)) for chinese, english in found
    )
    yield from (("counted", word, "", count) for word, count in counted.items())
    yield from (("left", word, "", count) for word, count in table.left.items())
    yield from (("right", "", stem, count) for stem, count in table.right.items())
    yield from (("aligned", *pair, count) for pair, count in table.joint.items())


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


def pairs(repository: Repository) -> list[tuple[str, str]]:
    """(Chinese, English) texts of the repository's catalogues and bilingual tables, Chinese simplified."""
    families: dict[str, dict[str, catalogues.Texts]] = defaultdict(dict)
    found: dict[tuple[str, str], None] = {}
    files = _files(repository).order_by("path").values_list("path", "blob__texts")
    for path, packed in files.iterator(chunk_size=50):
        form, language = catalogues.reader(path)
        if language in catalogues.ELSEWHERE:
            continue
        texts = catalogues.unpack(bytes(packed))
        if not form:
            found.update(dict.fromkeys((chinese, english) for english, chinese in texts))
        elif form == "po":
            found.update(dict.fromkeys(catalogues.pairs(texts, None)))
        else:
            families[catalogues.family(path)].setdefault(language, []).extend(texts)
    for family in families.values():
        found.update(dict.fromkeys(catalogues.pairs(family.get("zh", []), family.get("en", []))))
    folded = ((terms.fold(chinese), english) for chinese, english in found)
    return list(dict.fromkeys(folded))[:MOST_PAIRS]


def counted(words: Iterable[str], repositories: Iterable[int]) -> tuple[Mapping[str, float], float]:
    """(how often these words stand in the repositories' Chinese texts, how often all words do)."""
    rows = Vocabulary.objects.filter(repository__in=list(repositories), kind="counted")
    found: dict[str, float] = defaultdict(float)
    for word, weight in rows.filter(word__in=set(words)).values_list("word", "weight"):
        found[word] += weight
    total = rows.aggregate(total=Sum("weight"))["total"] or 0.0
    return found, total
