"""A budget is used up, its asker is told, an administrator raises it, and every call is counted."""

from __future__ import annotations

from decimal import Decimal
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.accounts import roles
from kb_agent.accounts.models import User
from kb_agent.llm import endpoints, price_list, scripted
from kb_agent.llm.script import calls, says
from tests.agent.stories import story
from tests.api.company import browser
from tests.flows.person import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb_agent.llm.scripted import ScriptedServer

pytestmark = pytest.mark.usefixtures("a_worker")


@pytest.fixture
def model(shop: Any) -> Iterator[ScriptedServer]:
    """A model with a price."""
    rate = price_list.Terms(currency="CNY", input=Decimal(2), output=Decimal(8))
    with scripted.serve() as server:
        endpoints.add("scripted", base_url=server.url, model="m")
        price_list.add("", "m", rate, by=None)
        yield server


def test_P11_a_question_past_the_budget_is_told_why_and_answered_once_it_is_raised(
    mei: User, model: ScriptedServer
) -> None:
    root = User.objects.create_user("root")
    roles.grant(root, "administrator", by=None)
    admin, person = browser(root), Person(mei)
    new = {"scope": "person", "target": str(mei.pk), "unit": "CNY", "limit": "0.000001"}
    budget = admin.post("/api/budgets", new, format="json").json()

    refused = person.is_answered("退款失败后会自动重试吗?")
    assert (refused["turn"]["status"], refused["turn"]["reason"]) == ("done", "budget_person")
    assert refused["turn"]["cost"] is None
    assert model.requests == model.asked_beside == []

    admin.patch(f"/api/budgets/{budget['id']}", {"limit": "1"}, format="json")
    model.add(
        calls("search_code", queries=["退款 重试"]).using(1_000, 20),
        says("会, 最多重试 3 次。[e1]").using(2_000, 30, cached=1_000),
    )
    answered = person.is_answered("退款失败后会自动重试吗?", topic=refused["topic"]["id"])
    assert answered["turn"]["cost"]["money"] == [{"amount": "0.006400", "currency": "CNY"}]
    (standing,) = admin.get("/api/budgets").json()["results"]
    total = admin.get("/api/costs").json()["total"]
    assert (standing["spent"], standing["state"]) == ("0.006400", "within")
    assert total["money"] == [{"amount": "0.006400", "currency": "CNY"}]
    assert total["turns"] == 1
    # What hooks ask a model about a topic that has ended costs too.
    person.finishes(answered["topic"])
    assert (
        story(answered["topic"]["tape"])
        == dedent("""
        message user: 退款失败后会自动重试吗?
        event turn_started {"attempt": 1}
        message assistant: （你这个月的预算不够再问模型了，所以没有再问。问题还在；管理员可以在「费用」里提高你的预算。）
        event turn_ended {"reason": "budget_person", "status": "done"}
        event fork_merged
        message user: 退款失败后会自动重试吗?
        event turn_started {"attempt": 1}
        event model_call_started
        event model_call_ended ok 1020 tokens
        tool_call search_code {"queries": ["退款 重试"]}
        tool_result search_code: lands in: shop
        event model_call_started
        event model_call_ended ok 2030 tokens
        message assistant: 会, 最多重试 3 次。[e1]
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
        anchor topic_finalized {"reason": "owner", "status": "finalized", "summary": "问：退款失败后会自动重试吗?没有得到回答。问：退款失败后会自动重试吗?答：会, 最多重试 3 次。出处：shop payments/retry.py。", "title": "退款失败后会自动重试吗?"}
    """).strip()
    )
