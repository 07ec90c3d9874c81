"""Earlier entries as text for the model: a head line each, evidence ids minted anew or left out (A5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from kb_agent.repositories import evidence, mirror, secrets
from kb_agent.repositories.models import Evidence
from topics import markers

if TYPE_CHECKING:
    from kb_agent.agent.desk import Desk
    from tapes.entries import Entry

RESULT_CHARS = 3_000
STATE_CHARS = 600
LEDGER = ("model_call_started", "model_call_ended", "turn_started", "turn_ended")
_SPEAKERS = {"user": "question", "assistant": "answer"}

Numbers = Mapping[tuple[int | None, int], int]
"""Evidence number in this topic, by the topic and number it had."""


def told(entry: Entry) -> str:
    """What an entry says, in plain words; empty for what only the ledger needs."""
    payload = entry.payload
    if entry.kind == "message":
        return str(payload.get("content") or "")
    if entry.kind == "tool_call":
        return "\n".join(_call(call) for call in payload.get("calls") or ())
    if entry.kind == "tool_result":
        return "\n".join(_result(result) for result in payload.get("results") or ())
    if entry.kind == "error":
        return str(payload.get("message") or "")
    if entry.kind == "event" and payload.get("name") in LEDGER:
        return ""
    return named(payload)


def named(payload: Mapping[str, Any]) -> str:
    """An anchor or event with what it keeps, on one line."""
    state = payload.get("state", payload.get("data")) or {}
    words = state.get("text") or state.get("note") or state.get("title")
    kept = words or ("; ".join(f"{key}: {value}" for key, value in state.items()) if state else "")
    line = " ".join(str(kept).split())[:STATE_CHARS]
    return f"{payload.get('name', '')}{f': {line}' if line else ''}"


def head(entry: Entry) -> str:
    """`entry 12, answer:`."""
    kind = _SPEAKERS.get(str(entry.payload.get("role")), entry.kind)
    return f"entry {entry.seq}, {kind}:"


def minted(desk: Desk, entries: Iterable[Entry]) -> Numbers:
    """Mint the evidence these entries name for this topic, as it stands by today's grants and code.

    They keep their order. What may not be read, or is no longer what it was at its commit, gets no number.
    """
    wanted: dict[int, set[int]] = {}
    for entry in entries:
        if entry.topic_id is not None:
            wanted.setdefault(entry.topic_id, set()).update(markers.numbers(told(entry)))
    rows = [
        row
        for topic_id, numbers in wanted.items()
        for row in Evidence.objects.filter(
            topic_id=topic_id, number__in=numbers, repository__in=desk.readable
        )
        .select_related("repository")
        .order_by("number")
    ]
    standing = evidence.standing(rows)
    valid = [row for row in rows if standing[row.pk].valid]
    try:
        new = evidence.mint(desk.topic_id, desk.turn_id, valid)
    except mirror.MissingFile:
        return {}
    return {(row.topic_id, row.number): one.number for row, one in zip(valid, new, strict=True)}


def renumbered(entry: Entry, text: str, numbers: Numbers) -> str:
    """The text with this topic's evidence ids, without those that stand for nothing now."""
    said = markers.renumbered(text, lambda number: numbers.get((entry.topic_id, number)))
    return secrets.mask(said).text


def _call(call: Any) -> str:
    function = call.get("function", {}) if isinstance(call, dict) else {}
    return f"{function.get('name', '')}({function.get('arguments', '')})"


def _result(result: Any) -> str:
    content = result.get("content", result) if isinstance(result, dict) else result
    text = str(content)
    cut = f"\n[{len(text) - RESULT_CHARS} more characters]" if len(text) > RESULT_CHARS else ""
    return text[:RESULT_CHARS] + cut
