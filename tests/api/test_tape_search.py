"""Searching all tapes over HTTP: what is found, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kb_agent.repositories.models import Grant
from tests.api import company
from tests.api.company import browser

if TYPE_CHECKING:
    from tests.api.company import Company


@pytest.fixture
def small(db: None) -> Company:
    """A company whose owner has asked one question."""
    return company.founded()


def test_T13_a_search_over_all_tapes_names_tape_topic_and_entry(small: Company) -> None:
    said = browser(small.owner).get("/api/search", {"q": "THREE times"}).json()
    (hit,) = said["results"]
    assert (hit["tape"], hit["seq"]) == (small.topic.tape_id, small.turn.answer_seq)
    assert (hit["topic"], hit["tier"], hit["score"]) == (small.topic.pk, "exact", 1.0)
    assert "up to three times" in hit["snippet"].replace("*", "")
    assert (said["tapes"], said["left"]) == (1, 0)
    narrowed = {"q": "three times", "kinds": "anchor"}
    assert browser(small.owner).get("/api/search", narrowed).json()["results"] == []


def test_C7_a_search_matches_nothing_that_was_taken_from_the_reader(small: Company) -> None:
    Grant.objects.all().delete()
    for words in ("three times", "thre tmes"):
        assert browser(small.owner).get("/api/search", {"q": words}).json()["results"] == []


@pytest.mark.parametrize(
    "query", [{}, {"q": ""}, {"q": "x" * 501}, {"q": "x", "limit": 0}, {"q": "x", "kinds": "song"}]
)
def test_a_search_that_makes_no_sense_is_refused(small: Company, query: dict[str, str]) -> None:
    response = browser(small.owner).get("/api/search", query)
    assert response.status_code == 400
    assert response.json()["error"]["code"]
