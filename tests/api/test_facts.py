"""Facts over HTTP: proposed from an answer, reviewed, seen by whom they are for (P10, C7, C10)."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command

from kb_agent.accounts.models import Audit, User
from kb_agent.repositories import evidence
from kb_agent.repositories.models import Evidence, Repository
from tests.agent import facts as acting
from tests.agent import shops
from tests.api import company
from tests.api.company import browser
from topics.models.facts import Fact

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings
    from rest_framework.test import APIClient

    from topics.models import Topic

RETRY = '''\
MAX_ATTEMPTS = 3


def retry_failed(refund):
    """Retries a failed refund, at most MAX_ATTEMPTS times."""
    return refund.attempts < MAX_ATTEMPTS
'''


@pytest.fixture
def shop(db: None, settings: Settings, tmp_path: Path) -> Repository:
    """A repository that the group `product` reads."""
    settings.VAR = tmp_path / "var"
    group = Group.objects.create(name="product")
    return shops.indexed("shop", {"retry.py": RETRY}, group=group, place=tmp_path / "shop")


@pytest.fixture
def mei(shop: Repository) -> User:
    """Who contributes."""
    return company.person("mei", Group.objects.get(name="product"))


@pytest.fixture
def li(shop: Repository) -> User:
    """Who reviews."""
    return acting.reviewer("li", Group.objects.get(name="product"))


@pytest.fixture
def topic(mei: User, shop: Repository) -> Topic:
    """Mei's finished topic."""
    return acting.finished(mei, "Refunds")


@pytest.fixture
def fact(topic: Topic, shop: Repository) -> Fact:
    """What it taught, proposed."""
    place = acting.place(shop, "retry.py", 4, 6)
    return acting.proposed(topic, "A failed refund is retried three times.", place)


def act(client: APIClient, fact: Fact, name: str, **body: Any) -> Any:
    """Do something to a fact at the version that was seen."""
    said = {"version": 1, **body}
    return client.post(f"/api/facts/{fact.pk}/{name}", said, format="json")


def listed(user: User, **query: Any) -> list[int]:
    """The ids of the facts that this person is given."""
    response = browser(user).get("/api/facts", query)
    assert response.status_code == 200, response.content
    return [each["id"] for each in response.json()["results"]]


def test_P10_a_reviewer_accepts_edits_and_rejects_with_versions_kept(fact: Fact, li: User) -> None:
    client = browser(li)
    assert act(client, fact, "accept").json()["status"] == "accepted"
    edited = act(client, fact, "edit", text="A failed refund is retried at most three times.")
    assert (edited.status_code, edited.json()["version"]) == (200, 2)
    assert edited.json()["status"] == "accepted"
    stale = act(client, fact, "reject", reason="wrong")
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "fact_moved")
    done = act(client, fact, "reject", version=2, reason="It is five by now.").json()
    assert (done["status"], done["reason"]) == ("rejected", "It is five by now.")
    assert [each["number"] for each in done["versions"]] == [2, 1]
    assert [each["author"]["display_name"] for each in done["versions"]] == ["li", "Mei"]
    actions = Audit.objects.filter(object=f"fact:{fact.pk}").values_list("action", flat=True)
    assert list(actions.order_by("pk")) == ["fact_accepted", "fact_edited", "fact_rejected"]


def test_P10_a_topic_tells_how_many_of_its_facts_one_may_see(
    topic: Topic, fact: Fact, li: User, mei: User
) -> None:
    address = f"/api/topics/{topic.pk}"
    assert browser(mei).get(address).json()["fact_count"] == 0
    act(browser(li), fact, "accept")
    assert browser(mei).get(address).json()["fact_count"] == 1
    assert browser(mei).get("/api/topics").json()["results"][0]["fact_count"] == 1
    mei.groups.clear()
    assert browser(mei).get(address).json()["fact_count"] == 1, "one's own"
    auditor = company.person("audit")
    auditor.roles.create(name="auditor")
    Fact.objects.filter(pk=fact.pk).update(contributor=li)
    assert browser(mei).get(address).json()["fact_count"] == 0
    assert browser(auditor).get(address).json()["fact_count"] == 1


def test_P10_a_rejection_needs_a_reason_and_words_a_fact(fact: Fact, li: User) -> None:
    client = browser(li)
    assert act(client, fact, "reject", reason="").status_code == 400
    assert act(client, fact, "edit", text="  ").status_code == 400


def test_P10_an_edit_names_other_lines_that_are_there_now(
    fact: Fact, li: User, shop: Repository
) -> None:
    client = browser(li)
    there = {"repository": shop.pk, "path": "retry.py", "start_line": 1, "end_line": 1}
    done = act(client, fact, "edit", text="Three times.", evidence=[there]).json()
    assert [(each["path"], each["start_line"]) for each in done["evidence"]] == [("retry.py", 1)]
    nowhere = {**there, "path": "gone.py"}
    refused = act(client, fact, "edit", version=2, text="Three times.", evidence=[nowhere])
    assert refused.json()["error"]["code"] == "missing_lines"
    many = act(client, fact, "edit", version=2, text="Three times.", evidence=[nowhere] * 9)
    assert many.json()["error"]["code"] == "too_many_places", "before any is looked for"


