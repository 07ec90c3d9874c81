"""Ids taken before their row exists: a topic's or turn's first entry names it already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

if TYPE_CHECKING:
    from django.db.models import Model


def take(model: type[Model]) -> int:
    """The id the next row of this model has if it is created with it."""
    with connection.cursor() as cursor:
        table = model._meta.db_table  # noqa: SLF001 — Django's documented way to a table's name
        cursor.execute("SELECT nextval(pg_get_serial_sequence(%s, 'id'))", [table])
        (taken,) = cursor.fetchone()
    return int(taken)
