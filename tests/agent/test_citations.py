"""Every citation is checked before it is shown (A5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kb_agent.agent import citations
from kb_agent.repositories import evidence
from kb_agent.repositories.models import Evidence

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository

TOPIC = 7


@pytest.fixture
def minted(shop: Repository) -> list[Evidence]:
    """Two places of the shop, as tools of the topic minted them."""
    commit = shop.branches.get().indexed_commit
    places = [
        evidence.Place(
            repository_id=shop.pk,
            commit=commit,
            branch="main",
            path=path,
            start_line=1,
            end_line=2,
        )
        for path in ("payments/retry.py", "payments/manual.py")
    ]
    return evidence.mint(TOPIC, 1, places)


def check(text: str, shop: Repository, *, topic_id: int = TOPIC) -> citations.Checked:
    """Check as someone who reads the shop."""
    return citations.check(text, topic_id=topic_id, readable=frozenset({shop.pk}))


@pytest.mark.usefixtures("minted")
def test_A5_known_ids_stay_and_unknown_ones_are_dropped_and_counted(shop: Repository) -> None:
    checked = check("Yes. [e1] No. [e9] Both. [e2, e9]", shop)
    assert checked.content == "Yes. [e1] No. Both. [e2]"
    assert checked.dropped == 2
    assert [(one["number"], one["id"], one["path"]) for one in checked.citations] == [
        (1, "e1", "payments/retry.py"),
        (2, "e2", "payments/manual.py"),
    ]
    assert checked.verified


@pytest.mark.usefixtures("minted")
@pytest.mark.parametrize("marker", ["[e1]", "[E1]", "[ e1 ]", "【e1】", "[e1，e1]", "[e01]"])
def test_A5_markers_are_read_as_models_write_them(shop: Repository, marker: str) -> None:
    checked = check(f"会。{marker}", shop)
    assert checked.content.startswith("会。[e1]")
    assert len(checked.citations) == 1


@pytest.mark.usefixtures("minted")
def test_A5_numbers_follow_the_order_of_first_mention(shop: Repository) -> None:
    checked = check("[e2] then [e1] then [e2]", shop)
    assert [one["id"] for one in checked.citations] == ["e2", "e1"]


def test_A5_an_answer_without_a_valid_citation_is_unverified(shop: Repository) -> None:
    checked = check("Trust me. [e1] [e77777777777777]", shop)
    assert checked.content == "Trust me."
    assert not checked.verified


@pytest.mark.usefixtures("minted")
def test_A5_ids_of_another_topic_are_unknown(shop: Repository) -> None:
    assert check("Yes. [e1]", shop, topic_id=8).dropped == 1


@pytest.mark.usefixtures("minted")
def test_C7_evidence_the_asker_may_no_longer_read_is_dropped() -> None:
    checked = citations.check("Yes. [e1]", topic_id=TOPIC, readable=frozenset())
    assert (checked.content, checked.dropped) == ("Yes.", 1)


def test_A5_lines_that_are_not_what_they_were_are_shown_as_not_valid(
    shop: Repository, minted: list[Evidence]
) -> None:
    Evidence.objects.filter(pk=minted[0].pk).update(content_hash="0" * 64)
    checked = check("Yes. [e1]", shop)
    assert checked.citations[0]["valid"] is False
    assert not checked.verified


@pytest.mark.usefixtures("minted")
def test_A5_code_in_an_answer_is_not_taken_for_a_marker(shop: Repository) -> None:
    text = "`items[e1]` and [1] and [example] stay.\n```\nprices[e2]\n```"
    checked = check(text, shop)
    assert (checked.content, checked.citations) == (text, [])
