"""The segments of a topic over HTTP: ranges, what was kept and whom it is shown to, what each cost (P8, C7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tapes import entries, store
from tests.api.company import Company, browser, founded

if TYPE_CHECKING:
    from tapes.entries import Entry

KEPT = {"kind": "said", "text": "Refunds are tried three times. [e1]", "seqs": [3]}


@pytest.fixture
def company(db: None) -> Company:
    """The company whose owner asked about refunds."""
    return founded()


def overloaded(company: Company) -> Entry:
    """The topic passes its model's window once more."""
    topic, head = company.topic, store.get(company.topic.tape_id).head
    state = {
        "closes": [topic.initial_seq, head],
        "entries": 9,
        "tokens": 1_234,
        "keeps": [],
        "summed_up_by": "model",
        "statements": [KEPT],
        "text": "…",
    }
    anchor = entries.anchor("brain_overload", state, topic_id=topic.pk, sources=[company.shop.pk])
    (recorded,) = store.append(topic.tape_id, [anchor])
    return recorded


def segments(company: Company, *, name: str = "owner") -> list[dict[str, Any]]:
    """What somebody is told."""
    response = browser(company.people()[name]).get(f"/api/topics/{company.topic.pk}/segments")
    assert response.status_code == 200
    found: list[dict[str, Any]] = response.json()["results"]
    return found


def test_P8_a_topic_in_one_piece_has_one_segment_that_is_open(company: Company) -> None:
    (only,) = segments(company)
    assert (only["number"], only["first_seq"]) == (1, company.topic.initial_seq)
    assert only["last_seq"] == store.get(company.topic.tape_id).head
    assert (only["overload_seq"], only["summary"], only["tokens"]) == (None, None, None)
    assert only["entries"] > 0


def test_P8_a_closed_segment_tells_what_was_kept_of_it_and_the_next_begins_with_its_anchor(
    company: Company,
) -> None:
    anchor = overloaded(company)
    first, second = segments(company)
    assert (first["last_seq"], second["first_seq"]) == (anchor.seq - 1, anchor.seq)
    assert first["overload_seq"] == anchor.seq
    assert first["tokens"] == 1_234
    assert first["summary"] == {"by": "model", "statements": [KEPT], "withheld": False}
    assert set(first["cost"]) == {"money", "tokens", "unknown_calls"}


def test_C7_what_was_kept_is_withheld_from_whoever_lost_the_code_it_came_from(
    company: Company,
) -> None:
    overloaded(company)
    company.owner.groups.clear()
    first, _ = segments(company)
    assert first["summary"] == {"by": "model", "statements": [], "withheld": True}
    assert "three times" not in str(first)


def test_P8_an_anchor_of_another_make_is_a_boundary_all_the_same(company: Company) -> None:
    topic = company.topic
    odd = entries.anchor("brain_overload", {"closes": "all", "statements": 3}, topic_id=topic.pk)
    store.append(topic.tape_id, [odd])
    first, _ = segments(company)
    assert first["summary"] == {"by": "rule", "statements": [], "withheld": False}
    assert first["tokens"] is None
