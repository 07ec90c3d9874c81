"""Ways to act on topics that many tests share: as their owner, all at once, in a doomed process."""

from __future__ import annotations

import multiprocessing
import time
from threading import Barrier, Thread
from typing import TYPE_CHECKING, Any

from django.db import connections

from tapes import entries
from tapes.models import Entry
from tests.topics import sample_hooks
from topics import asking, lifecycle, turns
from topics.hooks import aside

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.context import ForkProcess
    from multiprocessing.synchronize import Event

    from kb_agent.accounts.models import User
    from tapes.models import Tape
    from topics.models import Topic, Turn
    from topics.turns import Claimed

FORK = multiprocessing.get_context("fork")


def start(tape: Tape, person: User, *, title: str, continues: int | None = None) -> Topic:
    """Start a topic as its owner does."""
    return lifecycle.start(
        tape_id=tape.pk,
        owner_id=person.pk,
        title=title,
        actor=f"person:{person.pk}",
        continues=continues,
    )


def ask(topic: Topic, person: User, content: str) -> Turn:
    """Ask as the topic's owner, with the question for its key."""
    return asking.ask(topic.pk, asker_id=person.pk, content=content, idempotency_key=content)


def all_returned(*, within: float = 10) -> bool:
    """Let go on what never returns; whether every hook that was left behind, in earlier tests too, has then returned."""
    sample_hooks.GO_ON.set()
    gives_up = time.monotonic() + within
    while aside.left_behind() and time.monotonic() < gives_up:
        time.sleep(0.02)
    sample_hooks.GO_ON.clear()
    return not aside.left_behind()


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Do everything at the same moment, a thread each; returns results, or what was raised."""
    barrier = Barrier(len(acts))
    results: list[Any] = [None] * len(acts)

    def do(index: int) -> None:
        barrier.wait()
        try:
            results[index] = acts[index]()
        except Exception as raised:  # noqa: BLE001 — what was raised is the result
            results[index] = raised
        finally:
            connections.close_all()

    threads = [Thread(target=do, args=(index,)) for index in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def process(act: Callable[..., None], *arguments: Any) -> ForkProcess:
    """Start a process that does `act` with connections of its own."""
    connections.close_all()
    started = FORK.Process(target=act, args=arguments)
    started.start()
    return started


def killed_at(point: Event, act: Callable[..., None], *arguments: Any) -> None:
    """Let a process do `act` until it says it has reached `point`, then kill it as a crash does."""
    doomed = process(act, *arguments)
    assert point.wait(30)
    doomed.kill()
    doomed.join()


def lapse(turn: Turn) -> None:
    """Let the lease lapse, by the database's clock."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "UPDATE topics_turn SET lease_until = clock_timestamp() - interval '1 second'"
            " WHERE id = %s",
            [turn.pk],
        )


def claim(turn: Turn, worker: str = "worker") -> Claimed:
    """Claim a turn that no one else has."""
    claimed = turns.claim(turn.pk, worker)
    assert claimed is not None
    return claimed


def answer(claimed: Claimed) -> Turn:
    """End a turn with an answer."""
    answer = entries.message("assistant", "Support may.", step=9, part=0, actor="agent")
    return turns.finish(claimed, "done", entries=[answer], answer_seq_from=0)


def names(tape: Tape) -> list[str]:
    """A word per entry: an anchor's or event's name, an error's kind, else the entry's kind."""
    rows = Entry.objects.filter(tape=tape.pk).order_by("seq")
    return [row.payload.get("name") or row.payload.get("kind") or row.kind for row in rows]


def words(tape: Tape) -> str:
    """Every word on the tape, payload and meta."""
    rows = Entry.objects.filter(tape=tape.pk).order_by("seq")
    return "\n".join(row.payload_text + row.meta_text for row in rows)


def last(tape: Tape, name: str) -> Entry:
    """The newest anchor, event or error of that name."""
    rows = Entry.objects.filter(tape=tape.pk).order_by("-seq")
    return next(row for row in rows if name in {row.payload.get("name"), row.payload.get("kind")})
