"""Celery: claim or load by id, make one call; what fails is noted where people look."""

from __future__ import annotations

import logging
import os
import socket
import threading
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.db import OperationalError as DatabaseTrouble
from django.dispatch import receiver
from kombu.exceptions import OperationalError

from kb_agent import live
from kb_agent.accounts import budgets
from kb_agent.agent import closing, loop
from kb_agent.celery import app
from kb_agent.llm import tape_vectors
from kb_agent.repositories import indexing
from kb_agent.repositories.evaluation import evaluating
from kb_agent.repositories.facts import standing
from kb_agent.repositories.recall import recollecting
from kb_agent.repositories.recall import spaces as recall_spaces
from kb_agent.repositories.vectors import filling, spaces
from tapes import heads, partitions, store
from tapes import signals as tape_signals
from tapes.search import index as search_index
from tapes.verify import requests
from topics import archiving, finding, lifecycle, retention, signals, turns
from topics.hooks import figures, runner
from topics.ledger import lost, rolling

if TYPE_CHECKING:
    from celery import Task

    from topics.turns import Claimed

log = logging.getLogger(__name__)

SEALING_SECONDS = 40

EXPIRES_SECONDS = 60
"""A message that waits longer is dropped: the sweep has sent others for the same row."""


@app.task(name="kb_agent.tasks.run_turn")
def run_turn(turn_id: int) -> bool:
    """Answer a question, if no one else is at it; says whether this call was the one."""
    claimed = turns.claim(turn_id, worker())
    if claimed is None:
        return False
    try:
        runner.at_first_turn(claimed.turn.topic_id, turn_id=turn_id)
        loop.run(claimed, asker=claimed.turn.asker)
    except turns.Lost:
        log.warning("turn %s went on elsewhere", turn_id)
    except (DatabaseTrouble, InterfaceError) as trouble:
        # No end of the turn: once the lease has lapsed another attempt goes on from its tape.
        log.warning("turn %s lost the database and is left to the sweep: %s", turn_id, trouble)
    except Exception as failure:
        log.exception("turn %s failed", turn_id)
        _fail(claimed, failure)
    return True


@app.task(name="kb_agent.tasks.run_hook")
def run_hook(hook_run_id: int) -> None:
    """Run one post-hook that is due."""
    runner.run(hook_run_id)


@app.task(name="kb_agent.tasks.index_repository")
def index_repository(index_run_id: int) -> None:
    """Index what has waited longest; a message says that something waits, not what comes first."""
    ended = indexing.run_next()
    if ended is not None and ended.repository_id in standing.due():
        send(check_facts, ended.repository_id)


@app.task(name="kb_agent.tasks.check_facts")
def check_facts(repository_id: int) -> None:
    """Look whether the lines that facts cite are still in a repository's code."""
    standing.check(repository_id)


@app.task(name="kb_agent.tasks.run_evaluation")
def run_evaluation(run_id: int) -> None:
    """Go on with an evaluation for a while, if no one else is at it."""
    evaluating.run(run_id)


@app.task(name="kb_agent.tasks.fill_space")
def fill_space(space_id: int) -> None:
    """Embed chunks for some seconds, if no one else is at it; the sweep sends it again."""
    filling.fill(space_id)


@app.task(name="kb_agent.tasks.fill_tape_vectors")
def fill_tape_vectors() -> None:
    """Embed what was said on tapes for some seconds, where an endpoint is set up for it."""
    tape_vectors.fill()


@app.task(name="kb_agent.tasks.remember_topic")
def remember_topic(topic_id: int) -> None:
    """Keep anew what a topic is recalled by, after its title or summary changed."""
    recollecting.remember(topic_id)


@app.task(name="kb_agent.tasks.fill_recall")
def fill_recall(space_id: int) -> None:
    """Give topics that have none their vector, if no one else is at it."""
    recall_spaces.fill(space_id)


@app.task(name="kb_agent.tasks.verify_tape")
def verify_tape(tape_id: int) -> None:
    """Check a tape that somebody asked about, and keep what was found."""
    requests.run(tape_id)


