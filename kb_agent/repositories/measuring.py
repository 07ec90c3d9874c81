"""The signals of a search, any of which may be left out to measure what it brings (C9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb_agent.llm.account import Account


@dataclass(frozen=True)
class Signals:
    """Which signals take part; all do, unless their worth is measured, but vectors only where `account` pays (P11)."""

    left_out: frozenset[str] = frozenset()
    account: Account | None = None

    def __contains__(self, name: object) -> bool:
        """Whether a signal takes part."""
        return name not in self.left_out


SIGNALS = (
    *(
        "catalogues",
        "dictionary",
        "synonyms",
        "glosses",
        "paraphrases",
        "families",
        "pairs",
        "roles",
        "routing",
    ),
    *("further chunks", "coverage", "decisions", "refining", "joining", "vectors"),
)
EVERYTHING = Signals()
