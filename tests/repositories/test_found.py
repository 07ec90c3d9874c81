"""A question that the code does not answer is said to be not found here; what the demo asks never is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import settings

from kb_agent.repositories import search
from kb_agent.repositories.mirror import registry
from kb_agent.repositories.models import Repository
from tests.repositories.code import index

pytestmark = pytest.mark.django_db
DEMO = Path(settings.BASE_DIR) / "kb_agent" / "management" / "demo"
ELSEWHERE = (
    "员工加班工资按什么倍数计算？",
    "车险理赔要在事故后几天内提交？",
    "How is a patient's insulin dosage computed?",
    "Which runway does the airplane land on in fog?",
)


@pytest.fixture
def company() -> list[int]:
    """The demo's two repositories: the shop, and this product."""
    shop = registry.add("shop", str(DEMO / "shop"))
    own = registry.add("kb-agent", str(settings.BASE_DIR))
    for repository in (shop, own):
        assert index(repository).status == "done"
    return [shop.pk, own.pk]


def test_what_the_demo_asks_is_found(company: list[int]) -> None:
    samples = json.loads((DEMO / "samples.json").read_text("utf-8"))["repositories"]
    asked = [sample["text"] for each in samples for sample in each["questions"]]
    assert asked
    refused = [text for text in asked if not search.search(text, readable=company).found]
    assert not refused


def test_what_another_trade_asks_is_not_found_and_lands_nowhere_for_sure(
    company: list[int],
) -> None:
    shop = Repository.objects.get(name="shop").pk
    for question in ELSEWHERE:
        found = search.search(question, readable=[shop])
        assert not found.found, question
        assert found.routing is None or found.routing.certainty == "low", question


def test_an_empty_company_finds_nothing() -> None:
    assert not search.search("退款", readable=[]).found
