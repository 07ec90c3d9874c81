"""The pulse of an attempt: renews the lease beside the loop, and hears of a stop or a lost lease."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import Error, connections

from kb_agent import live
from topics import turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topics.turns import Claimed

log = logging.getLogger(__name__)

# A stop has to reach the loop within a second.
LISTEN_SECONDS = 0.2
# A stop that Redis tells of is looked up at once, and again for as long as it tells of it.
HURRY_SECONDS = 0.5


class Pulse:
    """What the loop and a running model call look at; set means: let go."""

    def __init__(self, turn_id: int) -> None:
        """Nothing has been heard yet."""
        self.turn_id = turn_id
        self.lost = False
        self.stop_asked = False
        self._let_go = threading.Event()

    def is_set(self) -> bool:
        """True when whatever runs should end now, for either reason."""
        return self._let_go.is_set()

    def hear(self, *, lost: bool = False, stop: bool = False) -> None:
        """Note what was learnt."""
        self.lost = self.lost or lost
        self.stop_asked = self.stop_asked or stop
        if self.lost or self.stop_asked:
            self._let_go.set()


@contextlib.contextmanager
def beating(claimed: Claimed) -> Iterator[Pulse]:
    """Keep the lease alive while the block runs."""
    pulse, ended = Pulse(claimed.turn.pk), threading.Event()
    beat = threading.Thread(
        target=_beat, args=(claimed, pulse, ended), name=f"pulse-{claimed.turn.pk}", daemon=True
    )
    beat.start()
    try:
        yield pulse
    finally:
        ended.set()
        beat.join(timeout=5)


def _beat(claimed: Claimed, pulse: Pulse, ended: threading.Event) -> None:
    renewed = asked = time.monotonic()
    while not ended.wait(LISTEN_SECONDS) and not pulse.is_set():
        now = time.monotonic()
        # Redis only wakes: whether a stop was asked stands in the turn's row.
        wait = HURRY_SECONDS if live.stopped(pulse.turn_id) else settings.TURN_HEARTBEAT_SECONDS
        if now - asked < wait:
            continue
        asked = now
        if _renew(claimed, pulse):
            renewed = now
        # The database was out of reach for as long as the lease: it must be taken for lost.
        pulse.hear(lost=now - renewed > settings.TURN_LEASE_SECONDS)


def _renew(claimed: Claimed, pulse: Pulse) -> bool:
    try:
        state = turns.heartbeat(claimed)
    except Error:
        log.exception("turn %s: heartbeat failed", pulse.turn_id)
        return False
    finally:
        connections.close_all()
    pulse.hear(lost=state.lost, stop=state.stop)
    return True
