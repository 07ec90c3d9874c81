"""C5, C7: what people correct in the vocabulary counts in the very next search, where they may read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kb_agent.repositories import search
from kb_agent.repositories.models.vocabulary import Correction
from kb_agent.repositories.vocabulary import corrections
from kb_agent.repositories.vocabulary.corrections import ADDED, SUPPRESSED, Pair
from tests.repositories.code import Code, indexed

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository

pytestmark = pytest.mark.django_db
FILES: dict[str, str | bytes | None] = {
    "zwiebel.py": "def make_zwiebel(amount):\n    return amount\n",
    "kohlrabi.py": "def make_kohlrabi(amount):\n    return amount\n",
    "locales/zh.json": '{"a": "调拨单", "b": "新建调拨单", "c": "新建"}',
    "locales/en.json": '{"a": "Kohlrabi", "b": "Make kohlrabi", "c": "Make"}',
}


def paths(question: str, *readable: Repository) -> list[str]:
    """The files found, best first."""
    return [hit.path for hit in search.search(question, readable=[row.pk for row in readable]).hits]


def reasons(question: str, *readable: Repository) -> set[tuple[str, str]]:
    """(word of the question, code's word) of every match by vocabulary."""
    found = search.search(question, readable=[row.pk for row in readable])
    return {(m.query, m.code) for hit in found.hits for m in hit.why if m.kind == "vocabulary"}


@pytest.fixture
def shop(code: Code) -> Repository:
    """A repository whose catalogue ties 调拨 to `kohlrabi`."""
    code.commit(FILES)
    return indexed(code)


@pytest.mark.parametrize(
    ("word", "question"),
    [("保价单", "保价单在哪里"), ("保價單", "保价单在哪里"), ("保价单", "保價單在哪裡")],
)
def test_C5_an_added_pair_finds_code_in_the_next_search_in_either_script(
    shop: Repository, word: str, question: str
) -> None:
    assert "zwiebel.py" not in paths(question, shop)[:1]
    corrections.set_state(Pair(word, "zwiebel"), ADDED, by=None)
    assert paths(question, shop)[0] == "zwiebel.py"
    assert (word, "zwiebel") in reasons(question, shop)


@pytest.mark.parametrize("word", ["chargeback", "charge-back request", "ChargeBack"])
def test_C5_an_english_word_is_corrected_too(shop: Repository, word: str) -> None:
    corrections.set_state(Pair(word, "zwiebel"), ADDED, by=None)
    assert paths(f"Who may approve a {word.lower()}?", shop)[0] == "zwiebel.py"


def test_C5_a_code_word_may_be_a_whole_name(shop: Repository) -> None:
    corrections.set_state(Pair("保价单", "make_zwiebel"), ADDED, by=None)
    assert paths("保价单在哪里", shop)[0] == "zwiebel.py"


def test_C5_a_suppressed_pair_maps_no_longer_and_maps_again_when_taken_back(
    shop: Repository,
) -> None:
    assert ("调拨", "kohlrabi") in reasons("调拨单", shop)
    row = corrections.set_state(Pair("调拨", "kohlrabi"), SUPPRESSED, by=None)
    assert "kohlrabi" not in {code for _, code in reasons("调拨", shop)}
    row.delete()
    assert ("调拨", "kohlrabi") in reasons("调拨单", shop)


def test_C5_a_correction_of_one_repository_counts_there_alone(
    shop: Repository, tmp_path: Path
) -> None:
    second = Code(tmp_path / "second")
    second.commit(FILES)
    other = indexed(second, "till")
    corrections.set_state(Pair("保价单", "zwiebel", shop.pk), ADDED, by=None)
    corrections.set_state(Pair("调拨", "kohlrabi", shop.pk), SUPPRESSED, by=None)
    found = search.search("保价单", readable=[shop.pk, other.pk])
    assert [hit.repository for hit in found.hits if hit.path == "zwiebel.py"] == ["shop"]
    met = {
        (hit.repository, match.code)
        for hit in search.search("调拨", readable=[shop.pk, other.pk]).hits
        for match in hit.why
    }
    assert ("till", "kohlrabi") in met
    assert ("shop", "kohlrabi") not in met


def test_C7_a_correction_of_an_unreadable_repository_is_not_used(
    shop: Repository, tmp_path: Path
) -> None:
    second = Code(tmp_path / "second")
    second.commit(FILES)
    other = indexed(second, "till", "tillers")
    corrections.set_state(Pair("保价单", "zwiebel", other.pk), ADDED, by=None)
    assert "zwiebel.py" not in paths("保价单", shop)
    assert list(corrections.readable([shop.pk])) == []


def test_C5_the_last_word_on_a_pair_replaces_the_one_before() -> None:
    corrections.set_state(Pair("发票", "invoices"), ADDED, by=None)
    corrections.set_state(Pair("發票", "invoice"), SUPPRESSED, by=None, note="No.")
    row = Correction.objects.get()
    assert (row.word, row.code, row.state, row.note) == ("發票", "invoice", SUPPRESSED, "No.")


def test_C5_a_fact_adds_a_pair_and_never_overrules_a_person(shop: Repository) -> None:
    corrections.set_state(Pair("保价单", "zwiebel"), ADDED, by=None, origin="fact:7")
    assert paths("保价单", shop)[0] == "zwiebel.py"
    corrections.set_state(Pair("保价单", "zwiebel"), SUPPRESSED, by=None)
    corrections.set_state(Pair("保价单", "zwiebel"), ADDED, by=None, origin="fact:8")
    row = Correction.objects.get()
    assert (row.state, row.origin) == (SUPPRESSED, "")


@pytest.mark.parametrize(
    ("word", "code", "field"),
    [("", "x1", "word"), (" ?! ", "x1", "word"), ("发票", "::", "code"), ("票" * 81, "y1", "word")],
)
def test_a_pair_without_words_is_refused(word: str, code: str, field: str) -> None:
    with pytest.raises(corrections.BadCorrection) as refused:
        corrections.set_state(Pair(word, code), ADDED, by=None)
    assert refused.value.field == field


def test_a_correction_of_what_the_question_does_not_say_changes_nothing(shop: Repository) -> None:
    before = search.search("调拨单怎么新建", readable=[shop.pk])
    corrections.set_state(Pair("保价单", "zwiebel"), ADDED, by=None)
    assert search.search("调拨单怎么新建", readable=[shop.pk]) == before
