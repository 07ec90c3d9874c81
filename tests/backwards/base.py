"""The backend's connection, by the name that Django looks for."""

from __future__ import annotations

from django.db.backends.postgresql import base, operations


class DatabaseOperations(operations.DatabaseOperations):
    """Operations whose statements are made by our compilers."""

    compiler_module = "tests.backwards.compiler"


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to PostgreSQL, with our operations."""

    ops_class = DatabaseOperations
