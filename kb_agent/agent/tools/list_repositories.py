"""Tool: list the repositories that may be asked about."""

from __future__ import annotations

from kb_agent.agent import showing
from kb_agent.agent.desk import Desk, Output

REPOSITORIES_MOST = 200


def list_repositories(desk: Desk) -> Output:
    """List the repositories this person may ask about, with what their owners say of them.

    search_code already names the repository a question lands in. Use this when it is not clear
    which system is meant, or when the question is which systems there are.
    """
    rows = list(desk.repositories().order_by("name"))
    shown = rows[:REPOSITORIES_MOST]
    lines = [
        f"- {row.name}"
        + (f" (branch {row.default_branch})" if row.default_branch else "")
        + (f": {about}" if (about := showing.about(row)) else "")
        for row in shown
    ]
    if len(rows) > len(shown):
        lines.append(f"({len(rows) - len(shown)} more)")
    return Output(
        content="\n".join(lines) or "There is no code that this person may read.",
        data={"repositories": [row.name for row in shown]},
        sources=frozenset(row.pk for row in shown),
    )
