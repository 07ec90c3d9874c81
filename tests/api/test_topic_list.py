"""The list of topics: found by every word one may read and by no other, filtered, pinned, finished (C7, P5)."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from kb_agent.accounts.models import Audit
from kb_agent.repositories.models import Grant, Repository
from kb_agent.usecases import topic_list
from tapes import entries
from tapes.models import Entry
from tests.api import company
from tests.api.company import browser
from topics import finding, lifecycle, turns
from topics.models import Topic
from topics.models.finding import TopicTerm, TopicWords
from topics.models.ledger import TopicCost
from topics.models.shares import Share

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from tests.api.company import Company

pytestmark = pytest.mark.usefixtures("small")


def _titles(user: User, **query: Any) -> list[str]:
    finding.refresh_stale()
    answer = browser(user).get("/api/topics", query)
    assert answer.status_code == 200, answer.content
    return [topic["title"] for topic in answer.json()["results"]]


def _asked(owner: User, title: str, question: str, answer: str, *sources: int) -> Topic:
    topic = company.opened(owner, title)
    if sources:
        company.answered(topic, question, answer, sources=list(sources))
    else:
        company.asked(topic, question)
    return topic


@pytest.mark.parametrize(
    "words",
    [
        "退款",
        "退",
        "款失败",
        "退款失败后",
        "退款失敗",
        "退款失拜",
        "三次",
        "人工处理",
        "retryFailed",
        "retryfailed",
        "queueing",
        "QUEUEI",
        "refund queue",
        "queue 人工",
        "refnud queue",
        "退款 queue",
    ],
)
def test_a_topic_is_found_by_title_question_and_answer_in_both_scripts_and_with_typos(
    small: Company, words: str
) -> None:
    company.answered(
        company.opened(small.owner, "退款失败后的重试"),
        "退款失败会自动重试吗?",
        "会,最多三次;之后进入 refund queue 由人工处理,见 `retryFailed` (queueing)。",
        sources=[small.shop.pk],
    )
    _asked(small.owner, "优惠券叠加规则", "两张券能一起用吗?", "能。", small.shop.pk)
    assert _titles(small.owner, q=words) == ["退款失败后的重试"]


@pytest.mark.parametrize(
    "words", ["发票", "退款失败 发票", "refund xylophone", "退 发", "%", "'", "\\"]
)
def test_words_that_no_topic_holds_find_nothing(small: Company, words: str) -> None:
    _asked(small.owner, "退款失败后的重试", "退款失败会自动重试吗?", "会。", small.shop.pk)
    assert _titles(small.owner, q=words) == []


def test_signs_and_quotes_are_text(small: Company) -> None:
    _asked(small.owner, "C++ isn't 100% it's \\n", "?", "!", small.shop.pk)
    for words in ("%", "+", "\\", "isn't", "100%"):
        assert _titles(small.owner, q=words) == ["C++ isn't 100% it's \\n"], words


def test_what_only_similar_words_find_says_so(small: Company) -> None:
    _asked(small.owner, "Coupon stacking", "May coupons stack?", "Yes.", small.shop.pk)
    finding.refresh_stale()
    client = browser(small.owner)
    exact = client.get("/api/topics", {"q": "coupon"}).json()
    rough = client.get("/api/topics", {"q": "cuopon"}).json()
    none = client.get("/api/topics", {"q": "zebra"}).json()
    assert [exact["similar"], rough["similar"], none["similar"]] == [False, True, False]
    assert len(rough["results"]) == 1


def test_C7_words_of_code_one_may_not_read_find_nothing_and_the_title_still_does(
    small: Company,
) -> None:
    ledger = Repository.objects.create(name="ledger", source="/srv/l", kind="git_local")
    Grant.objects.create(repository=ledger, group=Group.objects.get(name="product"))
    topic = _asked(small.owner, "Tolerance", "How far off?", "Three farthings.", ledger.pk)
    company.answered(topic, "And the shop?", "Four shillings.", sources=[small.shop.pk])
    assert _titles(small.owner, q="farthings") == ["Tolerance"]
    assert _titles(small.owner, q="farthings shillings") == ["Tolerance"]
    Grant.objects.filter(repository=ledger).delete()
    assert _titles(small.owner, q="farthings") == []
    assert _titles(small.owner, q="farthimgs") == []
    assert _titles(small.owner, q="shillings") == ["Tolerance"]
    assert _titles(small.owner, q="tolerance") == ["Tolerance"]
    assert _titles(small.owner, q="how far") == ["Tolerance"]


def test_C7_a_title_drawn_from_code_one_may_not_read_is_not_searched(small: Company) -> None:
    topic = _asked(small.owner, "Refunds", "Who?", "Support.", small.shop.pk)
    lifecycle.rename(topic.pk, title="Farthings", actor="system", sources=[small.shop.pk])
    assert _titles(small.owner, q="farthings") == ["Farthings"]
    small.owner.groups.clear()
    assert _titles(small.owner, q="farthings") == []
    Repository.objects.update(answers="company")
    assert _titles(small.owner, q="farthings") == ["Farthings"]
    assert _titles(small.owner, q="support") == []


def test_C7_an_answer_without_its_question_is_no_part_of_what_a_topic_is_called(
    small: Company,
) -> None:
    shop = frozenset({small.shop.pk})
    small.topic.sources = sorted(shop)
    # A summary there is not, and a question that was erased.
    said = [("Refunds", shop), ("", shop), ("", frozenset[int]()), ("Wensleydale.", shop)]
    found = finding.rows(small.topic, said)
    assert [terms for row, terms in found if row.named] == [{"refunds"}]


def test_C7_another_persons_topic_is_not_found(small: Company) -> None:
    _asked(small.owner, "Salaries", "How much?", "Much.", small.shop.pk)
    assert _titles(small.colleague, q="salaries") == []
    assert _titles(small.auditor, q="salaries") == ["Salaries"]


def test_a_correction_is_found(small: Company) -> None:
    topic = _asked(small.owner, "Retries", "How often?", "Three times.", small.shop.pk)
    answer = topic.turns.get().answer_seq
    correct = {"corrects": answer, "text": "Nine times since June."}
    browser(small.owner).post(f"/api/tapes/{topic.tape_id}/corrections", correct, format="json")
    assert _titles(small.owner, q="since June") == ["Retries"]


def test_C7_words_quoted_from_other_topics_are_not_searched(small: Company) -> None:
    topic = company.opened(small.owner, "Second")
    claim = company.claimed(topic, "Like before?")
    said = entries.message(
        "assistant", "As in the farthings topic.", meta={"topics": [small.topic.pk]}
    )
    turns.finish(claim, "done", entries=[said], answer_seq_from=0)
    assert _titles(small.owner, q="farthings") == []
    assert _titles(small.owner, q="like before") == ["Second"]


def test_the_filters_narrow_and_add_up(small: Company) -> None:
    ledger = Repository.objects.create(name="ledger", source="/srv/l", kind="git_local")
    Grant.objects.create(repository=ledger, group=Group.objects.get(name="product"))
    old = _asked(small.owner, "Old", "?", "!", ledger.pk)
    lifecycle.finalize(old.pk, reason="owner", actor=f"person:{small.owner.pk}")
    Topic.objects.filter(pk=old.pk).update(last_activity_at=timezone.now() - timedelta(days=40))
    TopicCost.objects.create(topic=old, currency="CNY", amount=Decimal("2.5"))
    TopicCost.objects.create(topic=small.topic, currency="", unpriced=1)
    month = (timezone.now() - timedelta(days=30)).isoformat()
    every = ["Refunds", "Old"]
    assert _titles(small.owner) == every
    assert _titles(small.owner, whose="mine") == every
    assert _titles(small.owner, whose="shared") == []
    assert _titles(small.owner, whose="company") == []
    assert _titles(small.owner, status="finalized") == ["Old"]
    assert _titles(small.owner, repository=ledger.pk) == ["Old"]
    assert _titles(small.owner, repository=small.shop.pk) == ["Refunds"]
    assert _titles(small.owner, since=month) == ["Refunds"]
    assert _titles(small.owner, until=month) == ["Old"]
    assert _titles(small.owner, cost_at_least="2") == ["Old"]
    assert _titles(small.owner, cost_at_least="3") == []
    assert _titles(small.owner, unpriced=True) == ["Refunds"]
    assert _titles(small.owner, repository=ledger.pk, status="open") == []
    totals = browser(small.owner).get("/api/topics/totals").json()
    assert (totals["count"], totals["more"], totals["unknown_calls"]) == (2, False, 1)
    assert totals["money"] == [{"amount": "2.500000000000", "currency": "CNY"}]


def test_C7_a_repository_one_may_not_read_filters_nothing_in_and_is_not_named(
    small: Company,
) -> None:
    small.owner.groups.clear()
    assert _titles(small.owner, repository=small.shop.pk) == []
    (topic,) = browser(small.owner).get("/api/topics").json()["results"]
    assert topic["repositories"] == []


def test_a_topic_names_the_repositories_it_rests_on(small: Company) -> None:
    finding.refresh_stale()
    (topic,) = browser(small.owner).get("/api/topics").json()["results"]
    assert topic["repositories"] == [{"id": small.shop.pk, "name": "shop"}]


def test_pages_follow_each_other_without_gap_or_double(small: Company) -> None:
    for number in range(64):
        company.opened(small.owner, f"Topic number {number}")
    finding.refresh_stale()
    client, seen, cursor = browser(small.owner), list[str](), ""
    while True:
        page = client.get("/api/topics", {"q": "numbar", "cursor": cursor}).json()
        seen += [topic["title"] for topic in page["results"]]
        if not (cursor := page["next"]):
            break
    assert seen == [f"Topic number {number}" for number in range(63, -1, -1)]


@pytest.mark.parametrize(("newest", "few"), [(500, 2_000), (31, 2_000), (31, 1), (1, 1)])
def test_C7_however_far_words_are_looked_for_the_pages_are_the_same(
    small: Company, monkeypatch: pytest.MonkeyPatch, newest: int, few: int
) -> None:
    monkeypatch.setattr(topic_list, "NEWEST", newest)
    monkeypatch.setattr(finding, "FEW", few)
    ledger = Repository.objects.create(name="ledger", source="/srv/l", kind="git_local")
    for number in range(70):
        # Every third says so in the title, every fifth in an answer from code, half of it unreadable.
        title = f"Topic {number}" + (" farthing" if number % 3 == 0 else "")
        topic = company.opened(small.owner, title)
        if number % 5 == 0:
            source = small.shop if number % 2 else ledger
            company.answered(topic, "How?", "By the farthing.", sources=[source.pk])
    holds = [n for n in range(69, -1, -1) if n % 3 == 0 or (n % 5 == 0 and n % 2)]
    every = [n for n in range(69, -1, -1) if n % 3 == 0 or n % 5 == 0]
    assert _numbers(small.owner, "farthing") == holds
    assert _numbers(small.auditor, "farthing") == every
    assert _numbers(small.owner, "farthimg") == holds
    assert _numbers(small.colleague, "farthing") == []
    total = browser(small.owner).get("/api/topics/totals", {"q": "farthing"}).json()
    assert total["count"] == len(holds)


def _numbers(user: User, words: str) -> list[int]:
    finding.refresh_stale()
    client, seen, cursor = browser(user), list[str](), ""
    while True:
        page = client.get("/api/topics", {"q": words, "cursor": cursor}).json()
        seen += [topic["title"] for topic in page["results"]]
        if not (cursor := page["next"]):
            return [int(title.split()[1]) for title in seen if title]


def test_pins_are_ones_own(small: Company) -> None:
    client = browser(small.owner)
    pinned = client.put(f"/api/topics/{small.topic.pk}/pin")
    assert (pinned.status_code, pinned.json()["pinned"]) == (200, True)
    assert client.put(f"/api/topics/{small.topic.pk}/pin").status_code == 200
    other = company.opened(small.owner, "Other")
    assert _titles(small.owner, pinned=True) == ["Refunds"]
    assert _titles(small.owner, pinned=False) == ["Other"]
    assert _titles(small.auditor, pinned=True) == []
    client.delete(f"/api/topics/{small.topic.pk}/pin")
    assert _titles(small.owner, pinned=True) == []
    assert client.put("/api/topics/987654/pin").status_code == 404
    assert other.pk


def test_P1_a_rename_is_an_event_on_the_tape_and_found_at_once(small: Company) -> None:
    client = browser(small.owner)
    address = f"/api/topics/{small.topic.pk}"
    answer = client.patch(address, {"title": "  退款重试 "}, format="json")
    assert (answer.status_code, answer.json()["title"]) == (200, "退款重试")
    assert _titles(small.owner, q="重试") == ["退款重试"]
    newest = Entry.objects.filter(tape=small.topic.tape_id).latest("seq")
    assert newest.payload == {"name": "topic_renamed", "data": {"title": "退款重试"}}
    empty = client.patch(address, {"title": "  "}, format="json")
    assert (empty.status_code, empty.json()["error"]["code"]) == (400, "empty_title")


def test_many_are_finished_each_for_itself(small: Company) -> None:
    done = company.opened(small.owner, "Done")
    waits = company.opened(small.owner, "Waits")
    company.asked(waits, "Why?")
    others = company.opened(small.colleague, "Another's")
    numbers = [done.pk, waits.pk, others.pk, done.pk]
    answer = browser(small.owner).post("/api/topics/finalize", {"topics": numbers}, format="json")
    assert [(each["topic"], each["outcome"]) for each in answer.json()["results"]] == [
        (done.pk, "finished"),
        (waits.pk, "waits"),
        (others.pk, "not_yours"),
    ]
    assert Topic.objects.get(pk=others.pk).status == "open"


def test_P6_an_administrator_finishes_anybodys_topic_without_reading_it(small: Company) -> None:
    client = browser(small.administrator)
    (shown,) = client.get("/api/open-topics").json()["results"]
    assert (shown["id"], shown["title"], shown["owner"]["id"]) == (
        small.topic.pk,
        None,
        small.owner.pk,
    )
    ended = client.post(f"/api/open-topics/{small.topic.pk}/finalize")
    assert (ended.status_code, ended.json()["status"], ended.json()["title"]) == (
        200,
        "finalized",
        None,
    )
    topic = Topic.objects.get(pk=small.topic.pk)
    assert topic.reason == "administrator"
    assert client.get("/api/open-topics").json()["results"] == []
    lines = Audit.objects.filter(actor=small.administrator, action="topic_finalized")
    assert lines.count() == 1
    assert client.post("/api/open-topics/987654/finalize").status_code == 404


def test_T19_erased_words_are_found_no_more_and_leave_no_trace(small: Company) -> None:
    topic = _asked(small.owner, "Refunds of Wensleydale", "Which?", "Wensleydale.", small.shop.pk)
    finding.refresh_stale()
    assert TopicTerm.objects.filter(term="wensleydale").exists()
    finding.forget_words([topic.pk], using="default")
    assert not TopicWords.objects.filter(topic=topic.pk).exists()
    assert not TopicTerm.objects.filter(term="wensleydale").exists()
    assert TopicTerm.objects.filter(term="refunds").exists(), "another topic holds it"


def test_P9_people_and_their_open_knowledge_are_counted_by_what_one_may_read(
    small: Company,
) -> None:
    for topic in (
        small.topic,
        company.opened(small.owner, "Closed"),
        company.opened(small.colleague),
    ):
        if topic.title != "Closed":
            Share.objects.create(topic=topic, kind="company", created_by=topic.owner)
    lifecycle.rename(small.topic.pk, title="Shop", actor="system", sources=[small.shop.pk])
    told = browser(small.colleague).get("/api/open-knowledge").json()["results"]
    assert [(each["person"]["id"], each["topic_count"], each["fact_count"]) for each in told] == [
        (small.owner.pk, 1, 0),
        (small.colleague.pk, 1, 0),
    ]
    told = browser(small.stranger).get("/api/open-knowledge").json()["results"]
    assert [each["person"]["id"] for each in told] == [small.colleague.pk], "what rests on code"
