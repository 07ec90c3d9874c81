"""One call and its retries, against a real server that misbehaves as providers do (A2, A7)."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from kb_agent.llm import protocol, scripted
from kb_agent.llm.assembly import Assembler
from kb_agent.llm.models import Endpoint
from kb_agent.llm.script import calls, calls_all, refuses, says
from tests.llm.ledgers import SEARCH, Asked, endpoint

# What a call teaches of its model is a row.
pytestmark = pytest.mark.django_db


def test_A2_text_streams_in_pieces_whose_offsets_count_characters() -> None:
    asked = Asked()
    with scripted.serve(says("最多重试 3 次。[e1]").in_pieces(4)) as server:
        answer = asked.ask(endpoint(server))
    assert answer.completed.content == "最多重试 3 次。[e1]"
    assert [(piece.offset, piece.text) for piece in asked.pieces] == [
        (0, "最多重试"),
        (4, " 3 次"),
        (8, "。[e1"),
        (12, "]"),
    ]


def test_A2_the_request_asks_for_usage_and_offers_tools() -> None:
    with scripted.serve(says("ok")) as server:
        Asked().ask(endpoint(server, max_tokens=500), tools=[SEARCH], tool_choice="none")
    (request,) = server.requests
    assert request["stream_options"] == {"include_usage": True}
    assert request["tools"] == [SEARCH]
    assert request["tool_choice"] == "none"
    assert request["max_tokens"] == 500


def test_A2_several_calls_of_one_step_with_arguments_in_pieces_are_put_together() -> None:
    both = calls_all(calls("search_code", query="退款"), calls("list_files", repository="shop"))
    with scripted.serve(both.in_pieces(3)) as server:
        answer = Asked().ask(endpoint(server))
    assert [(call.id, call.name, call.arguments) for call in answer.completed.calls] == [
        ("call_0", "search_code", '{"query": "退款"}'),
        ("call_1", "list_files", '{"repository": "shop"}'),
    ]


@pytest.mark.parametrize("odd", ["without_ids", "without_indexes"])
def test_A2_calls_without_ids_or_indexes_stay_apart_and_get_ids(odd: str) -> None:
    both = getattr(calls_all(calls("a", x=1), calls("b", y=2)).without_ids(), odd)()
    with scripted.serve(both) as server:
        answer = Asked().ask(endpoint(server))
    first, second = answer.completed.calls
    assert (first.name, first.arguments, second.name, second.arguments) == (
        "a",
        '{"x": 1}',
        "b",
        '{"y": 2}',
    )
    assert first.id
    assert second.id
    assert first.id != second.id


def test_A7_busy_is_retried_after_the_seconds_the_provider_asks_for() -> None:
    asked = Asked()
    began = time.monotonic()
    with scripted.serve(refuses(429, retry_after="1"), says("ok")) as server:
        answer = asked.ask(endpoint(server))
    assert answer.completed.content == "ok"
    assert asked.ledger.told == [
        "started scripted",
        "failed scripted provider_busy",
        "started scripted",
    ]
    assert 1 <= time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("first", "code"),
    [
        (refuses(503, retry_after="0"), "provider_down"),
        (says("half an answer").in_pieces(4).cut(3), "stream_cut"),
        (says("half an answer").in_pieces(4).garbled(3), "stream_cut"),
        (says("half an answer").failing(2, "overloaded", code="500"), "provider_down"),
        (says("never said").finished("cut_off_by_nothing").cut(1), "stream_cut"),
        (says(""), "empty_answer"),
    ],
)
def test_A7_what_may_pass_is_tried_again_and_the_text_begins_anew(
    first: scripted.Turn, code: str
) -> None:
    asked = Asked()
    with scripted.serve(first, says("whole")) as server:
        answer = asked.ask(endpoint(server))
    assert answer.completed.content == "whole"
    assert asked.ledger.told[1] == f"failed scripted {code}"
    assert (asked.pieces[-1].offset, asked.pieces[-1].text) == (0, "whole")


def test_A7_when_every_attempt_was_cut_the_longest_text_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kb_agent.llm.calls.BACKOFF_SECONDS", (0.0, 0.0, 0.0))
    cuts = [says("one two three").in_pieces(4).cut(after) for after in (3, 4, 2, 2)]
    asked = Asked()
    with scripted.serve(*cuts) as server, pytest.raises(protocol.StreamCut) as failure:
        asked.ask(endpoint(server))
    assert failure.value.partial == "one two thre"
    assert asked.ledger.told.count("failed scripted stream_cut") == 4


@pytest.mark.parametrize(
    ("turn", "error"),
    [
        (refuses(401, "Incorrect API key provided: sk-very-secret-1"), protocol.BadKey),
        (refuses(404, "model not found"), protocol.ModelUnknown),
        (refuses(400, "maximum context length is 8192 tokens"), protocol.ContextExceeded),
        (refuses(400, "too long", code="context_length_exceeded"), protocol.ContextExceeded),
        (refuses(400, "bad", code="content_filter"), protocol.ContentFiltered),
        (says("I").finished("content_filter"), protocol.ContentFiltered),
        (refuses(422, "no"), protocol.RequestRefused),
    ],
)
def test_A7_what_will_not_pass_is_named_and_not_repeated(
    turn: scripted.Turn, error: type[protocol.ProviderError]
) -> None:
    with scripted.serve(turn, says("never asked")) as server, pytest.raises(error) as failure:
        Asked().ask(endpoint(server))
    assert len(server.requests) == 1
    assert "very-secret" not in str(failure.value)


def test_A7_silence_ends_by_the_endpoints_own_patience() -> None:
    asked = Asked()
    with scripted.serve(says("late").slowly(3), says("ok")) as server:
        answer = asked.ask(endpoint(server, idle_seconds=1))
    assert answer.completed.content == "ok"
    assert asked.ledger.told[1] == "failed scripted provider_down"


def test_A7_no_retry_outlasts_the_turns_deadline() -> None:
    began = time.monotonic()
    with (
        scripted.serve(refuses(429, retry_after="60")) as server,
        pytest.raises(protocol.ProviderBusy),
    ):
        Asked().ask(endpoint(server), seconds=20)
    assert time.monotonic() - began < 10


def test_A1_the_deadline_ends_a_call_that_hangs_with_its_partial_text() -> None:
    slow = says("one two three four").in_pieces(4).slowly(between=0.6)
    with scripted.serve(slow) as server, pytest.raises(protocol.DeadlinePassed) as passed:
        Asked().ask(endpoint(server), seconds=2)
    assert passed.value.partial.startswith("one")


@pytest.mark.parametrize("seconds_of_silence", [0.0, 6.0])
def test_A8_a_stop_from_another_thread_ends_the_call_within_a_second_and_hangs_up(
    seconds_of_silence: float,
) -> None:
    asked = Asked()
    slow = says("word " * 200).slowly(seconds_of_silence, between=0.1)
    with scripted.serve(slow) as server:
        threading.Timer(0.5, asked.stopped.set).start()
        began = time.monotonic()
        with pytest.raises(protocol.Interrupted):
            asked.ask(endpoint(server))
        # A busy machine takes longer than a second; silence and text would both last six and more.
        assert time.monotonic() - began < 4
        assert seconds_of_silence or server.hung_up.wait(10)
    assert asked.ledger.told == ["started scripted", "failed scripted Interrupted"]


def test_a_scripted_reply_comes_once_what_it_waits_for_has_happened() -> None:
    happened = threading.Event()
    with scripted.serve(says("then").once(happened)) as server:
        threading.Timer(0.3, happened.set).start()
        assert Asked().ask(endpoint(server)).completed.content == "then"
    assert happened.is_set()


def test_A2_when_one_endpoint_fails_for_good_the_next_is_asked() -> None:
    asked = Asked()
    with scripted.serve(refuses(401)) as first, scripted.serve(says("ok")) as second:
        answer = asked.ask(endpoint(first, name="first"), endpoint(second, name="second"))
    assert answer.endpoint.name == "second"
    assert asked.ledger.told == ["started first", "failed first bad_key", "started second"]


def test_A2_a_long_wait_is_not_sat_out_while_another_endpoint_could_answer() -> None:
    asked = Asked()
    busy = refuses(429, retry_after="40")
    with scripted.serve(busy) as first, scripted.serve(says("ok")) as second:
        answer = asked.ask(
            endpoint(first, name="first"), endpoint(second, name="second"), seconds=120
        )
    assert answer.endpoint.name == "second"


def test_A7_a_content_filter_is_not_evaded_by_asking_elsewhere() -> None:
    filtered = refuses(400, "refused", code="content_filter")
    with scripted.serve(filtered) as first, scripted.serve(says("ok")) as second:
        with pytest.raises(protocol.ContentFiltered):
            Asked().ask(endpoint(first), endpoint(second))
        assert second.requests == []


def test_A7_an_endpoint_that_is_down_is_named_as_such() -> None:
    with scripted.serve() as server:
        gone = endpoint(server)
    with pytest.raises(protocol.ProviderDown, match="cannot be reached"):
        Asked().ask(gone, seconds=2)


def test_P11_a_call_without_purpose_or_payer_is_refused() -> None:
    with pytest.raises(protocol.MissingAccount):
        protocol.Request(messages=[], purpose="", payer=1)
    with pytest.raises(protocol.MissingAccount):
        protocol.Request(messages=[], purpose="answer", payer=0)


def test_A7_a_key_that_can_no_longer_be_opened_lets_the_next_endpoint_answer() -> None:
    asked = Asked()
    with scripted.serve(says("ok")) as server:
        sealed = endpoint(server, name="sealed", key_encrypted="not what was sealed")
        answer = asked.ask(sealed, endpoint(server, name="open"))
    assert answer.endpoint.name == "open"
    assert asked.ledger.told[1] == "failed sealed bad_key"


@pytest.mark.parametrize("address", ["", "nonsense", "http://[", "ftp://host/v1", "http://"])
def test_A7_an_address_that_is_none_is_named_as_down(address: str) -> None:
    with pytest.raises(protocol.ProviderDown):
        Asked().ask(Endpoint(name="x", base_url=address, model="m"), seconds=1)


def test_A7_oddly_shaped_chunks_neither_break_nor_poison_an_answer() -> None:
    taken = Assembler("m")
    parts = [{"type": "text", "text": "Yes"}, {"type": "text", "text": ".\x00"}]
    taken.feed({"model": "odd\x00", "choices": [{"delta": {"content": parts}}]})
    taken.feed({"choices": [{"delta": None, "finish_reason": "stop"}]})
    completed = taken.completed()
    assert (completed.content, completed.model) == ("Yes.\ufffd", "odd\ufffd")


@pytest.mark.parametrize(
    "chunk", [{"choices": ["x"]}, {"choices": [{"delta": {"tool_calls": [1]}}]}]
)
def test_A7_a_chunk_of_no_known_shape_is_a_cut_stream(chunk: dict[str, Any]) -> None:
    with pytest.raises(protocol.StreamCut):
        Assembler("m").feed(chunk)