def test_P10_its_evidence_opens_at_the_exact_lines_of_the_exact_commit(
    fact: Fact, li: User
) -> None:
    client = browser(li)
    (place,) = client.get(f"/api/facts/{fact.pk}").json()["evidence"]
    opened = client.get(
        f"/api/repositories/{place['repository']['id']}/lines",
        {"commit": place["commit"], "path": place["path"], "start": 4, "end": 6, "context": 0},
    )
    assert opened.status_code == 200, opened.content
    assert "def retry_failed(refund):" in str(opened.json()["lines"])


def test_P10_who_contributed_a_fact_may_take_it_back_and_no_one_else(
    fact: Fact, mei: User, li: User
) -> None:
    assert act(browser(li), fact, "withdraw").status_code == 403
    assert act(browser(mei), fact, "withdraw").json()["status"] == "withdrawn"


def test_P10_a_person_proposes_what_an_answer_says(mei: User, shop: Repository) -> None:
    topic = company.opened(mei)
    turn = company.answered(topic, "Retried?", company.ANSWER, sources=[shop.pk])
    (row,) = evidence.mint(topic.pk, turn.pk, [acting.place(shop, "retry.py", 4, 6)])
    body = {"turn": turn.pk, "text": "It is retried three times.", "evidence": [row.pk]}
    client = browser(mei)
    made = client.post(f"/api/topics/{topic.pk}/facts", body, format="json")
    assert (made.status_code, made.json()["origin"]) == (201, "person")
    again = client.post(f"/api/topics/{topic.pk}/facts", body, format="json")
    assert again.json()["id"] == made.json()["id"]
    false = Evidence.objects.filter(topic_id=topic.pk).exclude(pk=row.pk).get()
    refused = client.post(
        f"/api/topics/{topic.pk}/facts", {**body, "evidence": [false.pk]}, format="json"
    )
    assert refused.json()["error"]["code"] == "unknown_evidence"


def test_C7_a_proposed_fact_is_its_contributors_and_the_reviewers_who_read_its_code(
    fact: Fact, mei: User, li: User
) -> None:
    colleague = company.person("colleague", Group.objects.get(name="product"))
    blind = acting.reviewer("blind")
    assert [listed(each) for each in (mei, li, colleague, blind)] == [[fact.pk], [fact.pk], [], []]
    assert browser(blind).get(f"/api/facts/{fact.pk}").status_code == 404
    assert act(browser(mei), fact, "accept").status_code == 403


def test_C7_an_accepted_fact_is_read_by_who_reads_its_code(fact: Fact, mei: User, li: User) -> None:
    colleague = company.person("colleague", Group.objects.get(name="product"))
    stranger = company.person("gao")
    acting.accepted(fact, li)
    assert [listed(each) for each in (colleague, stranger)] == [[fact.pk], []]
    mei.groups.clear()
    (own,) = browser(mei).get("/api/facts").json()["results"]
    assert (own["text"], own["withheld"], own["evidence"]) == (None, True, [])
    assert own["evidence_withheld"] == 1


def test_C7_prose_that_is_open_to_the_company_is_read_without_its_places(
    fact: Fact, li: User, shop: Repository
) -> None:
    acting.accepted(fact, li)
    Repository.objects.filter(pk=shop.pk).update(answers="company")
    shown = browser(company.person("gao")).get(f"/api/facts/{fact.pk}").json()
    assert (shown["text"], shown["evidence"]) == ("A failed refund is retried three times.", [])


def test_the_queue_filters_by_repository_person_language_and_words(
    fact: Fact, mei: User, li: User, shop: Repository
) -> None:
    assert listed(li, state="review", repository=shop.pk, person=mei.pk) == [fact.pk]
    assert listed(li, q="refund RETRIED", language="en") == [fact.pk]
    assert listed(li, language="zh") == []
    assert listed(li, state="accepted") == []
    counts = browser(li).get("/api/facts", {"state": "accepted"}).json()["counts"]
    assert (counts["review"], counts["proposed"], counts["accepted"]) == (1, 1, 0)


def test_P9_a_contributors_page_shows_accepted_facts_of_readable_code(
    fact: Fact, mei: User, li: User
) -> None:
    address = f"/api/people/{mei.pk}"
    assert browser(li).get(address).json()["facts"] == []
    acting.accepted(fact, li)
    seen = browser(li).get(address).json()
    assert ([each["id"] for each in seen["facts"]], seen["fact_count"]) == ([fact.pk], 1)
    assert browser(company.person("gao")).get(address).json()["facts"] == []
    assert browser(li).get("/api/people/987654").status_code == 404


def test_the_operator_lists_accepts_and_rejects_at_the_command_line(fact: Fact) -> None:
    assert command("list") == [fact.pk]
    assert command("accept", str(fact.pk))["status"] == "accepted"
    done = command("reject", str(fact.pk), "--why", "It is five by now.")
    assert (done["status"], done["decided_by"]["display_name"]) == ("rejected", "Operator")
    with pytest.raises(CommandError, match="not_found"):
        call_command("facts", "show", "987")


def command(*said: str) -> Any:
    """What a command answers in JSON."""
    out = io.StringIO()
    call_command("facts", *said, "--json", stdout=out)
    return json.loads(out.getvalue())
