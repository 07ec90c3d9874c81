"""Tool: read lines of a file at the indexed commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from kb_agent.agent import reaching, showing
from kb_agent.agent.desk import Desk, Output, ToolRefused
from kb_agent.repositories import evidence, mirror
from kb_agent.repositories.evidence import excerpts

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository

LINES_MOST = 250


def read_lines(
    desk: Desk,
    repository: Annotated[str, Field(description="Name of the repository")],
    path: Annotated[
        str, Field(description="Path of the file, as search_code or list_files gave it")
    ],
    start_line: Annotated[int, Field(ge=1, description="First line, from 1")] = 1,
    end_line: Annotated[
        int, Field(ge=0, description="Last line, included; 0: as far as allowed")
    ] = 0,
) -> Output:
    """Read numbered lines of one file, as they stand at the indexed commit.

    Gives an evidence id for exactly these lines: read only what decides, and cite that id. At most
    250 lines at once.
    """
    row = desk.repository(repository)
    branch = desk.branch_of(row)
    lines = _lines(row, branch.indexed_commit, path)
    wanted = _last_line(path, len(lines), start_line, end_line)
    last = min(wanted, start_line + LINES_MOST - 1)
    place = evidence.Place(
        repository_id=row.pk,
        commit=branch.indexed_commit,
        branch=branch.name,
        path=path,
        start_line=start_line,
        end_line=last,
    )
    (minted,) = evidence.mint(desk.topic_id, desk.turn_id, [place])
    shown = showing.numbered(lines[start_line - 1 : last], start_line)
    more = f"\n(the file has {len(lines)} lines; go on from {last + 1})" if last < wanted else ""
    return Output(
        content=f"{showing.head(minted, row.name)}\n{shown}{more}",
        data={**showing.place(minted, row.name), "total_lines": len(lines)},
        sources=frozenset({row.pk}),
    )


def _last_line(path: str, total: int, start_line: int, end_line: int) -> int:
    """The last line asked for, within the file."""
    if start_line > total:
        raise ToolRefused("past_the_end", f"{path} has {total} lines")
    wanted = min(end_line or total, total)
    if wanted < start_line:
        raise ToolRefused("bad_range", f"line {end_line} comes before line {start_line}")
    return wanted


def _lines(repository: Repository, commit: str, path: str) -> list[str]:
    """A file's lines, masked, counted as evidence counts them."""
    with reaching.code(path):
        lines = excerpts.masked_lines(mirror.read(repository, commit, path))
    if not lines:
        raise ToolRefused("no_text", f"{path} holds no text that can be shown")
    return lines
