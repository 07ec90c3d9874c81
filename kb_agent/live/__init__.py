"""Redis: wake-ups, live text and stop signals; the only package that knows it, and nothing is lost with it."""

from __future__ import annotations

import functools
import json
import logging
import time
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

import redis
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models.signals import m2m_changed, post_delete, post_save

from kb_agent.live.following import REST_SECONDS, Follower, Watch, Writing, text_key
from tapes.signals import appended, erased

__all__ = [
    "Follower",
    "Watch",
    "Writing",
    "answers",
    "listen",
    "session_channel",
    "stop",
    "stopped",
    "text",
    "wake",
]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

log = logging.getLogger(__name__)
T = TypeVar("T")

KEEP_SECONDS = 3600
"""How long live text and stop signals stay; what matters is on the tape by then."""


def listen() -> None:
    """Send wake-ups when entries are appended, sessions end, and people or their groups change.

    Live text of turns whose words were erased is dropped.
    """
    appended.connect(_on_appended, dispatch_uid="live")
    erased.connect(_on_erased, dispatch_uid="live")
    post_delete.connect(_on_session_end, sender="sessions.Session", dispatch_uid="live")
    post_save.connect(_on_person_change, sender=settings.AUTH_USER_MODEL, dispatch_uid="live")
    m2m_changed.connect(
        _on_groups_change, sender=get_user_model().groups.through, dispatch_uid="live"
    )


def wake(tape_id: int) -> None:
    """Tell readers of a tape that there is something new on it."""
    _try(lambda client: client.publish(f"tape:{tape_id}", ""), None)


def text(turn_id: int, step: int, offset: int, text: str, *, sources: Iterable[int]) -> None:
    """Show more of what the model is writing; `offset` counts code points, 0 starts the step over.

    `sources` are the repositories whose text the model has in view: whoever may not read one of
    them is not shown the piece (C7).
    """
    piece = json.dumps([step, offset, text, sorted(sources)])

    def write(client: redis.Redis) -> None:
        with client.pipeline(transaction=True) as together:
            together.rpush(text_key(turn_id), piece)
            together.expire(text_key(turn_id), KEEP_SECONDS)
            together.publish(f"turn:{turn_id}", "")
            together.execute()

    _try(write, None)


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


def _on_erased(*, turn_ids: list[int], using: str, **_: Any) -> None:
    keys = [text_key(turn_id) for turn_id in turn_ids]
    if keys:
        transaction.on_commit(lambda: _try(lambda client: client.delete(*keys), 0), using=using)


def _on_session_end(*, instance: Any, **_: Any) -> None:
    channel = session_channel(instance.session_key)
    transaction.on_commit(lambda: _try(lambda client: client.publish(channel, ""), None))


def _on_person_change(*, instance: Any, **_: Any) -> None:
    _wake_person(instance.pk)


def _on_groups_change(*, instance: Any, reverse: bool, pk_set: set[int] | None, **_: Any) -> None:
    """A person's groups, or a group's people: what they may read is another thing now."""
    for person_id in (pk_set or ()) if reverse else (instance.pk,):
        _wake_person(person_id)


def _wake_person(person_id: int) -> None:
    channel = f"person:{person_id}"
    transaction.on_commit(lambda: _try(lambda client: client.publish(channel, ""), None))


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
