"""Who may do what on which route: one table, which every route of the URL conf must have a row in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from django.urls import reverse

from kb_agent.urls import api
from tests.api.company import Company, browser

if TYPE_CHECKING:
    from collections.abc import Callable

PEOPLE = ("owner", "colleague", "stranger", "administrator", "auditor", "anonymous")
METHODS = ("get", "post", "put", "patch", "delete")

OPEN = (200, 200, 200, 200, 200, 200)
SIGNED_IN = (200, 200, 200, 200, 200, 401)
READ_TOPIC = (200, 404, 404, 404, 200, 401)
READ_OR_MANAGE = (200, 200, 404, 200, 200, 401)
MANAGE = (403, 403, 404, 200, 403, 401)
REVIEW = (403, 403, 403, 200, 403, 401)
REVIEW_NOTHING = (403, 403, 403, 404, 403, 401)
WRITE_TAPE = (201, 404, 404, 404, 403, 401)
NO_SUCH_FORK = (404, 404, 404, 404, 403, 401)
NOTHING_THERE = (404, 404, 404, 404, 404, 401)
RECALLED_NOTHING = (404, 404, 404, 404, 403, 401)
READ_EVIDENCE = (200, 404, 404, 404, 200, 401)


class Row(NamedTuple):
    """A route, how it is called, and the status for each of PEOPLE."""

    statuses: tuple[int, ...]
    arguments: Callable[[Company], dict[str, Any]] = lambda _: {}
    query: Callable[[Company], dict[str, Any]] = lambda _: {}
    body: Callable[[Company], dict[str, Any]] = lambda _: {}
    finds: str = ""
    """Where the answer lists things: these people find something, the others nothing."""


def _topic(company: Company) -> dict[str, int]:
    return {"topic_id": company.topic.pk}


def _recalled(company: Company) -> dict[str, int]:
    return {**_topic(company), "recalled_id": company.topic.pk}


def _turn(company: Company) -> dict[str, int]:
    return {"turn_id": company.turn.pk}


def _tape(company: Company) -> dict[str, int]:
    return {"tape_id": company.topic.tape_id}


def _fork(company: Company) -> dict[str, int]:
    return {**_tape(company), "fork_id": 1}


def _shop(company: Company) -> dict[str, int]:
    return {"repository_id": company.shop.pk}


def _evidence(company: Company) -> dict[str, int]:
    return {"evidence_id": company.evidence.pk}


def _view(_: Company) -> dict[str, int]:
    return {"view_id": 1}


TABLE: dict[tuple[str, str], Row] = {
    ("get", "session"): Row(OPEN),
    ("get", "me"): Row(SIGNED_IN),
    ("patch", "me"): Row(SIGNED_IN, body=lambda _: {"language": "en"}),
    ("post", "questions"): Row(
        (202, 404, 404, 404, 403, 401),
        body=lambda company: {"text": "And then?", "topic": company.topic.pk},
    ),
    ("get", "question-preview"): Row(
        (200, 404, 404, 404, 403, 401), query=lambda company: {"topic": company.topic.pk}
    ),
    ("get", "topics"): Row(SIGNED_IN, finds="owner auditor"),
    ("get", "topic-totals"): Row(SIGNED_IN),
    ("get", "recalled"): Row(READ_TOPIC, _topic),
    ("post", "recalled-dismiss"): Row(RECALLED_NOTHING, _recalled),
    ("post", "recalled-restore"): Row(RECALLED_NOTHING, _recalled),
    ("patch", "topic"): Row(
        (200, 404, 404, 404, 403, 401), _topic, body=lambda _: {"title": "New"}
    ),
    ("put", "topic-pin"): Row(READ_TOPIC, _topic),
    ("delete", "topic-pin"): Row(READ_TOPIC, _topic),
    # Each topic has its own outcome: test_topic_list has others' topics among them.
    ("post", "topics-finalize"): Row(
        SIGNED_IN, body=lambda company: {"topics": [company.topic.pk]}
    ),
    ("get", "open-knowledge"): Row(SIGNED_IN),
    ("get", "open-topics"): Row((403, 403, 403, 200, 403, 401), finds="administrator"),
    ("post", "open-topic-finalize"): Row((403, 403, 403, 200, 403, 401), _topic),
    ("get", "topic"): Row(READ_TOPIC, _topic),
    ("post", "topic-finalize"): Row((200, 404, 404, 404, 403, 401), _topic),
    ("get", "topic-entries"): Row(READ_TOPIC, _topic, finds="owner auditor"),
    ("get", "topic-segments"): Row(READ_TOPIC, _topic, finds="owner auditor"),
    ("get", "topic-shares"): Row(READ_TOPIC, _topic),
    ("post", "topic-shares"): Row(
        (201, 404, 404, 404, 403, 401), _topic, body=lambda _: {"kind": "company"}
    ),
    # There is no such share, and no such link: test_sharing and test_who_sees_what have some.
    ("delete", "topic-share"): Row(
        (404, 404, 404, 404, 403, 401), lambda company: {**_topic(company), "share_id": 1}
    ),
    ("post", "links"): Row(NOTHING_THERE, body=lambda _: {"token": "nobody's"}),
    ("get", "people"): Row(SIGNED_IN, finds="owner colleague stranger administrator auditor"),
    ("get", "own-groups"): Row(SIGNED_IN, finds="owner colleague administrator"),
    ("get", "references"): Row(SIGNED_IN, finds="owner"),
    ("get", "costs"): Row(REVIEW),
    ("get", "costs-file"): Row(REVIEW),
    ("post", "costs-reprice"): Row(REVIEW),
    ("get", "budgets"): Row(REVIEW),
    ("post", "budgets"): Row(
        (403, 403, 403, 201, 403, 401),
        body=lambda _: {"scope": "company", "unit": "USD", "limit": "100"},
    ),
    # There is no such budget, and no such price: test_costs has some.
    ("patch", "budget"): Row(REVIEW_NOTHING, lambda _: {"budget_id": 1}, body=lambda _: {}),
    ("delete", "budget"): Row(REVIEW_NOTHING, lambda _: {"budget_id": 1}),
    ("get", "prices"): Row(REVIEW),
    ("post", "prices"): Row(
        (403, 403, 403, 201, 403, 401),
        body=lambda _: {"model": "m", "currency": "USD", "input": "1"},
    ),
    ("delete", "price"): Row(REVIEW_NOTHING, lambda _: {"price_id": 1}),
    ("get", "turn"): Row(READ_TOPIC, _turn),
    ("post", "turn-keep"): Row((200, 404, 404, 404, 403, 401), _turn),
    ("post", "turn-stop"): Row((202, 404, 404, 404, 403, 401), _turn),
    ("get", "turn-saw"): Row(READ_TOPIC, _turn),
    ("get", "tapes-search"): Row(
        SIGNED_IN, query=lambda _: {"q": "three times"}, finds="owner auditor"
    ),
    ("get", "tapes"): Row(SIGNED_IN, finds="owner auditor"),
    ("get", "tape"): Row(READ_TOPIC, _tape),
    ("get", "tape-entries"): Row(READ_TOPIC, _tape, finds="owner auditor"),
    ("get", "tape-output"): Row(
        NOTHING_THERE, lambda company: {**_tape(company), "seq": 1}, query=lambda _: {"call": "c1"}
    ),
    ("get", "tape-anchors"): Row(READ_TOPIC, _tape, finds="owner auditor"),
    ("get", "tape-search"): Row(
        READ_TOPIC, _tape, query=lambda _: {"q": "three times"}, finds="owner auditor"
    ),
    ("post", "tape-verify"): Row((202, 404, 404, 404, 202, 401), _tape),
    ("post", "tape-handoff"): Row(WRITE_TAPE, _tape, body=lambda _: {"name": "new phase"}),
    ("post", "tape-reset"): Row(WRITE_TAPE, _tape),
    ("post", "tape-marks"): Row(
        WRITE_TAPE, _tape, body=lambda _: {"seqs": [1], "note": "begun here", "name": "start"}
    ),
    ("post", "tape-corrections"): Row(
        WRITE_TAPE, _tape, body=lambda _: {"corrects": 3, "text": "twice"}
    ),
    ("post", "tape-forks"): Row(WRITE_TAPE, _tape, body=lambda _: {"note": "a try"}),
    # There is no such fork: test_tape_acts has one.
    ("post", "tape-fork-notes"): Row(NO_SUCH_FORK, _fork, body=lambda _: {"text": "found it"}),
    ("post", "tape-fork-merge"): Row(NO_SUCH_FORK, _fork),
    ("post", "tape-fork-discard"): Row(NO_SUCH_FORK, _fork),
    ("get", "views"): Row(SIGNED_IN),
    ("post", "views"): Row(
        (201, 404, 404, 404, 201, 401),
        body=lambda company: {"name": "mine", "parts": [{"topic": company.topic.pk}]},
    ),
    # There is no such view: test_named_views and test_who_sees_what have some.
    ("get", "view"): Row(NOTHING_THERE, _view),
    ("delete", "view"): Row(NOTHING_THERE, _view),
    ("get", "view-shares"): Row(NOTHING_THERE, _view),
    ("post", "view-shares"): Row(NOTHING_THERE, _view, body=lambda _: {"kind": "company"}),
    ("delete", "view-share"): Row(NOTHING_THERE, lambda company: {**_view(company), "share_id": 1}),
    ("get", "evidence-states"): Row(
        SIGNED_IN, query=lambda company: {"ids": company.evidence.pk}, finds="owner auditor"
    ),
    ("get", "evidence"): Row(READ_EVIDENCE, _evidence),
    ("get", "evidence-outline"): Row(READ_EVIDENCE, _evidence),
    ("get", "evidence-blame"): Row(READ_EVIDENCE, _evidence),
    ("get", "evidence-change"): Row(READ_EVIDENCE, _evidence),
    ("get", "evidence-log"): Row(READ_EVIDENCE, _evidence),
    ("get", "evidence-symbol"): Row(
        READ_EVIDENCE, _evidence, query=lambda _: {"name": "retry_refund"}
    ),
    ("get", "repositories"): Row(SIGNED_IN, finds="owner colleague administrator auditor"),
    ("post", "repositories"): Row(
        (403, 403, 403, 201, 403, 401),
        body=lambda _: {"name": "new", "source": "https://git.example.com/new.git"},
    ),
    ("get", "repository"): Row(READ_OR_MANAGE, _shop),
    ("patch", "repository"): Row(MANAGE, _shop, body=lambda _: {"answers": "company"}),
    ("delete", "repository"): Row((403, 403, 404, 204, 403, 401), _shop),
    ("get", "repository-skipped"): Row(READ_OR_MANAGE, _shop),
    ("post", "repository-index"): Row((403, 403, 404, 202, 403, 401), _shop),
    ("post", "repository-cancel"): Row((403, 403, 404, 202, 403, 401), _shop),
    ("put", "repository-grants"): Row(MANAGE, _shop, body=lambda _: {"groups": []}),
    ("post", "repository-webhook"): Row(MANAGE, _shop),
    ("delete", "repository-webhook"): Row((403, 403, 404, 204, 403, 401), _shop),
    # No session is looked at: test_webhooks has keys that are listened to.
    ("post", "webhook"): Row((404,) * 6, lambda _: {"provider": "github", "key": "nobody's"}),
    ("get", "facts"): Row(SIGNED_IN),
    ("post", "topic-facts"): Row(
        # This shop's mirror holds no such file: test_facts proposes from one that does.
        (400, 404, 404, 404, 403, 401),
        _topic,
        body=lambda company: {
            "turn": company.turn.pk,
            "text": "Three times.",
            "evidence": [company.evidence.pk],
        },
    ),
    # There is no such fact: test_facts has some.
    ("get", "fact"): Row(NOTHING_THERE, lambda _: {"fact_id": 1}),
    ("post", "fact-accept"): Row(
        NOTHING_THERE, lambda _: {"fact_id": 1}, body=lambda _: {"version": 1}
    ),
    ("post", "fact-edit"): Row(
        NOTHING_THERE, lambda _: {"fact_id": 1}, body=lambda _: {"version": 1, "text": "Twice."}
    ),
    ("post", "fact-reject"): Row(
        NOTHING_THERE, lambda _: {"fact_id": 1}, body=lambda _: {"version": 1, "reason": "no"}
    ),
    ("post", "fact-withdraw"): Row(
        NOTHING_THERE, lambda _: {"fact_id": 1}, body=lambda _: {"version": 1}
    ),
    ("get", "person"): Row(SIGNED_IN, lambda company: {"person_id": company.owner.pk}),
    ("get", "groups"): Row((403, 403, 403, 200, 403, 401)),
    # This shop's mirror holds no such file: test_code has one that does.
    ("get", "repository-lines"): Row(
        (404, 404, 404, 404, 404, 401),
        lambda company: {"repository_id": company.shop.pk},
        query=lambda _: {"commit": "c" * 40, "path": "refunds/retry.py"},
    ),
    ("get", "vocabulary"): Row(REVIEW),
    ("post", "vocabulary"): Row(
        (403, 403, 403, 201, 403, 401),
        body=lambda _: {"word": "退货", "code": "refund", "state": "added"},
    ),
    ("get", "vocabulary-why"): Row(REVIEW, query=lambda _: {"word": "退货", "code": "refund"}),
    # There is no such correction, and no such set: test_vocabulary and test_evaluation have them.
    ("delete", "vocabulary-correction"): Row(REVIEW_NOTHING, lambda _: {"correction_id": 1}),
    ("get", "evaluations"): Row(REVIEW),
    ("post", "evaluations"): Row(
        (403, 403, 403, 400, 403, 401), body=lambda _: {"name": "ours", "questions": "?"}
    ),
    ("get", "evaluation"): Row(REVIEW_NOTHING, lambda _: {"evaluation_id": 1}),
    ("put", "evaluation"): Row(
        REVIEW_NOTHING,
        lambda _: {"evaluation_id": 1},
        body=lambda _: {"name": "ours", "questions": "?"},
    ),
    ("delete", "evaluation"): Row(REVIEW_NOTHING, lambda _: {"evaluation_id": 1}),
    ("post", "evaluation-run"): Row(REVIEW_NOTHING, lambda _: {"evaluation_id": 1}),
    ("get", "hooks"): Row((403, 403, 403, 200, 403, 401)),
    ("patch", "hook"): Row(
        (403, 403, 403, 409, 403, 401),
        lambda _: {"path": "topics.finalize_prev.topic_finalize_prev"},
        body=lambda _: {"on": False},
    ),
    # What answers here has no streams to give; test_stream holds the real one to the same table.
    ("get", "stream"): Row((503, 503, 503, 503, 503, 401)),
    ("get", "health"): Row(OPEN),
    ("get", "ready"): Row(OPEN),
    ("get", "schema"): Row(OPEN),
}


def routes() -> set[tuple[str, str]]:
    """Every method of every named route of the API."""
    return {
        (method, pattern.name)
        for pattern in api
        if pattern.name
        for method in METHODS
        if hasattr(pattern.callback.view_class, method)
    }


def test_every_route_has_its_row() -> None:
    assert set(TABLE) == routes()


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize(("method", "name"), sorted(TABLE))
def test_C7_everyone_gets_what_is_theirs_and_no_more(
    small: Company, method: str, name: str, who: str
) -> None:
    row = TABLE[method, name]
    client = browser(small.people()[who])
    address = reverse(name, kwargs=row.arguments(small))
    said = row.query(small) if method == "get" else row.body(small)
    form = {} if method == "get" else {"format": "json"}
    response = getattr(client, method)(address, said, **form)
    assert response.status_code == row.statuses[PEOPLE.index(who)], response.content
    if response.status_code >= 400:
        assert set(response.json()["error"]) == {"code", "message", "details"}
    elif row.finds:
        assert bool(response.json()["results"]) == (who in row.finds.split())


@pytest.mark.parametrize("who", ["colleague", "stranger"])
def test_what_one_may_not_see_looks_like_what_does_not_exist(small: Company, who: str) -> None:
    client = browser(small.people()[who])
    there = client.get(f"/api/topics/{small.topic.pk}")
    nowhere = client.get("/api/topics/987654321")
    assert (there.status_code, there.content) == (nowhere.status_code, nowhere.content)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("topics/{0.topic.pk}", ("topic_read", "topic:{0.topic.pk}")),
        ("topics/{0.topic.pk}/entries", ("topic_read", "topic:{0.topic.pk}")),
        ("turns/{0.turn.pk}", ("topic_read", "topic:{0.topic.pk}")),
        ("evidence/{0.evidence.pk}", ("topic_read", "topic:{0.topic.pk}")),
        ("evidence?ids={0.evidence.pk}", ("topics_listed", "topics")),
        ("topics", ("topics_listed", "topics")),
        ("tapes", ("tapes_listed", "tapes")),
        ("tapes/{0.topic.tape_id}", ("tape_read", "tape:{0.topic.tape_id}")),
        ("tapes/{0.topic.tape_id}/entries", ("tape_read", "tape:{0.topic.tape_id}")),
        ("tapes/{0.topic.tape_id}/anchors", ("tape_read", "tape:{0.topic.tape_id}")),
        ("tapes/{0.topic.tape_id}/search?q=x", ("tape_read", "tape:{0.topic.tape_id}")),
        ("turns/{0.turn.pk}/saw", ("topic_read", "topic:{0.topic.pk}")),
    ],
)
def test_C10_an_auditors_reading_leaves_a_line_on_every_route(
    small: Company, path: str, line: tuple[str, str]
) -> None:
    assert browser(small.auditor).get("/api/" + path.format(small)).status_code == 200
    lines = small.auditor.audit_lines.values_list("action", "object")
    assert list(lines) == [(line[0], line[1].format(small))]
    assert not small.owner.audit_lines.exists()


def test_a_deactivated_person_is_signed_out(small: Company) -> None:
    client = browser(small.owner)
    small.owner.is_active = False
    small.owner.save()
    assert client.get("/api/me").status_code == 401


def test_a_write_without_its_token_is_refused_in_the_one_shape(small: Company) -> None:
    client = browser(small.owner)
    client.credentials()
    response = client.post("/api/questions", {"text": "?"}, format="json")
    assert (response.status_code, response.json()["error"]["code"]) == (403, "csrf")


def test_C7_a_grant_taken_withholds_what_was_said_from_that_code(small: Company) -> None:
    small.owner.groups.clear()
    client = browser(small.owner)
    entries = client.get(f"/api/topics/{small.topic.pk}/entries").json()["results"]
    withheld = [entry for entry in entries if entry["withheld"]]
    assert [entry["kind"] for entry in withheld] == ["message", "event"]
    assert all(entry["payload"] is None and entry["meta"] == {} for entry in withheld)
    listed = client.get("/api/topics").json()["results"][0]
    assert listed["answer"] == {"text": None, "withheld": True, "correction": None}
    assert client.get(f"/api/evidence/{small.evidence.pk}").status_code == 404
    assert "three" not in client.get(f"/api/topics/{small.topic.pk}").content.decode()
