"""An English question in everyday words finds code that says the same in other words (C5)."""

from __future__ import annotations

import pytest

from kb_agent.repositories import measuring, search, terms, warming
from kb_agent.repositories.vocabulary import glosses, questions, synonyms
from tests.repositories.code import Code, indexed

CLAIMS: dict[str, str | bytes | None] = {
    "intake.py": "def may_enter(person):\n    return person.registration.paid\n",
    "quota.py": "def close_quota(quota):\n    quota.closed = True\n",
    "colours.py": "def sign_colour(sign):\n    return sign.colour\n",
}


def test_words_side_by_side_mean_something_else_than_each() -> None:
    assert [said for said, _ in synonyms.phrases(["may", "people", "sign", "up", "here"])] == [
        "sign up"
    ]
    assert "registr" in dict(synonyms.phrases(["signing", "up"]))["signing up"]
    assert not synonyms.phrases(["sign"])
    assert not synonyms.phrases([])


def test_no_word_of_the_list_stands_for_itself_and_none_is_a_stop_word() -> None:
    for stems, others in synonyms._listed().items():
        assert " ".join(stems) not in others or len(stems) > 1
        assert others, stems
        assert len(stems) > 1 or stems[0] not in terms.stop_stems(), stems


@pytest.mark.django_db
def test_C5_everyday_words_find_code_that_uses_others_and_say_so(code: Code) -> None:
    code.commit(CLAIMS)
    readable = [indexed(code).pk]
    hit = search.search("Who has settled the fee for his sign-up?", readable=readable).hits[0]
    assert hit.path == "intake.py"
    assert {("vocabulary", "sign up", "registration")} <= {
        (match.kind, match.query, match.code) for match in hit.why
    }
    found = search.search("When is a contingent shut?", readable=readable)
    assert found.hits[0].path == "quota.py"
    without = measuring.Signals(frozenset(["synonyms"]))
    assert not search.search("When is a contingent shut?", readable=readable, signals=without).hits


@pytest.mark.django_db
def test_what_translates_a_chinese_word_is_not_widened() -> None:
    assert all(not concept.beside for concept in questions.concepts("退款要谁审批", []))


def test_words_that_translate_the_same_are_near_one_another() -> None:
    assert "permit" in dict(glosses.near(terms.stem("allow")))
    assert "custom" in dict(glosses.near(terms.stem("visitor")))
    assert glosses.near("zzzz") == []
    assert all(0 < weight <= 1 for _, weight in glosses.near(terms.stem("cancel")))


def test_lists_read_beforehand_are_not_read_again_for_a_question() -> None:
    warming.begin().join()
    before = glosses._counted.cache_info().misses, synonyms._listed.cache_info().misses
    questions.concepts("Who may refuse a refund?", [])
    assert (glosses._counted.cache_info().misses, synonyms._listed.cache_info().misses) == before
