"""Which space of vectors is filled, which serves, which is left: the only place where a space changes its state."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from kb_agent.llm import endpoints
from kb_agent.repositories.models.vectors import Space, Vector
from kb_agent.repositories.vectors import passages

LEASE = timedelta(minutes=5)
LONG_LEASE = timedelta(hours=2)
# Below so many vectors a scan of all that may be seen is faster, and exact.
ORDERED_FROM = 20_000
# Spaces change one at a time (an advisory lock's number).
CHANGING = 0x73706163


class Lost(Exception):
    """Another worker fills the space now, or someone cancelled it."""


def wanted() -> Space | None:
    """The space of the embedding endpoint that is set up; made, or filled anew, where it is not in use.

    A space that was being filled for another endpoint is left: its vectors go when this one is complete.
    """
    endpoint = endpoints.embedding()
    if endpoint is None:
        return None
    identity: dict[str, Any] = {
        "endpoint": endpoint.name,
        "model": endpoint.model,
        "inputs": endpoint.inputs,
    }
    found = Space.objects.filter(**identity).first()
    if found is not None and found.state != Space.State.RETIRED:
        _left(found)
        return found
    with _changing():
        Space.objects.filter(state=Space.State.FILLING).update(state=Space.State.RETIRED)
        space, _ = Space.objects.get_or_create(**identity)
        Space.objects.filter(pk=space.pk).exclude(state=Space.State.ACTIVE).update(
            state=Space.State.FILLING, seen="", error="", failures=0, paused_until=None
        )
    space.refresh_from_db()
    return space


def _left(space: Space) -> None:
    """Leave what is filled for an endpoint that is not wanted any more."""
    others = Space.objects.filter(state=Space.State.FILLING).exclude(pk=space.pk)
    if others.exists():
        with _changing():
            others.update(state=Space.State.RETIRED)


def active() -> Space | None:
    """The space that questions are compared in."""
    return Space.objects.filter(state=Space.State.ACTIVE).first()


def due() -> list[int]:
    """The space that a worker should go on with: not complete, not cancelled, not paused, in no one's hands."""
    space, left = wanted(), Vector.objects.filter(blob=None)
    if space is None:
        left.delete()
        return []
    if not _claimable().filter(pk=space.pk).exists():
        return []
    complete = space.state == Space.State.ACTIVE and space.seen == passages.state()
    return [] if complete and not left.exists() else [space.pk]


def claim(space_id: int) -> Space | None:
    """The space with a new token, or None when it is not to be had."""
    taken = _claimable().filter(pk=space_id).update(token=F("token") + 1, lease_until=Now() + LEASE)
    return Space.objects.get(pk=space_id) if taken else None


def _claimable() -> QuerySet[Space]:
    free = Q(lease_until=None) | Q(lease_until__lt=Now())
    rested = Q(paused_until=None) | Q(paused_until__lte=Now())
    left = Q(state=Space.State.RETIRED) | Q(cancelled=True)
    return Space.objects.filter(free, rested).exclude(left)


def note(space: Space, *fields: str, lease: timedelta = LEASE) -> None:
    """Write figures of a held space and renew its lease. Raises `Lost`."""
    values = {name: getattr(space, name) for name in fields}
    held = Space.objects.filter(pk=space.pk, token=space.token, cancelled=False)
    if not held.update(lease_until=Now() + lease, **values):
        raise Lost


def let_go(space: Space) -> None:
    """Give a held space back."""
    Space.objects.filter(pk=space.pk, token=space.token).update(lease_until=None)


def cancel() -> int:
    """Stop filling whatever is being filled; what was embedded stays. Returns how many spaces."""
    return Space.objects.exclude(state=Space.State.RETIRED).update(cancelled=True)


def resume() -> None:
    """Take up again what was cancelled or paused."""
    Space.objects.update(cancelled=False, paused_until=None, failures=0)


def complete(space: Space, state: str) -> None:
    """Every chunk of the index `state` has its vector: the space serves from now on, in one transaction.

    Vectors of spaces and blobs that are gone are removed. Raises `Lost`.
    """
    _order(space)
    with _changing():
        note(space)
        others = Space.objects.exclude(pk=space.pk).filter(state=Space.State.ACTIVE)
        others.update(state=Space.State.RETIRED, ordered=False)
        space.state, space.seen = Space.State.ACTIVE, state
        note(space, "state", "seen")
    _remove_left()


def _order(space: Space) -> None:
    """Make the index that finds neighbours without looking at every vector, once there are many.

    The database's owner does it (see the migration): the application's role makes no indexes.
    """
    if space.ordered or space.vectors.count() < ORDERED_FROM:
        return
    note(space, lease=LONG_LEASE)  # a million vectors take their time
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT repositories_order_space(%s)", [space.pk])
        space.ordered = True
        note(space, "ordered")


def _remove_left() -> None:
    Vector.objects.filter(blob=None).delete()
    for space in Space.objects.filter(state=Space.State.RETIRED):
        with connection.cursor() as cursor:
            cursor.execute("SELECT repositories_forget_order(%s)", [space.pk])
        Space.objects.filter(pk=space.pk).update(ordered=False)
        space.vectors.all().delete()


@contextmanager
def _changing() -> Iterator[None]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CHANGING])
        yield
