"""Asking over HTTP: where a question goes, what is refused, and that the preview says the same."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.db import connections

from tapes import store
from tapes.text import tape_text
from tests.api import company
from tests.api.company import Company, browser
from topics.models import Topic, Turn

if TYPE_CHECKING:
    from rest_framework.test import APIClient


def ask(client: APIClient, text: str = "And then?", *, key: str = "", **said: Any) -> Any:
    """Send a question; the answer's JSON, or the error with its status."""
    headers = {"Idempotency-Key": key} if key else {}
    body = json.dumps({"text": text, **said})
    response = client.post("/api/questions", body, content_type="application/json", headers=headers)
    found = response.json()
    return found if response.status_code == 202 else (response.status_code, found["error"]["code"])


def preview(client: APIClient, **where: Any) -> dict[str, Any]:
    """What asking would do."""
    found: dict[str, Any] = client.get("/api/questions/preview", where).json()
    return found


def test_P5_a_question_to_an_open_topic_follows_up_there(small: Company) -> None:
    client = browser(small.owner)
    assert preview(client, topic=small.topic.pk)["does"] == "follow_up"
    asked = ask(client, topic=small.topic.pk)
    assert asked["topic"]["id"] == small.topic.pk
    assert (asked["turn"]["status"], asked["turn"]["place"]) == ("waiting", 1)
    assert asked["continued_from"] is None
    assert tape_text(small.topic.tape_id).splitlines()[-1].endswith("message user: And then?")


def test_P5_a_question_to_a_finished_topic_starts_one_that_continues_it(small: Company) -> None:
    client = browser(small.owner)
    client.post(f"/api/topics/{small.topic.pk}/finalize")
    said = preview(client, topic=small.topic.pk)
    assert (said["does"], said["tape"], said["closes"]) == ("continue", small.topic.tape_id, None)
    asked = ask(client, "And who is told?", topic=small.topic.pk)
    assert asked["continued_from"] == small.topic.pk == asked["topic"]["continues"]
    assert asked["topic"]["title"] == "And who is told?"
    assert asked["topic"]["tape"] == small.topic.tape_id


def test_P2_a_new_topic_finishes_the_open_one_on_the_tape_in_view_and_says_so(
    small: Company,
) -> None:
    client = browser(small.owner)
    said = preview(client, tape=small.topic.tape_id)
    assert said["does"] == "start"
    assert said["closes"] == {"id": small.topic.pk, "title": small.topic.title}
    asked = ask(client, "Another matter", tape=small.topic.tape_id)
    assert asked["topic"]["tape"] == small.topic.tape_id
    closed = client.get(f"/api/topics/{small.topic.pk}").json()
    assert (closed["status"], closed["reason"]) == ("aborted", "superseded")


def test_P2_keep_it_open_takes_a_fresh_tape(small: Company) -> None:
    client = browser(small.owner)
    where = {"tape": small.topic.tape_id, "keep_open": True}
    assert preview(client, **where) == {
        "does": "start",
        "closes": None,
        "tape": None,
        "running_turn": None,
        "budget": None,
    }
    asked = ask(client, "Another matter", **where)
    assert asked["topic"]["tape"] != small.topic.tape_id
    assert client.get(f"/api/topics/{small.topic.pk}").json()["status"] == "open"


def test_P2_a_question_from_a_second_tab_neither_closes_nor_delays_one_being_answered(
    small: Company,
) -> None:
    client = browser(small.owner)
    company.claimed(small.topic)
    assert preview(client, tape=small.topic.tape_id)["tape"] is None
    asked = ask(client, "Another matter", tape=small.topic.tape_id)
    assert asked["topic"]["tape"] != small.topic.tape_id
    assert client.get(f"/api/topics/{small.topic.pk}").json()["status"] == "open"


def test_with_no_tape_in_view_a_question_goes_where_its_asker_last_was(small: Company) -> None:
    client = browser(small.owner)
    assert preview(client)["closes"]["id"] == small.topic.pk
    assert ask(client)["topic"]["tape"] == small.topic.tape_id
    assert preview(browser(small.stranger))["tape"] is None


def test_A8_a_message_joins_the_turn_that_runs_and_else_becomes_the_next(small: Company) -> None:
    client = browser(small.owner)
    running = company.claimed(small.topic).turn
    said = preview(client, topic=small.topic.pk)
    assert (said["does"], said["running_turn"]) == ("join_or_wait", running.pk)
    assert ask(client, "For gift cards", joins=running.pk)["turn"]["joins"] == running.pk
    assert ask(client, "Next", topic=small.topic.pk)["turn"]["joins"] is None
    assert ask(client, "Late", joins=small.turn.pk)["turn"]["joins"] is None


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [
        ("", 400, "empty_question"),
        (" \n\t", 400, "empty_question"),
        ("x" * 200_000, 400, "question_too_long"),
        ("x" * (settings.QUESTION_MAX_CHARS + 1), 400, "question_too_long"),
        ("what\x00ever", 400, "question_not_text"),
        ("half a \ud83d", 400, "question_not_text"),
        ("x" * 1_100_000, 413, "too_large"),
    ],
    ids=["empty", "blank", "200 kB", "one too many", "NUL", "surrogate", "a megabyte"],
)
def test_a_question_that_cannot_be_asked_is_refused_and_leaves_nothing(
    small: Company, text: str, status: int, code: str
) -> None:
    before = Turn.objects.count(), Topic.objects.count()
    assert ask(browser(small.owner), text, keep_open=True) == (status, code)
    assert (Turn.objects.count(), Topic.objects.count()) == before


