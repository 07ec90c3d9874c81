"""The stream: a small ASGI handler beside Django that holds no database connection while it waits."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from urllib.parse import parse_qs

from django.conf import settings
from django.db import connections
from django.http.cookie import parse_cookie
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from kb_agent import live
from kb_agent.api import errors, reading, signin
from kb_agent.api.reading import Reading
from kb_agent.api.security import HEADERS
from kb_agent.api.stream import StreamQuerySerializer
from kb_agent.usecases import stream

log = logging.getLogger(__name__)
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
T = TypeVar("T")

MOST_A_PERSON = 12
"""Streams one person may hold open on one process."""
HEARTBEAT_SECONDS = 15.0
"""The longest silence; then a comment is sent and permission looked at again."""
POLL_SECONDS = 1.0
"""How often a stream looks by itself while Redis is down and a turn has not ended."""
SLOW_SECONDS = 30.0
"""A reader who takes nothing for so long is let go, and comes back with its position."""
GATHER_SECONDS = 0.05
"""How long to let a step's appends gather, so that one look serves them all."""
MOST_FIELDS = 10
THREADS = 4
"""Threads, and so database connections, that all streams of a process share."""


class Streams:
    """All streams of this process."""

    def __init__(self) -> None:
        self._follower = live.Follower()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="stream")
        self._open: Counter[int] = Counter()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request for the stream."""
        found = await self._in_thread(lambda: _opened(scope))
        if isinstance(found, Reading) and self._open[found.person_id] >= MOST_A_PERSON:
            found = Response(errors.of_status(429), status=429)
        if isinstance(found, Response):
            await _answer(found, send)
            return
        self._open[found.person_id] += 1
        try:
            await self._stream(found, receive, send)
        except TimeoutError:
            log.info("a slow reader of tapes %s was let go", sorted(found.positions))
        finally:
            self._open[found.person_id] -= 1

    async def close(self) -> None:
        """Stop following Redis."""
        await self._follower.close()

    async def _stream(self, reader: Reading, receive: Receive, send: Send) -> None:
        await send(_start(200, "text/event-stream"))
        async with self._follower.watch(reader.channels()) as watch:
            gone = asyncio.create_task(_notice_when_gone(receive, watch))
            try:
                await self._follow(reader, watch, _Saying(send))
            finally:
                gone.cancel()
        await send({"type": "http.response.body", "body": b""})

    async def _follow(self, reader: Reading, watch: live.Watch, saying: _Saying) -> None:
        """Tell what is new, wait for more, until the reader leaves or may read no longer."""
        ready = False
        while "gone" not in watch.heard:
            look = await self._in_thread(reader.look)
            await saying(look.frames)
            if look.closed:
                return
            if look.more:
                continue
            if not ready:
                await saying(reading.ready(reader))
                ready = True
            await self._follow_turns(reader, watch)
            await self._wait_for_news(reader, watch, saying)

    async def _follow_turns(self, reader: Reading, watch: live.Watch) -> None:
        followed = {each for each in watch.channels if each.startswith("turn:")}
        wanted = reader.turn_channels()
        await self._follower.follow(watch, wanted - followed)
        await self._follower.unfollow(watch, followed - wanted)

    async def _wait_for_news(self, reader: Reading, watch: live.Watch, saying: _Saying) -> None:
        """Wait until a tape speaks or it is time to look anyway; live text goes out meanwhile."""
        until = time.monotonic() + self._patience(reader)
        while (left := until - time.monotonic()) > 0:
            heard = await watch.changed(within=left)
            await saying(reader.texts(heard, self._follower.writing))
            if any(not each.startswith("turn:") for each in heard):
                await asyncio.sleep(GATHER_SECONDS)
                return
        if saying.silent_for() >= HEARTBEAT_SECONDS:
            await saying(reading.comment())

    def _patience(self, reader: Reading) -> float:
        """How long to rely on being woken."""
        if self._follower.connected:
            return HEARTBEAT_SECONDS
        return POLL_SECONDS if reader.waits_for_something() else HEARTBEAT_SECONDS / 3

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """Run what touches the database, and give its connection back."""

        def whole() -> T:
            try:
                return work()
            finally:
                connections.close_all()

        return await asyncio.get_running_loop().run_in_executor(self._threads, whole)


class _Saying:
    """Sends to one reader, and knows how long it has been silent."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._last = time.monotonic()

    async def __call__(self, frames: bytes) -> None:
        """Send, waiting no longer than a slow reader is borne with."""
        if frames:
            message = {"type": "http.response.body", "body": frames, "more_body": True}
            await asyncio.wait_for(self._send(message), SLOW_SECONDS)
            self._last = time.monotonic()

    def silent_for(self) -> float:
        """Seconds since something was sent."""
        return time.monotonic() - self._last


def _opened(scope: Message) -> Reading | Response:
    """The reader behind a request, or why there is none."""
    try:
        return _reading(scope)
    except Exception as failure:
        response = errors.handler(failure, {})
        if response is not None:
            return response
        log.exception("a stream could not be opened")
        return Response(errors.of_status(500), status=500)


def _reading(scope: Message) -> Reading:
    if scope["method"] != "GET":
        raise exceptions.MethodNotAllowed(scope["method"])
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    session_key = parse_cookie(headers.get("cookie", "")).get(settings.SESSION_COOKIE_NAME, "")
    person = signin.person_of(session_key)
    if person is None:
        raise exceptions.NotAuthenticated
    asked = _asked(scope["query_string"].decode("latin-1"))
    query = StreamQuerySerializer(data={name: values[-1] for name, values in asked.items()})
    query.is_valid(raise_exception=True)
    tapes = query.validated_data["tapes"]
    positions = reading.position_vector(tapes, headers.get("last-event-id", ""))
    stream.allow(person, positions)
    return Reading(session_key, person.pk, positions)


def _asked(query: str) -> dict[str, list[str]]:
    try:
        return parse_qs(query, max_num_fields=MOST_FIELDS)
    except ValueError as many:
        raise exceptions.ParseError(f"An address has {MOST_FIELDS} parameters at most.") from many


async def _answer(response: Response, send: Send) -> None:
    await send(_start(response.status_code, "application/json"))
    await send({"type": "http.response.body", "body": JSONRenderer().render(response.data)})


def _start(status: int, media_type: str) -> Message:
    headers = HEADERS | {
        "Content-Type": media_type,
        "Cache-Control": "no-store",
        # Proxies that buffer would keep the answer to themselves until it is whole.
        "X-Accel-Buffering": "no",
    }
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http.response.start", "status": status, "headers": pairs}


async def _notice_when_gone(receive: Receive, watch: live.Watch) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    watch.notice("gone")
