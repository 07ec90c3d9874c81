"""The stream over a real server: resuming, permission, live text, Redis gone, slow and many readers."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

import psutil
import pytest
import redis
from django.conf import settings
from django.db import connection

from kb_agent import live
from tapes import store
from tests.api import company
from tests.api.reader import Reader, cookie_of, seqs, within
from topics import turns

if TYPE_CHECKING:
    from tests.api.company import Company
    from tests.flows.harness import WebServer


def test_R4_a_reader_gets_what_was_and_then_what_comes(
    committed: Company, web_server: WebServer
) -> None:
    tape = committed.topic.tape_id
    with Reader(web_server.url, {tape: 0}, cookie_of(committed.owner)) as reader:
        before = reader.until("ready")
        assert seqs(before) == list(range(2, store.get(tape).head + 1))
        assert next(event.position for event in before if event.name == "entry") == f"{tape}:2"
        assert before[-1].data == {"tapes": {str(tape): store.get(tape).head}}
        claim = company.claimed(committed.topic)
        started = reader.until("turn", status="running")
        assert [event.data["kind"] for event in started if event.name == "entry"] == [
            "message",
            "event",
        ]
        recorded = company.stepped(claim, 1)
        assert seqs(reader.until("entry", seq=recorded[-1].seq)) == [e.seq for e in recorded]
        turns.finish(claim, "done")
        assert reader.until("turn", status="done")[-1].data["id"] == claim.turn.pk


def test_R4_after_a_disconnect_a_reader_goes_on_without_gap_or_double_though_redis_forgot(
    committed: Company, web_server: WebServer
) -> None:
    tape, cookie = committed.topic.tape_id, cookie_of(committed.owner)
    claim = company.claimed(committed.topic)
    seen: list[int] = []
    last = ""
    for number in range(1, 6):
        with Reader(web_server.url, {tape: 0}, cookie, last_event_id=last) as reader:
            events = reader.until("ready")
            recorded = company.stepped(claim, number)
            events += reader.until("entry", seq=recorded[-1].seq)
        seen += seqs(events)
        last = [event.position for event in events if event.position][-1]
        company.stepped(claim, number + 100)
        redis.Redis.from_url(settings.REDIS_URL).flushall()
    with Reader(web_server.url, {tape: int(last.split(":")[1])}, cookie) as reader:
        seen += seqs(reader.until("ready"))
    assert seen == list(range(2, store.get(tape).head + 1))


def test_R4_one_stream_carries_several_tapes_each_from_its_own_position(
    committed: Company, web_server: WebServer
) -> None:
    other = company.opened(committed.owner, "Coupons")
    company.asked(other, "Which coupons stack?")
    heads = {each.tape_id: store.get(each.tape_id).head for each in (committed.topic, other)}
    positions = {committed.topic.tape_id: heads[committed.topic.tape_id], other.tape_id: 0}
    with Reader(web_server.url, positions, cookie_of(committed.owner)) as reader:
        events = reader.until("ready")
        tapes = {event.data["tape"] for event in events if event.name == "entry"}
        assert tapes == {other.tape_id}
        company.asked(committed.topic, "And then?")
        reader.until("entry", tape=committed.topic.tape_id, kind="message")


def test_an_address_with_too_many_parameters_is_refused_and_no_failure(
    committed: Company, web_server: WebServer
) -> None:
    more = "".join(f"&p{number}=1" for number in range(20))
    request = urllib.request.Request(
        f"{web_server.url}/api/stream?tapes={committed.topic.tape_id}:0{more}",
        headers={"Cookie": cookie_of(committed.owner)},
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=10)
    assert (refused.value.code, json.load(refused.value)["error"]["code"]) == (400, "unreadable")


def test_live_text_comes_with_what_was_written_before_the_reader_came(
    committed: Company, web_server: WebServer
) -> None:
    claim = company.claimed(committed.topic)
    tape, turn = claim.turn.tape_id, claim.turn.pk
    live.text(turn, 1, 0, "最多重试 ", sources=[])
    with Reader(web_server.url, {tape: 0}, cookie_of(committed.owner)) as reader:
        text = reader.until("text")[-1].data
        assert text == {"turn": turn, "step": 1, "offset": 0, "text": "最多重试 "}
        live.text(turn, 1, 5, "3 次 👍", sources=[])
        text = reader.until("text")[-1].data
        assert text == {"turn": turn, "step": 1, "offset": 5, "text": "3 次 👍"}
        company.stepped(claim, 1)
        live.text(turn, 2, 0, "Next", sources=[])
        assert reader.until("text")[-1].data["step"] == 2


def test_text_of_a_step_that_is_on_the_tape_is_not_told_again(
    committed: Company, web_server: WebServer
) -> None:
    claim = company.claimed(committed.topic)
    live.text(claim.turn.pk, 1, 0, "old", sources=[])
    head = company.stepped(claim, 1)[-1].seq
    with Reader(web_server.url, {claim.turn.tape_id: 0}, cookie_of(committed.owner)) as reader:
        assert reader.until("ready")[-1].data["tapes"] == {str(claim.turn.tape_id): head}
        assert reader.more(within=1) == []


def test_R2_a_stream_goes_on_while_redis_is_down(
    committed: Company, web_without_redis: WebServer
) -> None:
    claim = company.claimed(committed.topic)
    tape = claim.turn.tape_id
    with Reader(web_without_redis.url, {tape: 0}, cookie_of(committed.owner)) as reader:
        reader.until("ready")
        recorded = company.stepped(claim, 1)
        started = time.monotonic()
        reader.until("entry", seq=recorded[-1].seq)
        assert time.monotonic() - started < 4.5
        turns.finish(claim, "done")
        reader.until("turn", status="done")
        started = time.monotonic()
        asked = ask(web_without_redis, committed, "And then?")
        assert time.monotonic() - started < 15
        assert asked["turn"]["status"] == "waiting"
        reader.until("turn", status="waiting")
    assert turns.due() == [asked["turn"]["id"]], "the sweep finds what could not be sent"


def test_R4_a_hundred_open_streams_hold_no_database_connection(
    committed: Company, web_server: WebServer
) -> None:
    people = [company.person(f"reader {number}") for number in range(20)]
    for each in people:
        each.groups.add(*committed.owner.groups.all())
    topics = [company.opened(each) for each in people]
    before = connections_of(web_server)
    readers = [
        Reader(web_server.url, {topic.tape_id: 0}, cookie)
        for topic, each in zip(topics, people, strict=True)
        for cookie in [cookie_of(each)]
        for _ in range(5)
    ]
    try:
        for reader in readers:
            reader.__enter__()
            reader.until("ready")
        # Threads that look hold one for a moment, streams that wait none.
        assert within(10, lambda: connections_of(web_server) - before <= 4)
        assert within(10, lambda: held_connections() == 0)
        company.asked(topics[0], "Still alive?")
        for reader in readers[:5]:
            reader.until("entry", kind="message")
    finally:
        for reader in readers:
            reader.__exit__(None, None, None)


def connections_of(server: WebServer) -> int:
    """Connections to PostgreSQL that the server process has open, pooled idle ones included."""
    sockets = str(settings.PLACE.sockets)
    opened = psutil.Process(server.process.pid).net_connections(kind="unix")
    return sum(sockets in str(each.raddr) for each in opened)


def held_connections() -> int:
    """Other connections that are in a transaction or a statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle'"
        )
        (count,) = cursor.fetchone()
    return int(count)


def ask(server: WebServer, small: Company, text: str) -> dict[str, Any]:
    """Ask the owner's question over HTTP."""
    token = "t" * 32
    request = urllib.request.Request(
        f"{server.url}/api/questions",
        json.dumps({"text": text, "topic": small.topic.pk}).encode(),
        {
            "Cookie": f"{cookie_of(small.owner)}; csrftoken={token}",
            "X-CSRFToken": token,
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        found: dict[str, Any] = json.load(response)
    return found
