"""How well facts are found by what is asked, measured on a labelled set in both languages (P10)."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import kb_agent
from kb_agent.repositories.facts import matching
from kb_agent.repositories.models.vocabulary import Correction
from tests.agent import facts as acting
from tests.agent import shops
from tests.agent.fact_questions import FACTS, QUESTIONS

if TYPE_CHECKING:
    from django.contrib.auth.models import Group

    from kb_agent.accounts.models import User
    from kb_agent.repositories.models import Repository

DEMO = Path(kb_agent.__file__).parent / "management" / "demo" / "shop"


@pytest.fixture
def known(mei: User, staff: Group, tmp_path: Path) -> tuple[Repository, dict[int, str]]:
    """The demo's shop with its accepted facts, by id."""
    shutil.copytree(DEMO, tmp_path / "demo")
    shop = shops.indexed("demo", {}, group=staff, place=tmp_path / "demo")
    topic = acting.finished(mei)
    reviewer = acting.reviewer("li", staff)
    names: dict[int, str] = {}
    for fact in FACTS:
        place = acting.place(shop, fact.path, fact.first, fact.last)
        made = acting.accepted(acting.proposed(topic, fact.text, place), reviewer)
        names[made.pk] = fact.name
    return shop, names


def test_P10_facts_are_found_by_questions_in_both_languages_and_rarely_by_others(
    known: tuple[Repository, dict[int, str]],
) -> None:
    shop, names = known
    found = {
        asked: [names[each.fact.pk] for each in matching.about(asked.text, readable=[shop.pk])]
        for asked in QUESTIONS
    }
    answered = [asked for asked in QUESTIONS if asked.fact]
    missed = [asked.text for asked in answered if asked.fact not in found[asked]]
    first = [asked for asked in answered if found[asked][:1] == [asked.fact]]
    wrong = [asked.text for asked in QUESTIONS if not asked.fact and found[asked]]
    assert len(missed) <= 2, missed
    assert len(first) >= 20
    assert len(wrong) <= 2, wrong


def test_C5_words_that_a_dictionary_knows_are_tied_to_nothing(
    known: tuple[Repository, dict[int, str]],
) -> None:
    assert list(Correction.objects.values_list("word", "code")) == []
