"""The docstring of `kb_agent.usecases` is the product's table of contents: nothing is left out."""

from __future__ import annotations

import pkgutil

from kb_agent import usecases


def test_every_module_has_its_line_in_the_table_of_contents() -> None:
    lines = (usecases.__doc__ or "").splitlines()[2:]
    named = [line.split()[0] for line in lines if line]
    assert sorted(named) == sorted(
        module.name for module in pkgutil.iter_modules(usecases.__path__)
    )
