"""Tool: list the files of a repository."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from kb_agent.agent import showing
from kb_agent.agent.desk import Desk, Output
from kb_agent.repositories import files

FILES_MOST = 300


def list_files(
    desk: Desk,
    repository: Annotated[str, Field(description="Name of the repository")],
    prefix: Annotated[
        str, Field(description="Only paths that begin with this, such as src/orders/; empty: all")
    ] = "",
) -> Output:
    """List the indexed files of a repository, by path.

    Use it to see how a repository is laid out, or to find the neighbours of a file.
    """
    row = desk.repository(repository)
    branch = desk.branch_of(row).name
    shown = files.listing(row, branch, prefix, limit=FILES_MOST)
    count = files.count(row, branch, prefix)
    text = (
        "\n".join(map(showing.flat, shown))
        or f"No indexed file of {row.name} begins with {prefix!r}."
    )
    if count > len(shown):
        text += f"\n({count - len(shown)} more files; give a longer prefix)"
    return Output(
        content=text,
        data={"repository": row.name, "prefix": prefix, "files": count},
        sources=frozenset({row.pk}),
    )
