"""One streamed call to an OpenAI-compatible endpoint, which its caller can leave at any moment."""

from __future__ import annotations

import contextlib
import queue
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from kb_agent.llm import evidence_model, failures, keys, text_protocol
from kb_agent.llm.assembly import Assembler
from kb_agent.llm.line import Line
from kb_agent.llm.protocol import (
    BadKey,
    DeadlinePassed,
    Interrupted,
    Piece,
    ProviderError,
    Request,
    Signal,
    TextDelta,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb_agent.llm.models import Endpoint

# A stop is noticed within this time, whatever the provider is doing.
_GLANCE_SECONDS = 0.1


def stream(
    endpoint: Endpoint, request: Request, *, deadline: float, stopped: Signal
) -> Iterator[Piece]:
    """Ask once; yields TextDelta pieces and, last, one Completed.

    `deadline` is a `time.monotonic()` instant. Raises a ProviderError by name, Interrupted when
    `stopped` is set, DeadlinePassed; each carries the partial text.
    """
    if endpoint.by_rule:
        yield from evidence_model.stream(request)
        return
    assembler, splitter, offset = Assembler(endpoint.model), text_protocol.Splitter(), 0
    by_text = endpoint.tools == "text"
    with contextlib.closing(_Reader(endpoint, request)) as reader:
        for chunk in _watched(reader, assembler, deadline=deadline, stopped=stopped):
            text = assembler.feed(chunk)
            text = splitter.feed(text) if by_text else text
            if text:
                yield TextDelta(offset, text)
                offset += len(text)
    completed = assembler.completed()
    yield text_protocol.read(completed) if by_text else completed


def _watched(
    reader: _Reader, assembler: Assembler, *, deadline: float, stopped: Signal
) -> Iterator[dict[str, Any]]:
    """Chunks as they come, with an eye on the clock and on the stop."""
    while True:
        if stopped.is_set():
            raise Interrupted(assembler.text, assembler.usage)
        if time.monotonic() >= deadline:
            raise DeadlinePassed(assembler.text, assembler.usage)
        try:
            chunk = reader.next(_GLANCE_SECONDS)
        except ProviderError as error:
            error.partial, error.usage = assembler.text, assembler.usage
            raise
        if chunk is _END:
            return
        if chunk is not None:
            yield chunk


_END: dict[str, Any] = {}


class _Reader:
    """Reads the provider's stream in a thread of its own, so that no one ever waits on a socket."""

    def __init__(self, endpoint: Endpoint, request: Request) -> None:
        self._chunks: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._line = Line()
        self._key = opened_key(endpoint)
        threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="llm")
        self._reading: Future[None] = threads.submit(self._read, endpoint, request)
        threads.shutdown(wait=False)

    def next(self, seconds: float) -> dict[str, Any] | None:
        """The next chunk, None when none came in time, _END after the last. Raises ProviderError."""
        try:
            return self._chunks.get(timeout=seconds)
        except queue.Empty:
            pass
        if self._reading.done() and self._chunks.empty():
            self._reading.result()
            return _END
        return None

    def close(self) -> None:
        """Hang up, also on a provider that is silent: the reading thread ends at once."""
        self._line.hang_up()

    def _read(self, endpoint: Endpoint, request: Request) -> None:
        import httpx2  # noqa: PLC0415 -- heavy, see failures
        import openai  # noqa: PLC0415

        known = (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError)
        begun = False
        with self._line.http(silence=endpoint.idle_seconds) as http:
            try:
                client = openai.OpenAI(
                    base_url=endpoint.base_url,
                    api_key=self._key or "none",
                    http_client=http,
                    max_retries=0,
                )
                with client.chat.completions.create(**_parameters(endpoint, request)) as chunks:
                    begun = True
                    for chunk in chunks:
                        self._chunks.put(chunk.to_dict(warnings=False))
            except known as error:
                if not self._line.hung_up:
                    raise failures.named(error, self._key, begun=begun) from error
        self._chunks.put(_END)


def opened_key(endpoint: Endpoint) -> str:
    """The key in clear. Raises BadKey when it cannot be opened any more, so that others are asked."""
    try:
        return endpoint.key
    except keys.SealBroken as broken:
        raise BadKey(str(broken)) from broken


def _parameters(endpoint: Endpoint, request: Request) -> dict[str, Any]:
    parameters: dict[str, Any] = {
        "model": endpoint.model,
        "messages": list(text_protocol.used_by(request, endpoint.tools)),
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.tools and endpoint.tools == "native":
        parameters["tools"] = list(request.tools)
        if request.tool_choice != "auto":
            parameters["tool_choice"] = request.tool_choice
    room = request.max_tokens or endpoint.max_tokens
    if room:
        parameters["max_tokens"] = room
    return parameters
