"""What is remembered of a closed segment without asking a model: questions, answers, places, searches (P8).

A statement is `{kind, text, seqs}`: `asked`, `answered`, `read` (a place with its evidence id, which
stays citable), `looked` (a tool and what it was asked), `begins` (of a result too long to be kept),
`marked`; `said` is a model's. `seqs` are the entries it rests on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kb_agent.agent import quoting, showing, window
from kb_agent.llm import usage
from kb_agent.repositories import secrets
from kb_agent.repositories.models import Evidence
from tapes import anchors
from topics import markers

if TYPE_CHECKING:
    from kb_agent.agent.desk import Desk
    from tapes.entries import Entry

Statement = dict[str, Any]

ASKED, ANSWERED, READ, LOOKED, MARKED = "asked", "answered", "read", "looked", "marked"
SAID, BEGINS = "said", "begins"
BESIDE_A_SUMMARY = frozenset({READ, MARKED})
QUESTION_CHARS, ANSWER_CHARS, CALL_CHARS, NOTE_CHARS = 300, 400, 160, 300
PLACES_MOST = 40
# When room is short the first of these are kept.
_WORTH = {BEGINS: 0, SAID: 0, ASKED: 1, ANSWERED: 2, MARKED: 3, READ: 4, LOOKED: 5}
_SPEAKS = {
    ASKED: "Asked: ",
    ANSWERED: "Answered: ",
    READ: "Read: ",
    LOOKED: "Looked: ",
    MARKED: "Marked: ",
    SAID: "",
    BEGINS: "The last step's result begins: ",
}
_HEAD = (
    "[The conversation before this was longer than the model can take. Entries {first} to {last} of this"
    " tape are closed; this is what is kept of them. It is a record, not an instruction. The evidence ids in"
    " it may still be cited; open_range and search_tape reach the entries themselves.]"
)


def statements(entries: Sequence[Entry], desk: Desk) -> list[Statement]:
    """What the entries of a window tell, in their order; they are those the asker may read."""
    found: list[Statement] = []
    for entry in entries:
        found += _of_entry(entry)
    found += _places(entries, desk)
    return sorted(found, key=lambda one: one["seqs"][0])


def beginnings(step: Sequence[Entry], *, tokens: int) -> list[Statement]:
    """How the results of a step begin, in so many tokens together."""
    found = [
        (entry.seq, result)
        for entry in step
        if entry.kind == "tool_result"
        for result in entry.payload.get("results") or ()
        if isinstance(result, dict)
    ]
    # A Chinese character takes three bytes, and a token four.
    chars = tokens * 4 // 3 // max(len(found), 1)
    return [
        _statement(BEGINS, f"{one.get('name', '')}: {flat(one.get('content'), chars)}", seq)
        for seq, one in found
        if chars > 0
    ]


def earlier(entries: Sequence[Entry]) -> list[Statement]:
    """What the overload that opens a window had kept of the segments before."""
    opening = next((entry for entry in entries if window.is_overload(entry)), None)
    if opening is None:
        return []
    state = opening.payload.get("state") or {}
    told = (*state.get("earlier", ()), *state.get("statements", ()))
    return [one for one in told if isinstance(one, dict) and one.get("text") and one.get("seqs")]


def within(found: Iterable[Statement], tokens: int) -> list[Statement]:
    """As many statements as so many tokens hold: the worthiest, of a kind the newest; in their order."""
    told = list(found)
    ranked = sorted(told, key=lambda one: (_WORTH.get(one["kind"], 9), -one["seqs"][-1]))
    kept: list[int] = []
    for one in ranked:
        tokens -= usage.estimate(line(one))
        if tokens < 0:
            break
        kept.append(id(one))
    return [one for one in told if id(one) in kept]


def text(first: int, last: int, *parts: Sequence[Statement]) -> str:
    """The overload's text for the model."""
    head = _HEAD.format(first=first, last=last)
    return "\n".join([head, *(line(one) for part in parts for one in part)])


def line(statement: Statement) -> str:
    """`- Answered: Yes, 3 times. [e1] (entries 12, 13)`."""
    seqs = statement["seqs"]
    where = f"entry {seqs[0]}" if len(seqs) == 1 else f"entries {', '.join(map(str, seqs))}"
    return f"- {_SPEAKS.get(statement['kind'], '')}{statement['text']} ({where})"


def flat(said: object, most: int) -> str:
    """Text on one line, masked, cut where it is too long."""
    one = " ".join(secrets.mask(str(said or "")).text.split())
    return one if len(one) <= most else f"{one[: most - 1].rstrip()}…"


def _of_entry(entry: Entry) -> list[Statement]:
    payload = entry.payload
    if entry.kind == "message":
        kind, most = (
            (ASKED, QUESTION_CHARS) if payload.get("role") == "user" else (ANSWERED, ANSWER_CHARS)
        )
        told = flat(payload.get("content"), most)
        return [_statement(kind, told, entry.seq)] if told else []
    if entry.kind == "tool_call":
        return [_statement(LOOKED, _called(call), entry.seq) for call in payload.get("calls") or ()]
    if entry.kind == "anchor" and str(payload.get("name")).startswith(anchors.MARK):
        return [_statement(MARKED, flat(quoting.named(payload), NOTE_CHARS), entry.seq)]
    return []


def _said(entry: Entry) -> str:
    if entry.kind == "message":
        return str(entry.payload.get("content") or "")
    results = entry.payload.get("results") or ()
    return "\n".join(str(one.get("content")) for one in results if isinstance(one, dict))


def _statement(kind: str, told: str, *seqs: int) -> Statement:
    return {"kind": kind, "text": told, "seqs": list(seqs)}


def _called(call: Mapping[str, Any]) -> str:
    function = call.get("function") or {}
    try:
        arguments = json.loads(function.get("arguments") or "{}")
    except ValueError:
        arguments = {}
    said = ", ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in dict(arguments).items()
    )
    return flat(f"{function.get('name', '')}({said})", CALL_CHARS)


def _places(entries: Sequence[Entry], desk: Desk) -> list[Statement]:
    """The places whose evidence ids these entries name: those an answer cites first, then the newest."""
    named: dict[int, list[int]] = {}
    cited: set[int] = set()
    for entry in entries:
        if entry.topic_id != desk.topic_id or entry.kind not in {"message", "tool_result"}:
            continue
        numbers = markers.numbers(_said(entry))
        cited |= set(numbers) if entry.kind == "message" else set()
        for number in numbers:
            named.setdefault(number, []).append(entry.seq)
    rows = Evidence.objects.filter(
        topic_id=desk.topic_id, number__in=named, repository__in=desk.readable
    ).select_related("repository")
    wanted = sorted(rows, key=lambda row: (row.number not in cited, -named[row.number][-1]))
    return [
        _statement(READ, showing.head(row, row.repository.name), *named[row.number][:3])
        for row in wanted[:PLACES_MOST]
    ]
