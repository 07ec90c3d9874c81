"""How much a model takes, whence that is known, and how calls correct our estimate (P8)."""

from __future__ import annotations

import datetime

import pytest

from kb_agent.doctor import windows as doctor
from kb_agent.llm import endpoints, gauges, scripted, windows
from kb_agent.llm.gauge_models import Gauge
from kb_agent.llm.models import Endpoint
from kb_agent.llm.protocol import ContextExceeded, Request
from kb_agent.llm.script import refuses, says
from tests.llm.ledgers import Asked

pytestmark = pytest.mark.django_db


def endpoint(
    model: str = "m", base_url: str = "http://models.example.com/v1", **more: int
) -> Endpoint:
    """An endpoint without a row."""
    return Endpoint(name="e", model=model, base_url=base_url, **more)


def window_of(asked: Endpoint) -> windows.Window:
    """The window of a model that has one."""
    found = windows.of(asked)
    assert found is not None
    return found


def request(text: str = "hello") -> Request:
    """A question of one message."""
    return Request(messages=[{"role": "user", "content": text}], purpose="answer", payer=1)


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        (endpoint(window=5_000), (5_000, "set")),
        (endpoint("gpt-4o", "https://api.openai.com/v1"), (128_000, "table")),
        (endpoint("moonshot-v1-8k", "https://api.moonshot.cn/v1"), (8_192, "table")),
        (endpoint("gpt-4o", "https://gateway.example.com/v1"), (128_000, "table")),
        # What a model could take says little of how a server of one's own was started.
        (endpoint("gpt-4o", "http://10.0.0.3:8000/v1"), (windows.ASSUMED, "assumed")),
        (endpoint("gpt-4o", "http://gateway:8000/v1"), (windows.ASSUMED, "assumed")),
        (endpoint("ernie-4.5-turbo-128k"), (128_000, "name")),
        (endpoint("our-own-model"), (windows.ASSUMED, "assumed")),
    ],
)
def test_P8_a_window_is_known_from_the_settings_a_table_the_name_or_assumed(
    asked: Endpoint, known: tuple[int, str]
) -> None:
    assert windows.known(asked) == known


def test_P8_a_window_that_is_only_a_guess_is_said_to_be_one() -> None:
    assert "which is a guess" in windows.told(endpoint("our-own-model"))
    assert windows.told(endpoint(window=5_000)) == "It takes 5,000 tokens at once, as set."
    endpoints.add("ours", base_url="http://models.example.com/v1", model="our-own-model")
    (finding,) = doctor.look()
    assert (finding.level, finding.name) == ("warning", "window")
    assert "add_endpoint --window" in finding.advice


def test_P8_the_evidence_model_has_no_window() -> None:
    assert windows.of(endpoints.evidence()) is None
    assert windows.fits(request("x" * 1_000_000), endpoints.evidence())


def test_P8_room_for_the_answer_is_kept_free() -> None:
    small, limited = endpoint(window=4_000), endpoint(window=4_000, max_tokens=500)
    assert window_of(small).answer == 1_000
    assert window_of(limited).answer == 500
    assert windows.fits(request("x" * 4 * 2_500), small)
    assert not windows.fits(request("x" * 4 * 3_000), small)
    assert windows.fits(request("x" * 4 * 3_000), limited)


def test_P8_the_estimate_is_corrected_by_what_the_model_counts() -> None:
    asked = endpoint(window=10_000)
    assert gauges.of(asked).ratio == gauges.UNMEASURED
    gauges.measured(asked, 1_000, 1_500)
    assert gauges.of(asked).ratio == 1.5
    # It rises at once, and falls slowly.
    gauges.measured(asked, 1_000, 1_000)
    assert gauges.of(asked).ratio == pytest.approx(1.4)
    gauges.measured(asked, 1_000, 1_800)
    assert gauges.of(asked).ratio == 1.8
    # A short call, or one without a count, teaches nothing; an absurd count little.
    gauges.measured(asked, 10, 900)
    gauges.measured(asked, 1_000, 0)
    assert gauges.of(asked).ratio == 1.8
    gauges.measured(asked, 1_000, 90_000)
    assert gauges.of(asked).ratio == 3.0


def test_P8_a_refusal_teaches_the_window_it_names_for_a_day() -> None:
    asked = endpoint(window=128_000)
    gauges.refused(asked, 20_000, 16_384)
    learnt = window_of(asked)
    assert (learnt.tokens, learnt.origin) == (16_384, "learnt")
    long_ago = datetime.datetime.now(datetime.UTC) - gauges.REMEMBERED
    Gauge.objects.update(refused_at=long_ago)
    assert window_of(asked).tokens == 128_000


@pytest.mark.parametrize("limit", [None, 16_384, 60_000])
def test_P8_what_was_refused_is_known_not_to_fit_afterwards(limit: int | None) -> None:
    asked, sent = endpoint(window=64_000), request("x" * 4 * 20_000)
    assert windows.fits(sent, asked)
    gauges.refused(asked, windows.needed(sent, asked), limit)
    assert not windows.fits(sent, asked)


TOO_LONG = refuses(400, "maximum context length is 1024 tokens", code="context_length_exceeded")


def test_P8_calls_note_what_was_counted_and_what_was_refused() -> None:
    long = [{"role": "user", "content": "x" * 4 * 2_000}]
    with scripted.serve(says("Yes.").using(3_000, 5), TOO_LONG) as server:
        asked = endpoints.add("one", base_url=server.url, model="m")
        Asked().ask(asked, messages=long)
        assert gauges.of(asked).ratio == pytest.approx(1.5, abs=0.05)
        with pytest.raises(ContextExceeded):
            Asked().ask(asked, messages=long)
    assert gauges.of(asked).window == 1_024


def test_P8_a_request_too_long_for_one_is_told_so_when_the_others_fail_otherwise() -> None:
    with scripted.serve(TOO_LONG) as small, scripted.serve(refuses(401)) as broken:
        one = endpoints.add("one", base_url=small.url, model="m")
        two = endpoints.add("two", base_url=broken.url, model="m")
        with pytest.raises(ContextExceeded):
            Asked().ask(one, two)
