"""The dashboard's figures are those of the tapes, names only what one may read, and sets budgets and prices (P11)."""

from __future__ import annotations

import datetime
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from rest_framework.renderers import JSONRenderer

from kb_agent.accounts import budgets as budget_rows
from kb_agent.accounts.models import Audit
from kb_agent.api.costs import CostsSerializer
from kb_agent.repositories.models import Repository
from kb_agent.usecases import costs
from kb_agent.usecases.costs import Wanted
from tapes import entries, store
from tests.api.company import browser, founded
from topics import lifecycle
from topics.models.ledger import Call

if TYPE_CHECKING:
    from tests.api.company import Company

USED = {"input": 60, "cached": 40, "output": 9, "reasoning": 1}


def call(tape: int, name: str, *, topic: int | None = None, **more: Any) -> None:
    """A call on a tape, begun and ended."""
    sources = more.pop("sources", ())
    began = {"purpose": "answer", "payer": "company", "model": "m", "call": name}
    ended = {"status": "ok", "usage": USED, "price": "0.01", "currency": "USD", "call": name}
    began |= {key: more.pop(key) for key in ("purpose", "payer", "model", "attempt") if key in more}
    store.append(
        tape,
        [entries.event("model_call_started", began, topic_id=topic, sources=sources)],
    )
    store.append(tape, [entries.event("model_call_ended", ended | more, topic_id=topic)])


@pytest.fixture
def company(committed_database: None) -> Company:
    """Everyone; what they spend is read under real commits."""
    return founded()


@pytest.fixture
def spent(company: Company) -> Company:
    """The owner's topic was answered, code was indexed, and somebody else's topic is dearer."""
    topic = company.topic
    owner = topic.owner_id
    payroll = Repository.objects.create(name="payroll", source="/srv/p", kind="git_local")
    sources = [company.shop.pk, payroll.pk]
    call(topic.tape_id, "a", topic=topic.pk, payer=owner, sources=sources)
    call(topic.tape_id, "b", topic=topic.pk, payer=owner, price=None, model="new")
    call(topic.tape_id, "c", topic=topic.pk, payer=owner, price="0.5", currency="CNY", attempt=2)
    call(topic.tape_id, "d", topic=topic.pk, payer=owner, status="failed", usage=None, price=None)
    system = store.in_use("system/indexing").pk
    call(system, "e", purpose="index", price="0.001")
    other = lifecycle.start(
        tape_id=store.create("own").pk,
        owner_id=company.administrator.pk,
        title="Mine",
        actor="system",
    )
    call(other.tape_id, "f", topic=other.pk, payer=company.administrator.pk, price="0.002")
    return company


def seen(company: Company, **query: Any) -> Any:
    """The dashboard as the administrator gets it."""
    answer = browser(company.administrator).get("/api/costs", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_P11_the_sum_over_the_dashboard_is_the_sum_over_the_tapes(spent: Company) -> None:
    found = seen(spent)
    raw: dict[str, Decimal] = {}
    for row in Call.objects.exclude(currency=""):
        raw[row.currency] = raw.get(row.currency, Decimal(0)) + (row.amount or 0)
    for part in ("days", "people", "models", "purposes"):
        sums: dict[str, Decimal] = {}
        for row in found[part]:
            for money in row["money"]:
                known = sums.get(money["currency"], Decimal(0))
                sums[money["currency"]] = known + Decimal(money["amount"])
        assert sums == raw, part
        assert sum(row["calls"] for row in found[part]) == found["total"]["calls"] == 6
    assert found["total"]["money"] == [
        {"amount": "0.500000", "currency": "CNY"},
        {"amount": "0.013000", "currency": "USD"},
    ]
    assert (found["total"]["unknown_calls"], found["total"]["retries"]) == (1, 1)
    assert (found["total"]["failed"], found["total"]["cached_share"]) == (1, 0.4)


def test_the_dashboard_answers_in_the_shape_it_promises(spent: Company) -> None:
    found = costs.show(spent.administrator, Wanted())
    promised = JSONRenderer().render(CostsSerializer(found).data)
    assert json.loads(JSONRenderer().render(found)) == json.loads(promised)
    assert seen(spent) == json.loads(promised)


def test_P11_a_call_with_several_repositories_in_view_stands_at_each(spent: Company) -> None:
    found = {row["repository"]["id"]: row["calls"] for row in seen(spent)["repositories"]}
    assert set(found.values()) == {1}
    assert len(found) == 2


def test_C10_an_administrator_sees_ids_not_titles_or_names_of_what_they_may_not_read(
    spent: Company,
) -> None:
    found = seen(spent)
    titles = {row["topic"]: row["title"] for row in found["topics"]}
    assert titles.pop(spent.topic.pk) is None
    assert list(titles.values()) == ["Mine"]
    assert spent.topic.title not in str(found)
    assert [row["repository"]["name"] for row in found["repositories"]] == [None, None]
    spent.administrator.groups.add(spent.owner.groups.get())
    named = {row["repository"]["name"] for row in seen(spent)["repositories"]}
    assert named == {None, "shop"}


def test_P11_filters_limit_every_part(spent: Company) -> None:
    owner = spent.topic.owner_id
    assert seen(spent, person=owner)["total"]["calls"] == 4
    assert seen(spent, person=0)["total"]["calls"] == 1
    assert seen(spent, model="new")["total"]["unknown_calls"] == 1
    assert seen(spent, purpose="index")["topics"] == []
    found = seen(spent, repository=spent.shop.pk)
    assert (found["total"]["calls"], len(found["topics"])) == (1, 1)
    group = spent.owner.groups.get()
    assert seen(spent, group=group.pk)["total"]["calls"] >= 4
    assert [row["model"] for row in seen(spent)["unpriced"]] == ["new"]


def test_P11_the_period_before_is_as_long_and_beside_it(spent: Company) -> None:
    today = timezone.now().date()
    week = datetime.timedelta(days=7)
    later = {"first": (today + 1 * week).isoformat(), "last": (today + 2 * week).isoformat()}
    assert seen(spent, **later)["total"]["calls"] == 0
    both = {
        "first": (today + datetime.timedelta(days=1)).isoformat(),
        "last": (today + week).isoformat(),
    }
    assert seen(spent, **both)["previous"]["calls"] == 6
    bad = browser(spent.administrator).get(
        "/api/costs", {"first": "2026-05-02", "last": "2026-05-01"}
    )
    assert (bad.status_code, bad.json()["error"]["code"]) == (400, "bad_period")


@pytest.mark.parametrize(
    "period",
    [
        {"first": "0001-01-01", "last": "0001-01-02"},
        {"last": "0001-01-02", "days": 800},
        {"first": "9999-12-30", "last": "9999-12-31"},
    ],
)
def test_a_period_at_the_ends_of_the_calendar_is_refused(
    company: Company, period: dict[str, Any]
) -> None:
    for path in ("/api/costs", "/api/costs/file"):
        refused = browser(company.administrator).get(path, period)
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "bad_period")


