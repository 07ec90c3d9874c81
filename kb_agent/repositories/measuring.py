"""The signals of a search, any of which may be left out to measure what it brings (C9)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Signals:
    """Which sources of words take part; all do, unless their worth is measured."""

    left_out: frozenset[str] = frozenset()

    def __contains__(self, name: object) -> bool:
        """Whether a signal takes part."""
        return name not in self.left_out


SIGNALS = (
    *(
        "catalogues",
        "dictionary",
        "synonyms",
        "paraphrases",
        "families",
        "pairs",
        "roles",
        "routing",
    ),
    *("further chunks", "coverage", "decisions", "joining"),
)
EVERYTHING = Signals()
