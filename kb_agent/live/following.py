"""Following Redis: one reader for a whole process, and what live text comes to."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import redis
import redis.asyncio
from django.conf import settings

log = logging.getLogger(__name__)

REST_SECONDS = 1.0
"""How long Redis is left alone after it failed, so that a dead one slows nobody down."""
SILENCE_SECONDS = 4.0
"""How long the reader's connection may say nothing before it is asked whether it lives."""


def text_key(turn_id: int) -> str:
    """The list that holds the pieces of a turn's text."""
    return f"text:{turn_id}"


@dataclass
class StepText:
    """A step's text; `epoch` counts how often it was begun anew."""

    text: str = ""
    epoch: int = 0
    sources: frozenset[int] = frozenset()


@dataclass
class Writing:
    """What a turn's model writes, folded from the pieces in Redis."""

    steps: dict[int, StepText] = field(default_factory=lambda: defaultdict(StepText))
    pieces: int = 0
    """How many pieces of the list were folded in."""

    def add(self, pieces: Iterable[bytes | str]) -> None:
        """Fold in further pieces; one whose beginning was lost is left out."""
        for piece in pieces:
            self.pieces += 1
            number, offset, text, sources = json.loads(piece)
            step = self.steps[number]
            step.sources |= frozenset(sources)
            if offset > len(step.text):
                continue
            known, new = step.text, step.text[:offset] + text
            if known.startswith(new):
                continue
            step.epoch += not new.startswith(known)
            step.text = new


class Watch:
    """One reader's wake-ups: which of its tapes and turns have something new."""

    def __init__(self) -> None:
        self.channels: set[str] = set()
        self.heard: set[str] = set()
        self._changed: set[str] = set()
        self._event = asyncio.Event()

    def notice(self, channel: str) -> None:
        """Note that this channel spoke; any number of times counts once, so a slow reader costs nothing."""
        self._changed.add(channel)
        self._event.set()

    async def changed(self, *, within: float) -> set[str]:
        """The channels that spoke, waiting up to `within` seconds for one."""
        try:
            await asyncio.wait_for(self._event.wait(), within)
        except TimeoutError:
            return set()
        self._event.clear()
        self.heard, self._changed = self._changed, set()
        return self.heard


class Follower:
    """One Redis reader for a whole process, fanning out to any number of watches."""

    def __init__(self) -> None:
        self.connected = False
        self.writing: dict[int, Writing] = {}
        self._watches: dict[str, set[Watch]] = defaultdict(set)
        self._pubsub: redis.asyncio.client.PubSub | None = None
        self._reader: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def watch(self, channels: Iterable[str]) -> AsyncIterator[Watch]:
        """Follow these channels until the block ends; each speaks once when it is really followed."""
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read_for_ever())
        watch = Watch()
        try:
            await self.follow(watch, channels)
            yield watch
        finally:
            await self.unfollow(watch, set(watch.channels))

    async def follow(self, watch: Watch, channels: Iterable[str]) -> None:
        """Follow these channels as well."""
        added = set(channels) - watch.channels
        unheard = [each for each in added if not self._watches[each]]
        for channel in added:
            self._watches[channel].add(watch)
            watch.channels.add(channel)
            if channel not in unheard:
                watch.notice(channel)
        if unheard:
            await self._tell("subscribe", unheard)

    async def unfollow(self, watch: Watch, channels: Iterable[str]) -> None:
        """Follow these channels no more; the last reader to leave takes the subscription along."""
        left = []
        for channel in set(channels) & watch.channels:
            watch.channels.discard(channel)
            self._watches[channel].discard(watch)
            if not self._watches[channel]:
                del self._watches[channel]
                self.writing.pop(_turn_of(channel), None)
                left.append(channel)
        if left:
            await self._tell("unsubscribe", left)

    async def close(self) -> None:
        """Stop reading."""
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)

    async def _tell(self, command: str, channels: list[str]) -> None:
        if self._pubsub is None or not self.connected:
            return  # The reader subscribes to everything wanted when it connects.
        try:
            await getattr(self._pubsub, command)(*channels)
        except redis.RedisError as failure:
            log.warning("Redis does not take a subscription: %s", failure)

    async def _read_for_ever(self) -> None:
        while True:
            client = redis.asyncio.Redis.from_url(
                settings.REDIS_URL, socket_timeout=None, socket_connect_timeout=2
            )
            try:
                await self._read(client)
            except (redis.RedisError, OSError) as failure:
                log.warning("Redis does not answer; streams look for news themselves: %s", failure)
            finally:
                self.connected, self._pubsub = False, None
                self._wake_all()
                await client.aclose()
            await asyncio.sleep(REST_SECONDS)

    async def _read(self, client: redis.asyncio.Redis) -> None:
        async with client.pubsub() as pubsub:
            wanted = {"everyone", *self._watches}
            await pubsub.subscribe(*wanted)
            self._pubsub, self.connected = pubsub, True
            for written in self.writing.values():
                written.pieces = 0
            if late := set(self._watches) - wanted:
                await pubsub.subscribe(*late)
            await self._hear(client, pubsub)

    async def _hear(self, client: redis.asyncio.Redis, pubsub: redis.asyncio.client.PubSub) -> None:
        """Pass on what is said; a connection that answers nothing is taken for dead."""
        heard = time.monotonic()
        while True:
            message = await pubsub.get_message(timeout=SILENCE_SECONDS)
            if message is not None:
                heard = time.monotonic()
                if message["type"] in {"subscribe", "message"}:
                    await self._pass_on(client, message["channel"].decode())
            elif time.monotonic() - heard > 2 * SILENCE_SECONDS:
                raise redis.ConnectionError("no answer to a ping")
            else:
                await pubsub.ping()

    def _wake_all(self) -> None:
        """Let every reader look for itself, and know that it must from now on."""
        for channel, watches in self._watches.items():
            for watch in watches:
                watch.notice(channel)

    async def _pass_on(self, client: redis.asyncio.Redis, channel: str) -> None:
        watches = self._watches.get(channel, set())
        if watches and (turn_id := _turn_of(channel)):
            written = self.writing.setdefault(turn_id, Writing())
            written.add(await client.lrange(text_key(turn_id), written.pieces, -1))
        for watch in watches:
            watch.notice(channel)


def _turn_of(channel: str) -> int:
    kind, _, number = channel.partition(":")
    return int(number) if kind == "turn" else 0
