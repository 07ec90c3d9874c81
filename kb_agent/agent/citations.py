"""Checks every citation before an answer is final: minted in this topic, and true to git (A5)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb_agent.repositories import evidence
from kb_agent.repositories.models import Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

# Models write [e1], [e1, e2], [E1][e2] and, in Chinese, 【e1】.
_MARKER = re.compile(r"\s?[\[【]\s*(e\d+(?:\s*[,，、;；]\s*e\d+)*)\s*[\]】]", re.IGNORECASE)
# Code is left as it is: a marker in it cites nothing.
_CODE = re.compile(r"(```.*?```|`[^`\n]+`)", re.DOTALL)
_ID = re.compile(r"e(\d+)", re.IGNORECASE)
# How the prompt asks models to begin an answer that no code settles.
_NOT_FOUND = re.compile(
    r"[\W_]*(not found here|(这里|此处)?没有?找到|這裡?沒有?找到)", re.IGNORECASE
)
_LARGEST = 2**31


@dataclass(frozen=True)
class Checked:
    """An answer's text with only true markers left, its citations, and how many were dropped."""

    content: str
    citations: list[dict[str, Any]]
    dropped: int

    @property
    def verified(self) -> bool:
        """At least one citation holds; an answer without any is shown as unverified."""
        return any(citation["valid"] for citation in self.citations)


def says_not_found(content: str) -> bool:
    """Whether an answer begins by saying that the code does not settle the question."""
    return _NOT_FOUND.match(content) is not None


def check(content: str, *, topic_id: int, readable: frozenset[int]) -> Checked:
    """Check the ids cited in a text against the topic's evidence and the asker's grants of now."""
    rows = _minted(_cited(content), topic_id=topic_id, readable=readable)
    dropped = 0
    used: dict[int, Evidence] = {}

    def keep(marker: re.Match[str]) -> str:
        nonlocal dropped
        numbers = [int(number) for number in _ID.findall(marker[1])]
        known = [number for number in numbers if number in rows]
        dropped += len(numbers) - len(known)
        used.update({number: rows[number] for number in known})
        lead = marker[0][: len(marker[0]) - len(marker[0].lstrip())]
        return lead + "".join(f"[e{number}]" for number in known) if known else ""

    text = "".join(
        part if part.startswith("`") else _MARKER.sub(keep, part) for part in _CODE.split(content)
    )
    return Checked(
        text, [_citation(place, row) for place, row in enumerate(used.values(), 1)], dropped
    )


def _cited(content: str) -> list[int]:
    prose = _CODE.sub("", content)
    found = (int(number) for marker in _MARKER.findall(prose) for number in _ID.findall(marker))
    return [number for number in dict.fromkeys(found) if number < _LARGEST]


def _minted(
    numbers: Sequence[int], *, topic_id: int, readable: frozenset[int]
) -> dict[int, Evidence]:
    rows = Evidence.objects.filter(
        topic_id=topic_id, number__in=numbers, repository__in=readable
    ).select_related("repository")
    return {row.number: row for row in rows}


def _citation(number: int, row: Evidence) -> dict[str, Any]:
    return {
        "number": number,
        "id": f"e{row.number}",
        "evidence_id": row.pk,
        "repository": row.repository.name,
        "repository_id": row.repository_id,
        "branch": row.branch,
        "commit": row.commit,
        "path": row.path,
        "start_line": row.start_line,
        "end_line": row.end_line,
        "content_hash": row.content_hash,
        "valid": evidence.check(row),
    }
