"""Pages through the vocabulary of readable repositories (C7): what people corrected, then what was mined, strongest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet

from kb_agent.repositories import terms
from kb_agent.repositories.models import Vocabulary
from kb_agent.repositories.models.vocabulary import Correction
from kb_agent.repositories.vocabulary import corrections

MINED = ("catalogue", "label", "enum", "comment")
PEOPLE, FACT = "people", "fact"
SOURCES = (*MINED, FACT, PEOPLE)
SPELT = "spelt"
PAGE = 50
# For each repository its strongest rows after the cursor, which the index `vocabulary_page` holds in that order.
READ = """
SELECT v.id, v.repository_id, v.kind, v.word, v.code, v.weight
  FROM unnest(%(repositories)s::bigint[]) AS r(id)
 CROSS JOIN LATERAL (
   SELECT id, repository_id, kind, word, code, weight FROM repositories_vocabulary
    WHERE repository_id = r.id AND kind IN ('catalogue', 'label', 'enum', 'comment')
      AND kind = ANY(%(kinds)s) AND (weight, id) < (%(weight)s, %(id)s)
    ORDER BY weight DESC, id DESC LIMIT %(limit)s
 ) v
 ORDER BY v.weight DESC, v.id DESC LIMIT %(limit)s
"""
# Rows that hold a text are few: reading them in the table's order beats the index above ten times.
SEARCH = """
SELECT id, repository_id, kind, word, code, weight FROM repositories_vocabulary
 WHERE repository_id = ANY(%(repositories)s) AND kind = ANY(%(kinds)s)
   AND (weight, id) < (%(weight)s, %(id)s)
   AND (strpos(word, %(q)s) > 0 OR strpos(code, %(stem)s) > 0)
 ORDER BY weight DESC, id DESC LIMIT %(limit)s
"""
COUNT = """
SELECT kind, count(*) FROM repositories_vocabulary
 WHERE repository_id = ANY(%(repositories)s) AND kind IN ('catalogue', 'label', 'enum', 'comment')
   AND (%(q)s = '' OR strpos(word, %(q)s) > 0 OR strpos(code, %(stem)s) > 0)
 GROUP BY kind
"""


class BadCursor(ValueError):
    """A cursor that no page gave."""

    code = "bad_cursor"


@dataclass(frozen=True)
class Row:
    """A pair of words: mined with a weight, or corrected by someone."""

    word: str
    code: str
    repository_id: int | None
    weight: float
    source: str
    state: str = "mined"
    correction: Correction | None = None


@dataclass(frozen=True)
class Page:
    """Rows, the cursor of the next page ("" for none), and how many rows each source has."""

    rows: list[Row]
    next: str
    counts: dict[str, int]


@dataclass(frozen=True)
class Wanted:
    """Which rows: of these repositories, that hold `q` in either word, of one source or of all."""

    repositories: Sequence[int]
    q: str = ""
    source: str = ""
    general: bool = True
    """Whether corrections for all repositories are wanted too."""

    @property
    def parameters(self) -> dict[str, Any]:
        """The words to look for, as the rows spell them."""
        q = terms.fold(self.q.strip())
        stem = terms.stem(q.lower()) if q.isascii() and q.isalpha() else q.lower()
        return {"repositories": list(self.repositories), "q": q, "stem": stem}


def page(wanted: Wanted, cursor: str = "", *, limit: int = PAGE) -> Page:
    """A page of rows after a cursor. Raises `BadCursor`."""
    kind, place = _place(cursor)
    corrected = _corrected(wanted)
    rows: list[Row] = []
    if kind == "c":
        found = list(corrected.filter(pk__lt=place[1])[: limit + 1])
        rows = _weighted([shown(each) for each in found[:limit]], wanted.repositories)
        if len(found) > limit:
            return Page(rows, f"c{found[limit - 1].pk}", _counts(wanted, corrected))
        place = (float("inf"), 0)
    more, following = _mined(wanted, place, limit - len(rows))
    return Page(rows + more, following, _counts(wanted, corrected))


def shown(row: Correction) -> Row:
    """A correction as a row of the list."""
    source = FACT if row.origin.startswith("fact:") else PEOPLE
    weight = 1.0 if row.state == corrections.ADDED else 0.0
    return Row(row.word, row.code, row.repository_id, weight, source, row.state, row)


def spelt(stems: Iterable[str], repositories: Iterable[int]) -> dict[str, str]:
    """The commonest spelling of each stem in these repositories' texts, where they tell one."""
    rows = Vocabulary.objects.filter(
        kind=SPELT, code__in=set(stems), repository__in=list(repositories)
    )
    return dict(rows.order_by("weight", "-pk").values_list("code", "word"))


