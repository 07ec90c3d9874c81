"""Fuses the rankings of several wordings of one question into one.

Reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009) over files; within a file a place counts by its share of the
file's best.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb_agent.repositories.search.places import Place

# How much a rank's height counts: small, since the first ranks are good and wordings few.
SMOOTHING = 10


def fused(rankings: Sequence[Sequence[Place]]) -> list[Place]:
    """One ranking, best first; a place that lies inside or across another of its file is that one. One ranking stays."""
    said = [ranking for ranking in rankings if ranking]
    if len(said) < 2:
        return list(said[0]) if said else []
    worth: dict[int, float] = defaultdict(float)
    share: dict[tuple[int, int], float] = defaultdict(float)
    kept: dict[int, list[Place]] = defaultdict(list)
    for ranking in said:
        best: dict[int, float] = {}
        for place in ranking:
            if place.file_id not in best:
                worth[place.file_id] += 1 / (SMOOTHING + len(best) + 1)
                best[place.file_id] = place.score
            at = _same(kept[place.file_id], place)
            share[place.file_id, at] += place.score / max(best[place.file_id], 1e-9)
    top = max(worth.values())
    best_share: dict[int, float] = defaultdict(float)
    for (file, _), value in share.items():
        best_share[file] = max(best_share[file], value)
    found = [
        replace(kept[file][at], score=worth[file] / top * value / best_share[file])
        for (file, at), value in share.items()
    ]
    return sorted(found, key=lambda place: (-place.score, place.file_id, place.start_line))


def _same(kept: list[Place], place: Place) -> int:
    """Where among a file's places this one stands, put there when it is new."""
    for at, other in enumerate(kept):
        if place.start_line <= other.end_line and other.start_line <= place.end_line:
            return at
    kept.append(place)
    return len(kept) - 1