@app.task(name="kb_agent.tasks.sweep")
def sweep() -> None:
    """Send what waits and was not sent, or whose worker was lost; no part stops another."""
    for task, due in (
        (run_turn, turns.due),
        (run_hook, runner.due),
        (index_repository, indexing.due),
        (check_facts, standing.due),
        (run_evaluation, evaluating.due),
        (fill_space, spaces.due),
        (fill_recall, recall_spaces.due),
        (verify_tape, requests.due),
    ):
        try:
            for row_id in due():
                send(task, row_id)
        except Exception:
            log.exception("the sweep could not look for %s", task.name)
    lifecycle.complete_left()
    finding.refresh_stale()


@app.task(name="kb_agent.tasks.finalize_idle")
def finalize_idle() -> None:
    """Close the topics nobody touched for long; drop old figures of hooks."""
    lifecycle.finalize_idle()
    figures.forget_old()


@app.task(name="kb_agent.tasks.retain")
def retain() -> None:
    """Erase the words of topics that ended too long ago, where a retention is set."""
    if settings.RETENTION_DAYS:
        done = retention.retain(settings.RETENTION_DAYS)
        log.info("retention: %s", done.as_dict())


@app.task(name="kb_agent.tasks.archive_tapes")
def archive_tapes() -> None:
    """Copy finished tapes to the archive, those too that nobody has touched for long."""
    if settings.ARCHIVE_STILL_DAYS:
        copied = archiving.archive_due(settings.ARCHIVE_STILL_DAYS)
        log.info("archive: %s tapes copied", len(copied))


@app.task(name="kb_agent.tasks.make_partitions")
def make_partitions() -> None:
    """Make partitions for the entries of tapes to come, where this worker has the owner's role."""
    try:
        partitions.make_ahead()
    except DatabaseError as refusal:
        log.warning("no partitions were made; `tape partitions` makes them: %s", refusal)


@app.task(name="kb_agent.tasks.write_heads")
def write_heads() -> None:
    """Write the heads of changed tapes to the log outside the database."""
    heads.write(heads.log_path())


@app.task(name="kb_agent.tasks.sum_costs")
def sum_costs() -> None:
    """Bring the sums of costs up to now; end calls nobody saw end, drop reservations that lapsed."""
    lost.close()
    budgets.clear()
    rolling.catch_up()


@app.task(name="kb_agent.tasks.seal_tapes")
def seal_tapes() -> None:
    """Seal for search what tapes have gained, and end before the next call begins."""
    search_index.seal_due(SEALING_SECONDS)


@app.task(name="kb_agent.tasks.fetch_repositories")
def fetch_repositories() -> None:
    """Fetch the repositories whose time has come, and index those whose branches moved."""
    indexing.fetch_due()


def worker() -> str:
    """Who runs this, for the row of what it runs: host, process, thread."""
    return f"{socket.gethostname()}:{os.getpid()}:{threading.get_native_id()}"


def _fail(claimed: Claimed, failure: Exception) -> None:
    """End a turn that our own code failed, where its asker sees it; leave one that was lost."""
    try:
        closing.broken(claimed, type(failure).__name__)
    except (turns.Lost, store.StaleFork, store.ForkClosed):
        log.warning("turn %s failed after it went on elsewhere", claimed.turn.pk)


# Whoever writes to a tape, a worker, a web server or a command, wakes those who read it.
live.listen()


def send(task: Task[Any, Any], row_id: int) -> None:
    """Send a task by its row's id; one that cannot be sent, or waits too long, is the sweep's."""
    if not live.answers():
        # Asked first, because the queue's own client tries for seconds while a person waits.
        log.warning("%s %s is left to the sweep: Redis is down", task.name, row_id)
        return
    try:
        task.apply_async((row_id,), expires=EXPIRES_SECONDS)
    except OperationalError as failure:
        log.warning("%s %s is left to the sweep: %s", task.name, row_id, failure)


@receiver(signals.turn_due)
def _send_turn(*, turn_id: int, **_: Any) -> None:
    send(run_turn, turn_id)


@receiver(signals.hooks_due)
def _send_hooks(*, hook_run_ids: list[int], **_: Any) -> None:
    for hook_run_id in hook_run_ids:
        send(run_hook, hook_run_id)


@receiver(tape_signals.check_due)
def _send_check(*, tape_id: int, **_: Any) -> None:
    send(verify_tape, tape_id)


@receiver(signals.described)
def _send_described(*, topic_id: int, **_: Any) -> None:
    send(remember_topic, topic_id)