def test_the_file_has_a_line_for_each_sum_and_no_formula(spent: Company) -> None:
    system = store.find("system/indexing")
    assert system
    call(system.pk, "g", model="=1+1")
    answer = browser(spent.administrator).get("/api/costs/file")
    lines = b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()  # type: ignore[attr-defined]
    assert lines[0].startswith("day,person,model,purpose,currency,amount,calls")
    assert len(lines) == 8
    assert any(",'=1+1," in line for line in lines)
    assert "attachment" in answer["Content-Disposition"]


def test_P11_a_budget_is_set_changed_and_ended_and_each_is_on_the_record(spent: Company) -> None:
    admin = browser(spent.administrator)
    owner = spent.topic.owner_id
    new = {"scope": "person", "target": str(owner), "unit": "tokens", "limit": "400"}
    made = admin.post("/api/budgets", new, format="json")
    assert made.status_code == 201, made.content
    assert made.json()["spent"] == "330"
    assert made.json()["state"] == "warned"
    assert admin.post("/api/budgets", new, format="json").status_code == 409
    path = f"/api/budgets/{made.json()['id']}"
    raised = admin.patch(path, {"limit": "1000"}, format="json").json()
    assert (raised["limit"], raised["state"]) == ("1000", "within")
    estimate = budget_rows.Estimate(tokens=671, amount=None, currency="")
    with pytest.raises(budget_rows.Reached):
        budget_rows.reserve("x", payer=owner, model="m", estimate=estimate, seconds=1)
    assert admin.delete(path).status_code == 204
    assert admin.get("/api/budgets").json()["results"] == []
    noted = Audit.objects.filter(action__startswith="budget").values_list("action", flat=True)
    assert list(noted.order_by("pk")) == ["budget_set", "budget_changed", "budget_ended"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"scope": "person", "target": "99999"},
        {"scope": "person", "target": "chen"},
        {"scope": "model", "target": " "},
        {"unit": "points"},
        {"limit": "-1"},
        {"warn_at": "1.5"},
    ],
)
def test_a_budget_that_cannot_be_is_refused(company: Company, wrong: dict[str, str]) -> None:
    new = {"scope": "company", "unit": "CNY", "limit": "5"} | wrong
    answer = browser(company.administrator).post("/api/budgets", new, format="json")
    assert answer.status_code == 400


def test_P11_a_price_set_for_an_earlier_date_prices_past_calls_when_asked_to(
    spent: Company,
) -> None:
    admin = browser(spent.administrator)
    since = (timezone.now() - datetime.timedelta(days=1)).isoformat()
    price = {"model": "new", "currency": "CNY", "input": "10", "output": "20", "valid_from": since}
    made = admin.post("/api/prices", price, format="json")
    assert made.status_code == 201, made.content
    assert seen(spent)["total"]["unknown_calls"] == 1
    done = admin.post("/api/costs/reprice", {"model": "new"}, format="json").json()
    assert done == {"priced": 1, "left": 0, "closed": 0}
    found = seen(spent)
    assert (found["total"]["unknown_calls"], found["unpriced"]) == (0, [])
    assert found["total"]["money"][0] == {"amount": "0.501200", "currency": "CNY"}
    ended = admin.delete(f"/api/prices/{made.json()['id']}").json()
    assert ended["state"] == "ended"
    assert [row["state"] for row in admin.get("/api/prices").json()["results"]] == ["ended"]


def test_R3_a_call_nobody_saw_end_is_named(spent: Company) -> None:
    Call.objects.filter(pk="a").update(
        status="started",
        ended_seq=None,
        rolled=False,
        started_at=timezone.now() - datetime.timedelta(hours=2),
    )
    assert seen(spent)["lost"] == 1
