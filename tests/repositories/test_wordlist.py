"""The page of words: corrections, then what was mined, strongest first, of readable repositories alone (C7)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kb_agent.repositories import terms
from kb_agent.repositories.models import Repository, Vocabulary
from kb_agent.repositories.vocabulary import corrections, wordlist
from kb_agent.repositories.vocabulary.corrections import ADDED, SUPPRESSED, Pair
from kb_agent.repositories.vocabulary.wordlist import Page, Wanted

pytestmark = pytest.mark.django_db
SIMPLE = [each for each in map(chr, range(0x5000, 0x5200)) if terms.fold(each) == each]


def word(number: int) -> str:
    """A business word of its own."""
    return f"词{SIMPLE[number]}"


def code(number: int) -> str:
    """A stem of its own."""
    return f"zq{chr(97 + number % 26)}{chr(97 + number // 26)}o"


@pytest.fixture
def shops() -> list[int]:
    """Two repositories with the same hundred pairs of several sources, and counts that are no pairs."""
    made = [
        Repository.objects.create(name=name, source="/srv", kind="git_local").pk
        for name in ("shop", "till")
    ]
    Vocabulary.objects.bulk_create(
        [
            Vocabulary(
                repository_id=of,
                word=word(number),
                code=code(number),
                weight=number % 17,
                kind=wordlist.MINED[number % 4],
            )
            for of in made
            for number in range(100)
        ]
        + [Vocabulary(repository_id=made[0], word=word(1), code="", weight=9, kind="left")]
    )
    return made


def all_pages(wanted: Wanted, limit: int = 7) -> list[Page]:
    """Every page, one after another."""
    pages = [wordlist.page(wanted, limit=limit)]
    while pages[-1].next:
        pages.append(wordlist.page(wanted, pages[-1].next, limit=limit))
    return pages


def test_pages_hold_every_pair_once_strongest_first(shops: list[int]) -> None:
    rows = [row for page in all_pages(Wanted(shops)) for row in page.rows]
    assert len({(row.word, row.repository_id) for row in rows}) == len(rows) == 200
    assert all(first.weight >= second.weight for first, second in pairwise(rows))


def test_C7_words_and_corrections_of_other_repositories_are_not_listed(shops: list[int]) -> None:
    corrections.set_state(Pair("别家", "elsewhere", shops[1]), ADDED, by=None)
    corrections.set_state(Pair("大家", "everyone"), ADDED, by=None)
    rows = [row for page in all_pages(Wanted(shops[:1])) for row in page.rows]
    assert {row.repository_id for row in rows} == {shops[0], None}
    assert [row.word for row in rows if row.state == ADDED] == ["大家"]
    assert wordlist.page(Wanted(shops[:1])).counts["people"] == 1


def test_corrections_stand_first_and_pages_go_on_from_them(shops: list[int]) -> None:
    for number in range(10):
        corrections.set_state(Pair(f"新词{number}", f"fresh{number}"), ADDED, by=None)
    pages = all_pages(Wanted(shops[:1]))
    rows = [row for page in pages for row in page.rows]
    assert [row.word for row in rows[:10]] == [f"新词{number}" for number in range(9, -1, -1)]
    assert len(rows) == 110
    assert {len(page.rows) for page in pages[:-1]} == {7}


def test_a_suppressed_pair_stands_among_the_corrections_with_its_weight(shops: list[int]) -> None:
    corrections.set_state(Pair(word(16), code(16)), SUPPRESSED, by=None)
    corrections.set_state(Pair(word(33), code(33), shops[0]), SUPPRESSED, by=None)
    rows = [row for page in all_pages(Wanted(shops)) for row in page.rows]
    held = {(row.word, row.repository_id): (row.state, row.weight) for row in rows}
    assert held[word(16), None] == (SUPPRESSED, 32.0)
    assert held[word(33), shops[0]] == (SUPPRESSED, 16.0)
    assert held[word(33), shops[1]] == ("mined", 16.0)
    assert (word(16), shops[0]) not in held


@pytest.mark.parametrize(
    ("q", "found"),
    [
        *[(word(9), 1), (word(9).replace("词", "詞"), 1), (code(9), 1), (code(9).upper(), 1)],
        *[("词", 100), ("%", 0), ("'", 0), ("nothing", 0)],
    ],
)
def test_words_are_looked_for_in_both_columns_and_scripts(
    shops: list[int], q: str, found: int
) -> None:
    page = wordlist.page(Wanted(shops[:1], q), limit=200)
    assert len(page.rows) == sum(page.counts.values()) == found


def test_a_source_narrows_the_rows_and_not_the_counts(shops: list[int]) -> None:
    corrections.set_state(Pair("单据", "slip"), ADDED, by=None)
    corrections.set_state(Pair("凭证", "voucher"), ADDED, by=None, origin="fact:7")
    counts = {"catalogue": 25, "label": 25, "enum": 25, "comment": 25, "fact": 1, "people": 1}
    for source, count in counts.items():
        pages = all_pages(Wanted(shops[:1], source=source))
        rows = [row for page in pages for row in page.rows]
        assert ({row.source for row in rows}, len(rows)) == ({source}, count)
        assert pages[0].counts == counts


def test_a_stem_is_shown_as_the_texts_spell_it(shops: list[int]) -> None:
    Vocabulary.objects.bulk_create(
        [
            Vocabulary(repository_id=shops[0], word=said, code=stem, weight=weight, kind=kind)
            for said, stem, weight, kind in [
                ("发票", "invoic", 99, "catalogue"),
                ("invoicing", "invoic", 2, "spelt"),
                ("invoice", "invoic", 5, "spelt"),
            ]
        ]
    )
    row = wordlist.page(Wanted(shops[:1])).rows[0]
    assert (row.word, row.code) == ("发票", "invoice")
    assert wordlist.page(Wanted(shops[:1], "invoice")).rows[0].word == "发票"
    corrections.set_state(Pair(row.word, row.code), SUPPRESSED, by=None)
    assert wordlist.page(Wanted(shops[:1], "invoice")).rows[0].weight == 99


@pytest.mark.parametrize("cursor", ["x", "c", "cx", "m", "m1", "m1:x", "mx:1", "c1;DROP"])
def test_a_cursor_that_no_page_gave_is_refused(cursor: str) -> None:
    with pytest.raises(wordlist.BadCursor):
        wordlist.page(Wanted([]), cursor)
