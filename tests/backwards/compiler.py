"""Compilers by the names that Django looks for; the one of SELECT turns unordered rows around."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.backends.postgresql import compiler
from django.db.backends.postgresql.compiler import (
    SQLAggregateCompiler,
    SQLDeleteCompiler,
    SQLInsertCompiler,
    SQLUpdateCompiler,
)

__all__ = [
    "SQLAggregateCompiler",
    "SQLCompiler",
    "SQLDeleteCompiler",
    "SQLInsertCompiler",
    "SQLUpdateCompiler",
]


class SQLCompiler(compiler.SQLCompiler):
    """A SELECT; what it says of order is known once its statement was made."""

    is_ordered = True

    def pre_sql_setup(self, *args: Any, **kwargs: Any) -> Any:
        """Make ready, and keep whether there is an ORDER BY."""
        extra_select, order_by, group_by = super().pre_sql_setup(*args, **kwargs)
        self.is_ordered = bool(order_by)
        return extra_select, order_by, group_by

    def results_iter(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """The rows, the last first where nothing was said of their order."""
        rows = super().results_iter(*args, **kwargs)
        return rows if self.is_ordered else reversed(list(rows))
