"""The Celery app: three queues, early acknowledgement, ids only, and the beat schedule."""

from __future__ import annotations

import os
import signal
from urllib.parse import urlsplit

from celery import Celery
from celery.schedules import crontab
from celery.signals import beat_embedded_init, worker_process_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_agent.settings")

from django.conf import settings

from kb_agent.launcher import processes


@worker_process_init.connect
@beat_embedded_init.connect
def _die_with_worker(**_: object) -> None:
    """A killed worker takes its pool and its beat with it; they would go on working otherwise."""
    processes.die_with_parent(signal.SIGKILL)


@worker_ready.connect
def _warm(sender: object, **_: object) -> None:
    """A worker that answers questions has its lists of words read before the first one comes."""
    if str(getattr(sender, "hostname", "")).startswith("turns@"):
        from kb_agent.repositories import warming  # noqa: PLC0415 — it needs models, loaded by now

        warming.begin()


def _broker_url(redis_url: str) -> str:
    """Kombu spells a unix socket and its database differently from redis-py."""
    if not redis_url.startswith("unix://"):
        return redis_url
    parts = urlsplit(redis_url)
    return f"redis+socket://{parts.path}?virtual_host={parts.query.removeprefix('db=') or 0}"


app = Celery("kb_agent")
app.conf.update(
    broker_url=_broker_url(settings.REDIS_URL),
    imports=("kb_agent.tasks",),
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    # A turn's own lease replaces late acknowledgement, which kombu survives badly (docs/decisions).
    task_acks_late=False,
    worker_prefetch_multiplier=1,
    worker_soft_shutdown_timeout=5,
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    worker_max_tasks_per_child=500,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options={
        "visibility_timeout": 600,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "health_check_interval": 25,
        # A Redis that hangs must hold up neither a question nor a worker.
        "socket_timeout": 5,
        "socket_connect_timeout": 5,
        "socket_keepalive": True,
    },
    # A client whose broker is down gives up at once: the sweep finds what was not announced.
    task_publish_retry=False,
    task_default_queue="upkeep",
    task_routes={
        "kb_agent.tasks.run_turn": {"queue": "turns"},
        "kb_agent.tasks.run_hook": {"queue": "turns"},
        "kb_agent.tasks.index_repository": {"queue": "indexing"},
        "kb_agent.tasks.run_evaluation": {"queue": "indexing"},
        "kb_agent.tasks.fetch_repositories": {"queue": "indexing"},
        "kb_agent.tasks.fill_space": {"queue": "indexing"},
        "kb_agent.tasks.fill_recall": {"queue": "indexing"},
        "kb_agent.tasks.remember_topic": {"queue": "turns"},
        "kb_agent.tasks.fill_tape_vectors": {"queue": "indexing"},
    },
    timezone="UTC",
    beat_schedule={
        # Turns and hooks that wait, leases that lapsed.
        "sweep": {
            "task": "kb_agent.tasks.sweep",
            "schedule": settings.SWEEP_SECONDS,
            "options": {"expires": settings.SWEEP_SECONDS},
        },
        # Topics nobody touched for a week.
        "finalize_idle": {"task": "kb_agent.tasks.finalize_idle", "schedule": 3600},
        # Words of topics that ended too long ago; nothing where no retention is set.
        "retain": {
            "task": "kb_agent.tasks.retain",
            "schedule": crontab(hour=2, minute=20),
            "options": {"expires": 3600},
        },
        # Tapes that were closed, and those nobody has touched for long.
        "archive_tapes": {
            "task": "kb_agent.tasks.archive_tapes",
            "schedule": crontab(hour=3, minute=20),
            "options": {"expires": 3600},
        },
        # Room for the entries of tapes to come.
        "make_partitions": {
            "task": "kb_agent.tasks.make_partitions",
            "schedule": crontab(hour=2, minute=50),
            "options": {"expires": 3600},
        },
        # Heads of tapes, to a log outside the database.
        "write_heads": {
            "task": "kb_agent.tasks.write_heads",
            "schedule": 60,
            "options": {"expires": 60},
        },
        # Sums of costs, calls nobody saw end, reservations that lapsed.
        "sum_costs": {
            "task": "kb_agent.tasks.sum_costs",
            "schedule": 60,
            "options": {"expires": 60},
        },
        # The search index of tapes that have grown.
        "seal_tapes": {
            "task": "kb_agent.tasks.seal_tapes",
            "schedule": 60,
            "options": {"expires": 60},
        },
        # Vectors of what was said on tapes.
        "fill_tape_vectors": {
            "task": "kb_agent.tasks.fill_tape_vectors",
            "schedule": 60,
            "options": {"expires": 60},
        },
        # Repositories whose own schedule says that they are to be fetched.
        "fetch_repositories": {
            "task": "kb_agent.tasks.fetch_repositories",
            "schedule": 60,
            "options": {"expires": 60},
        },
    },
)