def _place(cursor: str) -> tuple[str, tuple[float, int]]:
    """Which part of the list, and after which row of it."""
    try:
        if not cursor:
            return "c", (0.0, 2**63 - 1)
        if cursor[0] == "c":
            return "c", (0.0, int(cursor[1:]))
        weight, _, pk = cursor.removeprefix("m").partition(":")
        return "m", (float(weight), int(pk))
    except ValueError as bad:
        raise BadCursor("No page gave this cursor.") from bad


def _corrected(wanted: Wanted) -> QuerySet[Correction]:
    rows = Correction.objects.filter(repository__in=list(wanted.repositories))
    if wanted.general:
        rows = corrections.readable(wanted.repositories)
    if q := wanted.parameters["q"]:
        rows = rows.filter(
            Q(word__icontains=wanted.q.strip()) | Q(key__contains=q) | Q(code__icontains=q)
        )
    if wanted.source == FACT:
        rows = rows.filter(origin__startswith="fact:")
    elif wanted.source == PEOPLE:
        rows = rows.exclude(origin__startswith="fact:")
    elif wanted.source:
        rows = rows.none()
    return rows.order_by("-pk")


def _mined(wanted: Wanted, place: tuple[float, int], limit: int) -> tuple[list[Row], str]:
    """Mined rows that nobody suppressed; those stand among the corrections."""
    kinds = [kind for kind in MINED if wanted.source in {"", kind}]
    if not kinds or not limit:
        return [], "" if not kinds else f"m{place[0]!r}:{place[1]}"
    parameters = wanted.parameters | {
        "kinds": kinds,
        "weight": place[0],
        "id": place[1],
        "limit": limit + 1,
    }
    with connection.cursor() as cursor:
        cursor.execute(SEARCH if parameters["q"] else READ, parameters)
        found = cursor.fetchall()
    rows = [Row(word, code, of, weight, kind) for _, of, kind, word, code, weight in found[:limit]]
    kept = _unsuppressed(rows, wanted.repositories)
    names = spelt({row.code for row in kept}, wanted.repositories)
    last = found[limit - 1] if len(found) > limit else None
    following = f"m{last[5]!r}:{last[0]}" if last else ""
    return [replace(row, code=names.get(row.code, row.code)) for row in kept], following


def _unsuppressed(rows: list[Row], repositories: Iterable[int]) -> list[Row]:
    suppressed = set(
        corrections.readable(repositories)
        .filter(state=corrections.SUPPRESSED, code_key__in={row.code for row in rows})
        .values_list("key", "code_key", "repository_id")
    )
    return [
        row
        for row in rows
        if not suppressed & {(row.word, row.code, None), (row.word, row.code, row.repository_id)}
    ]


def _weighted(rows: list[Row], repositories: Iterable[int]) -> list[Row]:
    """Suppressed rows with the weight that was mined for them."""
    pairs = {
        (row.correction.key, row.correction.code_key)
        for row in rows
        if row.correction and row.state == corrections.SUPPRESSED
    }
    mined = Vocabulary.objects.filter(
        repository__in=list(repositories),
        kind__in=MINED,
        word__in={word for word, _ in pairs},
        code__in={code for _, code in pairs},
    )
    found: dict[tuple[str, str, int | None], float] = {}
    for word, code, of, weight in mined.values_list("word", "code", "repository_id", "weight"):
        for place in (None, of):
            found[word, code, place] = found.get((word, code, place), 0.0) + weight
    return [
        replace(
            row,
            weight=round(
                found.get(
                    (row.correction.key, row.correction.code_key, row.repository_id), row.weight
                ),
                3,
            ),
        )
        if row.correction
        else row
        for row in rows
    ]


def _counts(wanted: Wanted, corrected: QuerySet[Correction]) -> dict[str, int]:
    """How many rows each source has, whichever of them is wanted."""
    everything = replace(wanted, source="")
    corrected = _corrected(everything)
    facts = corrected.filter(origin__startswith="fact:").count()
    counts = dict.fromkeys(SOURCES, 0)
    with connection.cursor() as cursor:
        cursor.execute(COUNT, everything.parameters)
        counts |= dict(cursor.fetchall())
    return counts | {FACT: facts, PEOPLE: corrected.count() - facts}
