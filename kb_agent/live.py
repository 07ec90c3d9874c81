"""Redis: wake-ups, live text and stop signals; the only module that knows it, and nothing is lost with it."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import time
from collections import defaultdict
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

import redis
import redis.asyncio
from django.conf import settings
from django.db import transaction
from django.db.models.signals import post_delete, post_save

from tapes.signals import appended

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

log = logging.getLogger(__name__)
T = TypeVar("T")

KEEP_SECONDS = 3600
"""How long live text and stop signals stay; what matters is on the tape by then."""
REST_SECONDS = 1.0
"""How long Redis is left alone after it failed, so that a dead one slows nobody down."""


def listen() -> None:
    """Send wake-ups when entries are appended, sessions end and people change."""
    appended.connect(_on_appended, dispatch_uid="live")
    post_delete.connect(_on_session_end, sender="sessions.Session", dispatch_uid="live")
    post_save.connect(_on_person_change, sender=settings.AUTH_USER_MODEL, dispatch_uid="live")


def wake(tape_id: int) -> None:
    """Tell readers of a tape that there is something new on it."""
    _try(lambda client: client.publish(f"tape:{tape_id}", ""), None)


def text(turn_id: int, step: int, offset: int, text: str) -> None:
    """Show more of what the model is writing; `offset` counts code points, 0 starts the step over."""

    def write(client: redis.Redis) -> None:
        with client.pipeline(transaction=True) as together:
            together.rpush(_text_key(turn_id), json.dumps([step, offset, text]))
            together.expire(_text_key(turn_id), KEEP_SECONDS)
            together.publish(f"turn:{turn_id}", "")
            together.execute()

    _try(write, None)


def text_so_far(turn_id: int) -> dict[int, str]:
    """What the model has written in each step of a turn, as far as Redis remembers."""
    written = Writing()
    written.add(_try(lambda client: client.lrange(_text_key(turn_id), 0, -1), []))
    return {step: each.text for step, each in written.steps.items()}


def stop(turn_id: int) -> None:
    """Tell the worker that runs this turn to stop; the turn's row says so too."""
    _try(lambda client: client.set(f"stop:{turn_id}", 1, ex=KEEP_SECONDS), None)


def stopped(turn_id: int) -> bool:
    """Whether this turn was told to stop; False when Redis is down."""
    return bool(_try(lambda client: client.exists(f"stop:{turn_id}"), 0))


def answers() -> bool:
    """Whether Redis answers now."""
    return bool(_try(lambda client: client.ping(), False))  # noqa: FBT003 - what it is taken for


def session_channel(session_key: str) -> str:
    """The channel that speaks when a session ends, named without giving the key away."""
    return f"session:{sha256(session_key.encode()).hexdigest()[:32]}"


def _on_appended(*, tape_id: int, **_: Any) -> None:
    wake(tape_id)


def _on_session_end(*, instance: Any, **_: Any) -> None:
    channel = session_channel(instance.session_key)
    transaction.on_commit(lambda: _try(lambda client: client.publish(channel, ""), None))


def _on_person_change(*, instance: Any, **_: Any) -> None:
    channel = f"person:{instance.pk}"
    transaction.on_commit(lambda: _try(lambda client: client.publish(channel, ""), None))


def _text_key(turn_id: int) -> str:
    return f"text:{turn_id}"


@functools.cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=0.5)


_resting = {"until": 0.0}


def _try(call: Callable[[redis.Redis], Any], otherwise: T) -> Any | T:
    """Make one call, or go without: everything here is a courtesy."""
    if time.monotonic() < _resting["until"]:
        return otherwise
    try:
        return call(_client())
    except redis.RedisError as failure:
        _resting["until"] = time.monotonic() + REST_SECONDS
        log.warning("Redis does not answer; going on without live updates: %s", failure)
        return otherwise


@dataclass
class StepText:
    """A step's text; `epoch` counts how often it was begun anew."""

    text: str = ""
    epoch: int = 0


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
            number, offset, text = json.loads(piece)
            step = self.steps[number]
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
                settings.REDIS_URL,
                socket_timeout=None,
                socket_connect_timeout=2,
                health_check_interval=10,
            )
            try:
                await self._read(client)
            except (redis.RedisError, OSError) as failure:
                log.warning("Redis does not answer; streams look for news themselves: %s", failure)
            finally:
                self.connected, self._pubsub = False, None
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
            while True:
                message = await pubsub.get_message(timeout=5)
                if message is not None and message["type"] in {"subscribe", "message"}:
                    await self._pass_on(client, message["channel"].decode())

    async def _pass_on(self, client: redis.asyncio.Redis, channel: str) -> None:
        watches = self._watches.get(channel, set())
        if watches and (turn_id := _turn_of(channel)):
            written = self.writing.setdefault(turn_id, Writing())
            written.add(await client.lrange(_text_key(turn_id), written.pieces, -1))
        for watch in watches:
            watch.notice(channel)


def _turn_of(channel: str) -> int:
    kind, _, number = channel.partition(":")
    return int(number) if kind == "turn" else 0
