"""The rows of tapes; Django finds them here."""

from __future__ import annotations

from tapes.models.meaning import EntryVector, MeaningMark, MeaningSpace
from tapes.models.search import SearchPostings, SearchSegment
from tapes.models.tapes import Anchor, ArchiveCopy, Entry, Fork, Spill, Tape, Verification

__all__ = [
    "Anchor",
    "ArchiveCopy",
    "Entry",
    "EntryVector",
    "Fork",
    "MeaningMark",
    "MeaningSpace",
    "SearchPostings",
    "SearchSegment",
    "Spill",
    "Tape",
    "Verification",
]
