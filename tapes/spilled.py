"""Huge output: stored once under its digest, read in pages cut at the ends of lines (T17).

What refers to a text keeps `{id, chars, pages}`, and `page_chars` where its pages are shorter than
others'; whoever may read that entry may read the pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import BooleanField, ExpressionWrapper, F, Func, JSONField, Q, Value

from tapes import scopes, store, views
from tapes.entries import TOOL_RESULT, Entry
from tapes.errors import TapeError
from tapes.models import Spill

PAGE_CHARS = 20_000
"""A page is no longer; a line that is, is cut."""
SHORT = 16
"""As many characters of a text's id name it on its tape."""
_PATH = "$.results[*].spill.id"


class UnknownPage(TapeError):
    """The text has no page of that number."""

    code = "unknown_page"


def keep(text: str, *, page_chars: int | None = None) -> dict[str, Any]:
    """Store a text once, and return what its entry says of it; pages may be shorter than PAGE_CHARS."""
    kept = {"id": store.spill(text), "chars": len(text), "pages": len(pages(text, page_chars))}
    return kept if page_chars is None else kept | {"page_chars": page_chars}


def pages(text: str, page_chars: int | None = None) -> list[str]:
    """Cut a text into pages; joined they are the text again."""
    size = page_chars or PAGE_CHARS
    found: list[str] = []
    start = 0
    while len(text) - start > size:
        end = text.rfind("\n", start, start + size) + 1
        end = end if end > start else start + size
        found.append(text[start:end])
        start = end
    return [*found, text[start:]]


def page(spill: Mapping[str, Any], number: int) -> str:
    """Return a page of what an entry keeps as `spill`, from 1. Raises `UnknownPage`, `store.UnknownSpill`."""
    found = pages(store.unspill(spill["id"]), spill.get("page_chars"))
    if not 1 <= number <= len(found):
        raise UnknownPage(f"there are pages 1 to {len(found)}")
    return found[number - 1]


def find(tape_id: int, short: str) -> tuple[Entry, Mapping[str, Any]] | None:
    """The newest entry of a tape that refers to a text by the first SHORT characters of its id.

    Entries of discarded forks are left out.
    """
    # Worded as its index is.
    named = Func(F("payload"), Value(_PATH), function="jsonb_path_query_array")
    known = Func(F("payload"), Value(_PATH), function="jsonb_path_exists")
    full = Spill.objects.filter(digest__startswith=short).order_by("digest")
    rows = scopes.followed(tape_id, first=1, topic_ids=None).filter(kind=TOOL_RESULT)
    for digest in full.values_list("digest", flat=True)[:2]:
        of_text = rows.annotate(
            named=ExpressionWrapper(named, JSONField()),
            known=ExpressionWrapper(known, BooleanField()),
        ).filter(Q(("named__contains", [digest])), known=True)
        for entry in views.entries(of_text.order_by("-seq")[:1]):
            for result in entry.payload["results"]:
                if (result.get("spill") or {}).get("id") == digest:
                    return entry, result["spill"]
    return None


def of_call(entry: Entry, call_id: str) -> Mapping[str, Any] | None:
    """What an entry of tool results says of the spilled output of a call, if it was spilled."""
    if entry.kind != TOOL_RESULT:
        return None
    for result in entry.payload.get("results") or ():
        if isinstance(result, dict) and result.get("id") == call_id:
            spill = result.get("spill")
            return spill if isinstance(spill, dict) else None
    return None
