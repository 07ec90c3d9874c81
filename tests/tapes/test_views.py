"""T8 and T9: which entries a view covers, as bub's own queries do, and which anchors move it."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import pytest

from tapes import anchors, entries, forks, scopes, store, views
from tapes.views import View
from tests.tapes import bub

if TYPE_CHECKING:
    from tapes.models import Tape

BUB = {
    "whole": View.seqs(),
    "last_anchor": View.last_anchor(),
    "after session/start": View.after("session/start"),
    "after phase/invoices": View.after("phase/invoices"),
    "between session/start and phase/invoices": View.between("session/start", "phase/invoices"),
}


def shown(tape_id: int, view: View) -> list[int]:
    return [entry.seq for entry in views.read(tape_id, view)]


def test_every_window_of_bub_is_compared() -> None:
    assert set(BUB) == set(bub.windows())


@pytest.mark.parametrize("window", BUB)
def test_T8_every_window_of_bub_holds_the_same_entries(window: str) -> None:
    tape_id = bub.recorded("bub", "bub-0.5.1.jsonl")
    assert shown(tape_id, BUB[window]) == bub.windows()[window]["entry_ids"]


def test_T8_the_older_line_form_is_read_too() -> None:
    tape_id = bub.recorded("bub", "bub-0.2.3.jsonl")
    assert shown(tape_id, View.last_anchor()) == [2, 3, 4, 5, 6]


def test_T8_a_missing_anchor_is_a_named_error_and_never_an_empty_list(tape: Tape) -> None:
    for view in (
        View.after("nowhere"),
        View.between("nowhere", "session/start"),
        View.between("session/start", "nowhere"),
        View.between("session/start", "session/start"),
    ):
        with pytest.raises(views.MissingAnchor) as refusal:
            views.read(tape.id, view)
        assert refusal.value.code == "missing_anchor"


def test_T8_a_name_means_its_latest_anchor_and_an_end_the_first_after_it(tape: Tape) -> None:
    for name in ("a", "b", "a", "b", "b"):
        store.append(tape.id, [entries.anchor(name), entries.event(f"after {name}")])
    assert shown(tape.id, View.after("a")) == [7, 8, 9, 10, 11]
    assert shown(tape.id, View.between("a", "b")) == [7]


def test_T8_ranges_are_inclusive_and_either_side_may_be_open(tape: Tape) -> None:
    dates = [store.append(tape.id, [entries.event("x")])[0].date for _ in range(3)]
    assert shown(tape.id, View.seqs(2, 3)) == [2, 3]
    assert shown(tape.id, View.seqs(last=2)) == [1, 2]
    assert shown(tape.id, View.seqs(3)) == [3, 4]
    assert shown(tape.id, View.dates(since=dates[2])) == [4]
    assert shown(tape.id, View.dates(dates[0], dates[1])) == [2, 3]
    assert shown(tape.id, View.dates(until=dates[0])) == [1, 2]


def test_T8_views_are_filtered_by_kind_and_limited(tape: Tape) -> None:
    store.append(tape.id, [entries.event("x"), entries.message("user", "q"), entries.event("y")])
    assert shown(tape.id, View.last_anchor().only("event")) == [2, 4]
    assert shown(tape.id, View.last_anchor().only("event", "message").limit(2)) == [2, 3]
    assert shown(tape.id, View.last_anchor().limit(0)) == []


def test_T8_reversed_ranges_and_negative_limits_are_named_errors() -> None:
    now = datetime.datetime.now(datetime.UTC)
    with pytest.raises(views.InvalidView):
        View.seqs(3, 2)
    with pytest.raises(views.InvalidView):
        View.dates(now, now - datetime.timedelta(seconds=1))
    with pytest.raises(views.InvalidView):
        View.last_anchor().limit(-1)


@pytest.mark.parametrize("name", ["recall_anchor", "topic_finalized", "mark/lesson"])
def test_T9_these_anchors_do_not_move_the_window(name: str, tape: Tape) -> None:
    store.append(tape.id, [entries.event("before"), entries.anchor(name, {"text": "x"})])
    assert shown(tape.id, View.last_anchor()) == [2, 3]
    assert not anchors.moves_window(name)
    assert [place.moves_window for place in views.anchors(tape.id)] == [True, False]


@pytest.mark.parametrize("name", ["topic_initial", "phase/x", "unknown", "recall_anchor/x", "mark"])
def test_T9_these_anchors_move_the_window_and_are_not_part_of_it(name: str, tape: Tape) -> None:
    store.append(tape.id, [entries.event("before"), entries.anchor(name), entries.event("after")])
    assert shown(tape.id, View.last_anchor()) == [4]


def test_T8_an_overload_anchor_opens_its_window_as_the_first_line(tape: Tape) -> None:
    overload = entries.anchor("brain_overload", {"text": "so far: …"})
    store.append(tape.id, [entries.event("before"), overload, entries.event("after")])
    assert shown(tape.id, View.last_anchor()) == [3, 4]


def test_T8_the_latest_event_of_a_name_is_found_and_kinds_are_counted(tape: Tape) -> None:
    store.append(tape.id, [entries.event("x", {"n": 1}), entries.message("user", "q")])
    store.append(tape.id, [entries.event("x", {"n": 2}), entries.event("y")])
    store.append(tape.id, [entries.event("x", {"n": 3})], fork=forks.open(tape.id))
    latest = views.latest_event(tape.id, "x")
    assert latest is not None
    assert latest.payload["data"] == {"n": 2}
    assert views.latest_event(tape.id, "nothing") is None
    assert views.counts(tape.id) == {"anchor": 1, "event": 3, "message": 1}
    assert views.counts(tape.id, View.last_anchor().only("event")) == {"event": 3}
    assert views.counts(tape.id, View.last_anchor().limit(2)) == {"event": 1, "message": 1}


def test_T16_a_window_is_read_by_index_whatever_the_tapes_length(tape: Tape) -> None:
    many = [entries.event("x", {"n": n}) for n in range(2000)]
    store.append(tape.id, many)
    store.append(tape.id, [entries.anchor("phase/next"), entries.event("after")])
    (window,) = scopes.rows(tape.id, View.last_anchor().scope)
    plan = window.explain(analyze=True)
    assert "Seq Scan on tapes_entry" not in plan
    assert shown(tape.id, View.last_anchor()) == [2003]
