"""A small company for the tests of this folder: people, a repository, a topic with an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.api import company

if TYPE_CHECKING:
    from tests.api.company import Company


@pytest.fixture
def small(db: None) -> Company:
    """The company, in a transaction that is rolled back."""
    return company.founded()


@pytest.fixture
def committed(committed_database: None) -> Company:
    """The company, for servers and workers to see."""
    return company.founded()
