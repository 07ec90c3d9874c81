"""Holds what a store says of a tape against the model of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import strategies as st

from tapes import errors
from tapes.matching import tiers
from tapes.windows import View
from tests.tapes import model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tapes.stores.protocol import Readable

NAMES = ["a", "b", "brain_overload", "recall_anchor", "topic_finalized", "mark/lesson"]
SOURCES = [1, 2]
"""Repositories whose text entries hold."""

names = st.sampled_from(NAMES)
words = st.sampled_from(["refund", "INVOICE", "退", "失败", '% "_', "\\u"])


def agree(shelf: Readable, tape_id: int, tape: model.Tape, data: st.DataObject) -> None:
    """Hold every view of a store against the model's."""
    first, last = sorted((data.draw(st.integers(1, 30)), data.draw(st.integers(1, 30))))
    start, end = data.draw(names), data.draw(names)
    held: list[tuple[View, list[model.Row] | None]] = [
        (View.last_anchor(), tape.window()),
        (View.seqs(first, last), tape.range(first, last)),
        (View.seqs(first), tape.range(first, 10**9)),
        (View.after(start), tape.after(start)),
        (View.between(start, end), tape.between(start, end)),
        (View.of_turns([1, 3]), tape.of_turns([1, 3])),
    ]
    for fork_id, fork in tape.forks.items():
        on_it = [row for row in tape.rows if row.fork == fork_id]
        held.append((View.fork(fork_id), on_it))
        view = View.turn(fork_id=fork_id, base_seq=fork.base, turn_ids=[2])
        held.append((view, tape.own_turn(fork_id, 2)))
    for view, rows in held:
        if rows is None:
            with pytest.raises(errors.MissingAnchor):
                shelf.read(tape_id, view)
            continue
        assert model.same(shelf.read(tape_id, view), rows), view
        some = [row for row in rows if row.new.kind in {"event", "message"}][:2]
        assert model.same(shelf.read(tape_id, view.only("event", "message").limit(2)), some)
    whole = tape.range(1, 10**9)
    assert shelf.counts(tape_id) == Counter(row.new.kind for row in whole)
    assert [one.seq for one in shelf.anchors(tape_id)] == [row.seq for row in tape.anchors()]
    events = [row for row in whole if row.new.kind == "event" and row.name == start]
    latest = shelf.latest_event(tape_id, start)
    assert (latest and latest.seq) == (events[-1].seq if events else None)


def finds(shelf: Readable, tape_id: int, tape: model.Tape, data: st.DataObject) -> None:
    """Exact hits are the entries that hold a word, newest first, whatever the window."""
    word = data.draw(words)
    readable = data.draw(st.lists(st.sampled_from(SOURCES), unique=True))
    hits = shelf.search(tape_id, word, readable=readable, limit=200).hits
    exact = [hit.seq for hit in hits if hit.tier == tiers.EXACT]
    whole = reversed(tape.range(1, 10**9))
    assert exact == [row.seq for row in whole if holds(row, word, readable)]


def holds(row: model.Row, word: str, readable: Sequence[int]) -> bool:
    """Whether a reader finds the word in an entry's text."""
    payload = row.new.payload
    said: list[object] = [
        payload.get("content"),
        *payload.get("results", ()),
        payload.get("message"),
        (payload.get("state") or payload.get("data") or {}).get("text"),
    ]
    text = "\n".join(str(one) for one in said if one)
    return word.casefold() in text.casefold() and set(row.new.sources) <= set(readable)
