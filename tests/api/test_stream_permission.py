"""Who may follow what, for how long, and how many streams: the stream is held to the same table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.contrib.sessions.models import Session

from kb_agent import live
from tests.api import company
from tests.api.reader import Reader, cookie_of, seqs, within

if TYPE_CHECKING:
    from tests.api.company import Company
    from tests.flows.harness import WebServer


def test_C7_live_text_from_code_one_may_not_read_is_not_told(
    committed: Company, web_server: WebServer
) -> None:
    claim = company.claimed(committed.topic)
    tape, turn, shop = claim.turn.tape_id, claim.turn.pk, committed.shop.pk
    with Reader(web_server.url, {tape: 0}, cookie_of(committed.owner)) as reader:
        reader.until("ready")
        live.text(turn, 1, 0, "Up to ", sources=[shop])
        reader.until("text")
        committed.owner.groups.clear()
        reader.more(within=2)
        live.text(turn, 1, 6, "three times", sources=[shop])
        assert reader.more(within=0.5) == []
    with Reader(web_server.url, {tape: 0}, cookie_of(committed.owner)) as reader:
        reader.until("ready")
        assert [each for each in reader.more(within=0.5) if each.name == "text"] == []


@pytest.mark.parametrize("invented", ["9" * 5000 + ":1", f"1:{'9' * 19}", "1:1:1", "x"])
def test_a_last_event_that_never_was_changes_nothing(
    committed: Company, web_server: WebServer, invented: str
) -> None:
    tape, cookie = committed.topic.tape_id, cookie_of(committed.owner)
    with Reader(web_server.url, {tape: 0}, cookie, last_event_id=invented) as reader:
        assert seqs(reader.until("ready"))[0] == 2


@pytest.mark.parametrize(
    ("who", "status"),
    [
        ("owner", 200),
        ("colleague", 404),
        ("stranger", 404),
        ("administrator", 404),
        ("auditor", 200),
        ("anonymous", 401),
    ],
)
def test_C7_the_stream_is_held_to_the_same_table(
    committed: Company, web_server: WebServer, who: str, status: int
) -> None:
    cookie = cookie_of(committed.people()[who])
    with Reader(web_server.url, {committed.topic.tape_id: 0}, cookie) as reader:
        assert reader.status == status
        if status != 200:
            assert set(json.loads(reader.body)["error"]) == {"code", "message", "details"}


def test_a_stream_that_cannot_be_asked_for_is_refused_in_the_one_shape(
    committed: Company, web_server: WebServer
) -> None:
    cookie = cookie_of(committed.owner)
    with Reader(web_server.url, {}, cookie) as reader:
        assert (reader.status, json.loads(reader.body)["error"]["code"]) == (400, "invalid")
    with Reader(web_server.url, {987_654: 0}, cookie) as reader:
        assert (reader.status, json.loads(reader.body)["error"]["code"]) == (404, "not_found")
    with Reader(web_server.url, {committed.topic.tape_id: 0}, "sessionid=made-up") as reader:
        assert reader.status == 401


def test_a_stream_ends_when_its_session_does(committed: Company, web_server: WebServer) -> None:
    tape = committed.topic.tape_id
    with Reader(web_server.url, {tape: 0}, cookie_of(committed.owner)) as reader:
        reader.until("ready")
        Session.objects.get().delete()
        assert reader.ended()[-1].data == {"code": "signed_out"}


def test_a_stream_ends_when_its_person_is_deactivated(
    committed: Company, web_server: WebServer
) -> None:
    with Reader(web_server.url, {committed.topic.tape_id: 0}, cookie_of(committed.owner)) as reader:
        reader.until("ready")
        committed.owner.is_active = False
        committed.owner.save()
        assert reader.ended()[-1].data == {"code": "signed_out"}


def test_C7_a_grant_taken_withholds_what_comes_after(
    committed: Company, web_server: WebServer
) -> None:
    tape = committed.topic.tape_id
    with Reader(web_server.url, {tape: 0}, cookie_of(committed.owner)) as reader:
        reader.until("ready")
        committed.owner.groups.clear()
        company.answered(committed.topic, "And now?", "Secret.", sources=[committed.shop.pk])
        told = reader.until("turn", status="done")
        words = [event.data["payload"] for event in told if event.name == "entry"]
        assert {"role": "assistant", "content": "Secret."} not in words
        assert any(event.data.get("withheld") for event in told)


def test_one_person_may_hold_a_dozen_streams(committed: Company, web_server: WebServer) -> None:
    cookie, tapes = cookie_of(committed.owner), {committed.topic.tape_id: 0}
    readers = [Reader(web_server.url, tapes, cookie) for _ in range(13)]
    for reader in readers:
        reader.__enter__()
    assert sorted(reader.status for reader in readers) == [200] * 12 + [429]
    for reader in readers:
        reader.__exit__(None, None, None)

    def is_open() -> bool:
        with Reader(web_server.url, tapes, cookie) as reader:
            return reader.status == 200

    assert within(10, is_open), "streams that were left no longer count"
