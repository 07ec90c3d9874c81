"""What a real server really sends: chunks, usage, calls, refusals, and how it takes a hang-up."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.llm import gauges, protocol, windows
from tests.llm.ledgers import Asked
from tests.llm_real.conftest import WINDOW

if TYPE_CHECKING:
    from kb_agent.llm.models import Endpoint

# What a call teaches of its model is a row; while a slow model answers no transaction may be open.
pytestmark = pytest.mark.usefixtures("committed_database")

SECONDS = 300
QUESTION = [{"role": "user", "content": "Say hello."}]
LONG = [{"role": "user", "content": "Count from one to two hundred, a line for each number."}]
LOOK: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "look",
        "description": "Look something up.",
        "parameters": {
            "type": "object",
            "properties": {"word": {"type": "string", "maxLength": 8}},
            "required": ["word"],
        },
    },
}


def test_A2_text_comes_in_pieces_with_usage_in_the_last_chunk(llama: Endpoint) -> None:
    asked = Asked()
    answer = asked.ask(llama, messages=QUESTION, seconds=SECONDS)
    text = answer.completed.content
    assert text
    assert len(asked.pieces) > 1
    assert "".join(piece.text for piece in asked.pieces) == text
    assert [piece.offset for piece in asked.pieces] == [
        len("".join(piece.text for piece in asked.pieces[:at])) for at in range(len(asked.pieces))
    ]
    usage = answer.completed.usage
    assert usage is not None
    assert usage.output > 0
    assert usage.input + usage.cached > 0


def test_A2_an_answer_at_its_length_limit_says_so(llama: Endpoint) -> None:
    llama.max_tokens = 3
    answer = Asked().ask(llama, messages=QUESTION, seconds=SECONDS)
    assert answer.completed.truncated


def test_A2_tools_are_offered_in_a_form_it_accepts(llama: Endpoint) -> None:
    # The tiny model does not know tools and answers in text; the request must pass all the same.
    answer = Asked().ask(llama, messages=QUESTION, tools=[LOOK], seconds=SECONDS)
    assert answer.completed.content or answer.completed.calls


def test_A2_calls_and_results_are_accepted_as_the_tape_renders_them(llama: Endpoint) -> None:
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": "look", "arguments": '{"word": "hi"}'},
    }
    messages = [
        {"role": "system", "content": "Be brief."},
        *QUESTION,
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "name": "look", "content": "A greeting."},
    ]
    answer = Asked().ask(
        llama, messages=messages, tools=[LOOK], tool_choice="none", seconds=SECONDS
    )
    assert answer.completed.content


def test_A2_the_text_protocol_is_plain_messages(llama: Endpoint) -> None:
    llama.tools = "text"
    answer = Asked().ask(llama, messages=QUESTION, tools=[LOOK], seconds=SECONDS)
    assert answer.completed.content or answer.completed.calls


def test_P8_too_long_a_question_is_recognised_and_teaches_the_window(llama: Endpoint) -> None:
    messages = [{"role": "user", "content": "refund " * 6000}]
    with pytest.raises(protocol.ContextExceeded) as refused:
        Asked().ask(llama, messages=messages, seconds=SECONDS)
    assert refused.value.limit == WINDOW
    window = windows.of(llama)
    assert window is not None
    assert (window.tokens, window.origin) == (WINDOW, "learnt")
    # What fits the window that was learnt is answered.
    short = [{"role": "user", "content": "refund " * 60}]
    request = protocol.Request(messages=short, purpose="answer", payer=1)
    assert windows.fits(request, llama)
    assert Asked().ask(llama, messages=short, seconds=SECONDS).completed.content


def test_P8_our_estimate_is_near_what_a_real_tokenizer_counts(llama: Endpoint) -> None:
    text = "Is a failed refund retried by itself, and how often does that happen in a day? " * 25
    Asked().ask(llama, messages=[{"role": "user", "content": text}], seconds=SECONDS)
    assert 0.6 <= gauges.of(llama).ratio <= 1.4


def test_A8_a_stop_hangs_up_within_a_second_and_the_server_goes_on(llama: Endpoint) -> None:
    llama.max_tokens = 1500
    asked = StoppedAtTheFirstPiece()
    with pytest.raises(protocol.Interrupted):
        asked.ask(llama, messages=LONG, seconds=SECONDS)
    assert time.monotonic() - asked.stopped_at < 1.0
    llama.max_tokens = 4
    assert Asked().ask(llama, messages=QUESTION, seconds=SECONDS).completed.content


class StoppedAtTheFirstPiece(Asked):
    """A person who stops while the answer is being written, however fast the machine is."""

    def __init__(self) -> None:
        super().__init__()
        self.stopped_at = 0.0

    def heard(self, piece: protocol.TextDelta) -> None:
        super().heard(piece)
        if not self.stopped.is_set():
            self.stopped_at = time.monotonic()
            self.stopped.set()
