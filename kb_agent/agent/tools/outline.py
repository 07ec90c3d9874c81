"""Tool: what a file defines, and where."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from kb_agent.agent import reaching, showing
from kb_agent.agent.desk import Desk, Output
from kb_agent.repositories.indexing import outline as outlines

SYMBOLS_MOST = 300


def outline(
    desk: Desk,
    repository: Annotated[str, Field(description="Name of the repository")],
    path: Annotated[str, Field(description="Path of the file, as search_code gave it")],
) -> Output:
    """List the classes, functions and sections of one file with their lines.

    Use it on a long file to choose which lines to read.
    """
    row = desk.repository(repository)
    commit = desk.branch_of(row).indexed_commit
    with reaching.code(path):
        found = outlines.of(row, commit, path)
    shown = found[:SYMBOLS_MOST]
    lines = [
        f"lines {each.start_line}-{each.end_line}: {each.kind} {showing.flat(each.symbol)}"
        for each in shown
    ]
    if len(found) > len(shown):
        lines.append(f"({len(found) - len(shown)} more)")
    return Output(
        content="\n".join(lines)
        or f"{showing.flat(path)} defines nothing by name; read its lines.",
        data={"repository": row.name, "path": path, "symbols": len(found)},
        sources=frozenset({row.pk}),
    )
