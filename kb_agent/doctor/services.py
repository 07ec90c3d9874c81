"""Redis, workers, waiting work, repositories and models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import redis
from django.conf import settings
from kombu.exceptions import OperationalError

from kb_agent.celery import app
from kb_agent.doctor.finding import Finding, failed, ok, warning
from kb_agent.llm import endpoints
from kb_agent.repositories.models import Repository
from topics import pipeline
from topics.hooks import runner
from topics.models import Turn, TurnStatus

QUEUES = {"turns": "answers questions", "indexing": "indexes code", "upkeep": "sweeps"}
OLDEST_REDIS = (6, 2)
LONG_WAIT_SECONDS = 60
HUNG_LATELY = timedelta(days=1)


def look() -> Iterator[Finding]:
    """What answers over Redis."""
    found = _redis()
    yield found
    if found.level != "failed":
        yield from _workers()


def look_at_rows() -> Iterator[Finding]:
    """What the database says of the work."""
    yield _waiting()
    yield _hooks()
    yield _repositories()
    yield _models()


def _redis() -> Finding:
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=3, socket_connect_timeout=3)
    try:
        info = client.info()
        policy = client.config_get("maxmemory-policy").get("maxmemory-policy", "")
    except redis.RedisError as error:
        return failed(
            "redis", str(error), "Check REDIS_URL; until it answers, answers are not shown live."
        )
    finally:
        client.close()
    said = info.get("valkey_version") or info["redis_version"]
    if tuple(int(part) for part in info["redis_version"].split(".")[:2]) < OLDEST_REDIS:
        return failed("redis", said, "Use Redis 6.2 or newer, or Valkey.")
    if policy not in {"noeviction", ""}:
        return warning("redis", f"{said}, evicts by {policy}", "Set maxmemory-policy noeviction.")
    return ok("redis", said)


def _workers() -> Iterator[Finding]:
    try:
        answers = app.control.inspect(timeout=2).active_queues() or {}
    except OperationalError as error:
        yield failed("workers", str(error), "Check REDIS_URL.")
        return
    served = {queue["name"] for queues in answers.values() for queue in queues}
    for queue, does in QUEUES.items():
        if queue in served:
            yield ok(f"worker {queue}", does)
        else:
            advice = f"Run `make run`, or `python -m kb_agent.launcher {queue}`."
            yield warning(f"worker {queue}", f"none is alive, and nobody {does}", advice)


def _waiting() -> Finding:
    oldest = (
        Turn.objects.filter(status=TurnStatus.WAITING, joins=None)
        .order_by("created_at")
        .values_list("created_at", flat=True)
        .first()
    )
    if oldest is None:
        return ok("waiting turns", "none")
    seconds = (datetime.now(tz=UTC) - oldest).total_seconds()
    said = f"the oldest has waited {seconds:.0f} s"
    if seconds > LONG_WAIT_SECONDS:
        advice = "See that a worker serves `turns`, and that turns before it on its tape end."
        return warning("waiting turns", said, advice)
    return ok("waiting turns", said)


def _hooks() -> Finding:
    hung = Counter(pipeline.hung(HUNG_LATELY)) + Counter(runner.hung(HUNG_LATELY))
    if not hung:
        return ok("hooks", "none has hung for a day")
    said = ", ".join(f"{path} {times} times" for path, times in hung.items())
    advice = (
        "Each keeps a thread of its process until it returns: switch it off (`manage.py hooks --off`)"
        " or mend it, then restart the web processes and workers."
    )
    return warning("hooks", f"did not return in their time: {said}", advice)


def _repositories() -> Finding:
    broken = list(Repository.objects.filter(status="failed").values_list("name", "error"))
    if broken:
        said = "; ".join(f"{name}: {error}" for name, error in broken)
        return warning("repositories", said, "Mend the source, then `manage.py index NAME`.")
    count = Repository.objects.filter(removed_at=None).count()
    if not count:
        return warning("repositories", "none", "Run `manage.py add_repository NAME SOURCE`.")
    return ok("repositories", f"{count}, none failed")


def _models() -> Finding:
    names = [endpoint.name for endpoint in endpoints.chosen()]
    return ok("models", ", ".join(names) or "none: the evidence model answers by rule")
