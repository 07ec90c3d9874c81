"""A tape and the owner's hand behind the database's back; all of it is really committed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connections

from tapes import store

if TYPE_CHECKING:
    from tapes.models import Tape


@pytest.fixture(autouse=True)
def _real_commits(committed_database: None) -> None:
    """Promises of the database are tested with transactions of its own."""


@pytest.fixture
def tape() -> Tape:
    """A new tape: its only entry is the anchor session/start."""
    return store.create("work")


Behind = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def behind() -> Behind:
    """Run SQL as the owner's role, as somebody would who goes behind the database's back."""

    def run(sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with connections["owner"].cursor() as cursor:
            cursor.execute(sql, list(parameters))
            return cursor.fetchall() if cursor.description else []

    return run
