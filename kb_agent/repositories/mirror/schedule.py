"""When a repository is fetched by itself: each on its own minutes, spread so that many never meet (C2)."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import F, Q
from django.db.models.functions import Now

from kb_agent.repositories.models import Repository

if TYPE_CHECKING:
    from django.db.models import QuerySet

# By how much two fetches of a repository may lie nearer or farther than its minutes say.
JITTER = 0.1
LONGEST_MINUTES = 7 * 24 * 60


def minutes(repository: Repository) -> int:
    """How often it is fetched; 0 never by itself."""
    if repository.schedule_minutes is None:
        return int(settings.ENVIRONMENT.fetch_minutes)
    return repository.schedule_minutes


def spread(repository: Repository) -> None:
    """Let the next fetch come at any moment of the schedule: repositories added together do not stay so."""
    _set(repository, minutes(repository) * random.random())  # noqa: S311 - no secret


def fetched(repository: Repository) -> None:
    """Let the next fetch come a schedule later, give or take a tenth."""
    _set(repository, minutes(repository) * random.uniform(1 - JITTER, 1 + JITTER))  # noqa: S311 - no secret


def due() -> QuerySet[Repository]:
    """Repositories whose time has come and that no run is at, the longest overdue first."""
    rows = Repository.objects.filter(removed_at=None, next_fetch_at__lte=Now())
    if not settings.ENVIRONMENT.fetch_minutes:
        rows = rows.exclude(schedule_minutes=None)
    return (
        rows.exclude(schedule_minutes=0)
        .exclude(Q(runs__status="waiting") | Q(runs__status="running"))
        .order_by(F("next_fetch_at"), "pk")
    )


def _set(repository: Repository, in_minutes: float) -> None:
    Repository.objects.filter(pk=repository.pk).update(
        next_fetch_at=Now() + timedelta(minutes=in_minutes)
    )