def test_a_question_may_be_as_long_as_the_setting_says(small: Company) -> None:
    asked = ask(browser(small.owner), "问" * settings.QUESTION_MAX_CHARS)
    assert asked["turn"]["status"] == "waiting"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"topic": 987_654}, (404, "not_found")),
        ({"tape": 987_654}, (404, "not_found")),
        ({"joins": 987_654}, (404, "not_found")),
        ({"repositories": [987_654]}, (404, "not_found")),
        ({"branch": "no-such"}, (400, "unknown_branch")),
        ({"topic": 2**70}, (400, "invalid")),
        ({"topic": "one"}, (400, "invalid")),
        ({"repositories": "shop"}, (400, "invalid")),
    ],
)
def test_a_place_or_scope_that_is_not_there_is_named(
    small: Company, said: dict[str, Any], expected: tuple[int, str]
) -> None:
    assert ask(browser(small.owner), **said) == expected


def test_C7_a_scope_one_may_not_read_looks_like_none(small: Company) -> None:
    assert ask(browser(small.stranger), repositories=[small.shop.pk]) == (404, "not_found")
    assert ask(browser(small.stranger), branch="main") == (400, "unknown_branch")


def test_C8_secrets_are_masked_before_anything_is_kept(small: Company) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    asked = ask(browser(small.owner), f"Why does {secret} not work?")
    kept = tape_text(asked["topic"]["tape"]) + json.dumps(asked)
    assert secret not in kept
    assert "not work?" in kept


def test_a_question_is_answered_in_its_own_language(small: Company) -> None:
    client = browser(small.owner)
    for text, language in (("退款 retry?", "zh"), ("refund?", "en"), ("42?", "zh")):
        turn = ask(client, text, topic=small.topic.pk)["turn"]["id"]
        assert Turn.objects.get(pk=turn).language == language


def test_R4_a_double_click_is_one_turn_and_one_topic(committed: Company) -> None:
    client, key = browser(committed.owner), "click"

    def click(_: int) -> tuple[int, int]:
        try:
            asked = ask(client, key=key, keep_open=True)
            return asked["turn"]["id"], asked["topic"]["id"]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        made = set(pool.map(click, range(6)))
    assert len(made) == 1
    assert Turn.objects.filter(asker=committed.owner, idempotency_key=key).count() == 1
    assert Topic.objects.filter(owner=committed.owner).count() == 2


def test_R4_the_same_key_of_another_person_is_another_question(small: Company) -> None:
    first = ask(browser(small.owner), key="k")
    second = ask(browser(small.colleague), key="k")
    assert first["turn"]["id"] != second["turn"]["id"]
    assert ask(browser(small.owner), key="k" * 101) == (400, "bad_idempotency_key")


def test_P2_two_tabs_asking_at_once_on_one_tape_make_two_topics(committed: Company) -> None:
    client = browser(committed.owner)

    def tab(number: int) -> int:
        try:
            return int(ask(client, f"Matter {number}", tape=committed.topic.tape_id)["topic"]["id"])
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        topics = set(pool.map(tab, range(4)))
    assert len(topics) == 4
    tapes = Topic.objects.filter(pk__in=topics).values_list("tape", flat=True)
    assert len(set(tapes)) == 4


def test_C7_the_preview_withholds_a_title_as_every_other_route_does(small: Company) -> None:
    Topic.objects.filter(pk=small.topic.pk).update(sources=[small.shop.pk])
    client = browser(small.owner)
    assert preview(client)["closes"]["title"] == small.topic.title
    small.owner.groups.clear()
    assert preview(client)["closes"] == {"id": small.topic.pk, "title": ""}


def test_a_tape_that_was_made_and_never_used_is_the_next_one_taken(small: Company) -> None:
    client = browser(small.owner)
    unused = store.create(f"person/{small.owner.pk}/2")
    assert ask(client, keep_open=True)["topic"]["tape"] == unused.pk
    assert store.find(f"person/{small.owner.pk}/3") is None


def test_the_places_of_many_waiting_turns_are_one_question_to_the_database(
    small: Company, django_assert_max_num_queries: Any
) -> None:
    client = browser(small.owner)
    for number in range(20):
        company.asked(small.topic, f"Question {number}")
    with django_assert_max_num_queries(23):
        turns = client.get(f"/api/topics/{small.topic.pk}").json()["turns"]
    assert [turn["place"] for turn in turns] == [None, *range(1, 21)]


def test_a_page_of_topics_reads_one_time_from_tapes(
    small: Company, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        topic = company.opened(small.owner, f"Matter {number}")
        company.answered(topic, "Who?", f"Answer {number}.", sources=[small.shop.pk])
    client = browser(small.owner)
    with django_assert_max_num_queries(20):
        results = client.get("/api/topics").json()["results"]
    assert {result["answer"]["text"] for result in results} >= {"Answer 3.", "Answer 11."}
