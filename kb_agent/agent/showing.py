"""Writes places of code for the model: a head line with the evidence id, then numbered lines.

Every line of code starts with its number, so that nothing in a repository can look like a head.
The evidence model reads this form back (`llm.evidence_model.reading`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from kb_agent.repositories import secrets
from topics import markers

if TYPE_CHECKING:
    from collections.abc import Iterable

ABOUT_CHARS = 200
_BREAKS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]")


def head(evidence: Any, repository: str, symbol: str = "") -> str:
    """`[e1] bank/loans/rate.py lines 28-45 `rate_for``."""
    place = f"{repository}/{flat(evidence.path)} lines {evidence.start_line}-{evidence.end_line}"
    return f"[e{evidence.number}] {place}" + (f" `{symbol}`" if symbol else "")


def numbered(lines: Iterable[str], start: int) -> str:
    """Lines with their numbers, masked once more at the last place before the prompt (C8)."""
    masked = secrets.mask("\n".join(lines)).text.split("\n")
    return "\n".join(f"{number}: {flat(line)}" for number, line in enumerate(masked, start=start))


def flat(text: str) -> str:
    """Text that stays on its line: whatever any reader may take for a line's end is replaced."""
    return _BREAKS.sub("\ufffd", text)


def matches(why: Iterable[Any]) -> str:
    """`word 利率 = rate; symbol rates = rate_for`, each once."""
    told = dict.fromkeys(f"{match.kind} {match.query} = {match.code}" for match in why)
    return "; ".join(told)


def about(repository: Any) -> str:
    """What its owner says of a repository, on one line: `网店 / Online shop`."""
    said = (repository.description_zh, repository.description_en)
    lines = [" ".join(each.split())[:ABOUT_CHARS] for each in said if each.strip()]
    return flat(secrets.mask(" / ".join(lines)).text)


def commit(found: Any) -> str:
    """`2024-05-01 Mei, 1a2b3c4d5e: Retry refunds.`, without what would look like an evidence id."""
    day = f"{found.date:%Y-%m-%d}" if found.date else "undated"
    said = markers.without(f"{found.author}, {found.commit[:10]}: {found.summary}")
    return flat(f"{day} {said}")


def commit_for_people(found: Any) -> dict[str, Any]:
    """The same for people's pages."""
    return {
        "commit": found.commit,
        "author": found.author,
        "date": found.date.isoformat() if found.date else None,
        "summary": found.summary,
    }


def reasons(why: Iterable[Any]) -> list[dict[str, str]]:
    """The same for people's pages."""
    return [{"kind": match.kind, "query": match.query, "code": match.code} for match in why]


def place(evidence: Any, repository: str) -> dict[str, Any]:
    """A place as data for people: what a citation opens."""
    return {
        "evidence": f"e{evidence.number}",
        "evidence_id": evidence.pk,
        "repository": repository,
        "repository_id": evidence.repository_id,
        "path": evidence.path,
        "start_line": evidence.start_line,
        "end_line": evidence.end_line,
    }
