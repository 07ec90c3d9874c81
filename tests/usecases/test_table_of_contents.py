"""The docstring of a large package is its table of contents: nothing is left out, nothing is named that is gone."""

from __future__ import annotations

import pkgutil
from typing import TYPE_CHECKING

import pytest

import tapes
import topics
from kb_agent import agent, llm, repositories, usecases

if TYPE_CHECKING:
    from types import ModuleType


@pytest.mark.parametrize(
    "package",
    [usecases, topics, tapes, agent, repositories, llm],
    ids=lambda package: package.__name__,
)
def test_every_module_has_its_line_in_the_table_of_contents(package: ModuleType) -> None:
    lines = (package.__doc__ or "").splitlines()[2:]
    named = [line.split()[0] for line in lines if line]
    there = {module.name for module in pkgutil.iter_modules(package.__path__)}
    assert sorted(named) == sorted(there - {"migrations"})
