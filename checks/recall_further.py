"""Further questions for choosing what recall needs: those of the search benchmark, by the places that they and topics share."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

BENCH = Path(__file__).resolve().parent.parent / "docs" / "bench"
SETS = ("questions", "questions.own", "questions.fresh")
# From this share of the lines that either has, a topic and a question are about the same.
ALIKE = 0.5
Row = Mapping[str, Any]


def questions(topics: Sequence[Row], labelled: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """Questions that a topic fits by its lines, or none since no topic cites a file of theirs; others are left out.

    So are those that fit a topic which the reporting half of the labelled set asks for: it takes no part in a choice.
    """
    reported = {row["topic"] for row in labelled if row["half"] == "report"}
    for name in SETS:
        for line in (BENCH / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            near = {topic["id"]: _alike(topic, row) for topic in topics}
            fits = max(near, key=lambda one: near[one])
            if near[fits] >= ALIKE and not reported & {one for one, share in near.items() if share}:
                kind = "in one language" if _language(topics, fits) == row["lang"] else "across"
                yield {**row, "topic": fits, "kind": kind}
            elif not any(_shares_a_file(topic, row) for topic in topics):
                yield {**row, "topic": None, "kind": "none"}


def _alike(topic: Row, row: Row) -> float:
    """The greatest share of lines that a place of the topic and one of the question have together."""
    return max(
        (_overlap(one, other) for one in _cited(topic) for other in row["gold"]), default=0.0
    )


def _overlap(one: Row, other: Row) -> float:
    if (one["repo"], one["path"]) != (other["repo"], other["path"]):
        return 0.0
    starts, ends = ([each[name] for each in (one, other)] for name in ("start_line", "end_line"))
    both, either = min(ends) - max(starts) + 1, max(ends) - min(starts) + 1
    return float(max(0.0, both / either))


def _shares_a_file(topic: Row, row: Row) -> bool:
    files = {(one["repo"], one["path"]) for one in (*row["gold"], *row.get("also_ok", ()))}
    return any((one["repo"], one["path"]) in files for one in _cited(topic))


def _cited(topic: Row) -> Iterator[Row]:
    for turn in topic["turns"]:
        yield from turn["places"]


def _language(topics: Sequence[Row], label: str) -> str:
    return next(str(topic["lang"]) for topic in topics if topic["id"] == label)
