"""What every store promises of erasing (T19), its copies in an archive included."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from tapes import entries, erased_form, errors
from tapes.windows import View

if TYPE_CHECKING:
    from tapes.erasures import Erased
    from tapes.stores.protocol import Store
    from tests.tapes.contract.shelves import Shelf

WORDS = "hunter2"
ALL = View.seqs()


def filled(store: Store) -> int:
    """A tape with words in each of entries 2 to 6, and some after them."""
    tape = store.create("work").id
    call = {"id": "c1", "type": "function", "function": {"name": "grep", "arguments": WORDS}}
    store.append(tape, [entries.message("user", f"Is it {WORDS}?", meta={"said": WORDS})])
    store.append(
        tape,
        [
            entries.tool_call([call], f"I look for {WORDS}"),
            entries.tool_result([{"id": "c1", "name": "grep", "content": WORDS, "data": {}}]),
        ],
    )
    store.append(tape, [entries.anchor(f"plan {WORDS}", {"next": WORDS}, why=WORDS)])
    store.append(tape, [entries.event("noted", {"text": WORDS})])
    store.append(tape, [entries.message("assistant", "It is not.")])
    return tape


def erase(store: Store, tape: int, first: int = 2, last: int = 6) -> Erased:
    return store.erase(tape, first, last, actor="system", why="a leaked password")


def test_T19_no_word_is_left_and_the_tape_says_who_why_and_which_range(shelf: Shelf) -> None:
    tape = filled(shelf.store)
    assert shelf.says(WORDS)
    done = erase(shelf.store, tape)
    assert (done.entries, done.events) == (5, [8])
    assert not shelf.says(WORDS)
    told = shelf.store.read(tape, ALL)[-1]
    assert told.payload == {"name": "erased", "data": {"first": 2, "last": 6, "entries": 5}}
    assert (told.actor, told.why) == ("system", "a leaked password")


def test_T19_what_is_left_is_proven_and_has_its_shape(store: Store) -> None:
    tape = filled(store)
    before = store.read(tape, ALL)
    erase(store, tape)
    verdict = store.verify(tape)
    assert (verdict.ok, verdict.entries, verdict.erased) == (True, 8, ((2, 6),))
    after = store.read(tape, ALL)
    assert [(entry.seq, entry.kind, entry.hash, entry.date) for entry in after[:-1]] == [
        (entry.seq, entry.kind, entry.hash, entry.date) for entry in before
    ]
    assert [entry.seq for entry in after if erased_form.is_erased(entry)] == [2, 3, 4, 5, 6]
    assert after[6].payload == before[6].payload
    assert [(place.seq, place.name, place.moves_window) for place in store.anchors(tape)] == [
        (1, "session/start", True),
        (5, "erased", True),
    ]
    assert [entry.seq for entry in store.read(tape, View.last_anchor())] == [6, 7, 8]


def test_T19_the_tape_goes_on_from_there(store: Store) -> None:
    tape = filled(store)
    fork = store.open_fork(tape)
    erase(store, tape)
    (written,) = store.append(tape, [entries.event("after")], expected_head=8, fork=fork)
    assert written.seq == 9
    store.merge(fork)
    assert store.verify(tape).ok


def test_T19_done_again_it_changes_nothing_and_its_own_event_stays(store: Store) -> None:
    tape = filled(store)
    erase(store, tape)
    before = store.read(tape, ALL)
    assert erase(store, tape).entries == 0
    assert erase(store, tape, 8, 8).entries == 0
    assert store.read(tape, ALL) == before


def test_T19_a_wider_range_takes_what_was_left_of_it(store: Store) -> None:
    tape = filled(store)
    erase(store, tape, 3, 4)
    assert erase(store, tape, 2, 7).entries == 4
    verdict = store.verify(tape)
    assert (verdict.ok, verdict.erased) == (True, ((3, 4), (2, 7)))


def test_T19_a_closed_tape_loses_its_words_and_takes_nothing_else(shelf: Shelf) -> None:
    store = shelf.store
    tape = filled(store)
    store.close(tape)
    erase(store, tape)
    assert not shelf.says(WORDS)
    with pytest.raises(errors.TapeArchived):
        store.append(tape, [entries.event("after")])
    assert store.verify(tape).ok


def test_T19_a_copy_in_the_archive_loses_the_words_too(any_shelf: Shelf) -> None:
    tape = filled(any_shelf.store)
    read = any_shelf.finished(tape)
    erase(any_shelf.store, tape)
    assert not any_shelf.says(WORDS)
    assert [entry.seq for entry in read.read(tape, ALL)] == list(range(1, 10))
    assert (read.verify(tape).ok, read.verify(tape).erased) == (True, ((2, 6),))


@pytest.mark.parametrize(
    ("first", "last", "why", "refusal"),
    [
        (0, 2, "leaked", errors.InvalidRange),
        (5, 4, "leaked", errors.InvalidRange),
        (2, 8, "leaked", errors.InvalidRange),
        (2, 3, "  ", errors.InvalidEntry),
        (2, 3, "a \0 byte", errors.InvalidEntry),
    ],
)
def test_T19_a_range_or_reason_that_is_none_is_refused_by_name(
    store: Store, first: int, last: int, why: str, refusal: type[errors.TapeError]
) -> None:
    tape = filled(store)
    before = store.read(tape, ALL)
    with pytest.raises(refusal):
        store.erase(tape, first, last, actor="system", why=why)
    assert store.read(tape, ALL) == before


def test_T19_entries_of_an_open_fork_are_refused_until_it_is_closed(store: Store) -> None:
    tape = filled(store)
    fork = store.open_fork(tape)
    store.append(tape, [entries.message("user", WORDS)], fork=fork)
    with pytest.raises(errors.ForkOpen):
        erase(store, tape, 2, 8)
    store.discard(fork)
    assert erase(store, tape, 2, 8).entries == 7


def test_T19_an_unknown_tape_is_named(store: Store) -> None:
    with pytest.raises(errors.UnknownTape):
        erase(store, 4_000_000)


def naming(store: Store, tape: int, digest: str) -> int:
    """The seq of a result whose text was too long for it."""
    result = {"id": "c1", "name": "grep", "content": "…", "data": {}, "spill": {"id": digest}}
    return store.append(tape, [entries.tool_result([result])])[0].seq


def test_T17_a_long_text_is_kept_once_whatever_it_says(store: Store) -> None:
    text = "退款 \u2028\r\n" * 30_000
    digest = store.spill(text)
    assert store.spill(text) == digest == hashlib.sha256(text.encode()).hexdigest()
    assert store.unspill(digest) == text
    assert store.unspill(store.spill("")) == ""


@pytest.mark.parametrize("digest", ["0" * 64, "", "../tapes", "x" * 64])
def test_T17_a_text_that_is_not_there_is_named(store: Store, digest: str) -> None:
    with pytest.raises(errors.UnknownSpill):
        store.unspill(digest)


@pytest.mark.parametrize("text", ["a \0 byte", "half \ud800"])
def test_T17_what_no_tape_keeps_is_no_long_text_either(store: Store, text: str) -> None:
    with pytest.raises(errors.InvalidEntry):
        store.spill(text)


def test_T19_a_long_text_goes_with_the_last_entry_that_names_it(shelf: Shelf) -> None:
    store = shelf.store
    first, second = store.create("work").id, store.create("more").id
    digest, kept = store.spill(f"{WORDS} of both"), store.spill("of nobody yet")
    places = [(tape, naming(store, tape, digest)) for tape in (first, second)]
    assert erase(store, first, *[places[0][1]] * 2).spilled == 0
    assert store.unspill(digest) == f"{WORDS} of both"
    assert erase(store, second, *[places[1][1]] * 2).spilled == 1
    with pytest.raises(errors.UnknownSpill):
        store.unspill(digest)
    assert store.unspill(kept) == "of nobody yet"
    assert not shelf.says(WORDS)


def test_T19_erased_words_are_found_no_more(store: Store, tape: int) -> None:
    store.append(tape, [entries.message("user", "wombat"), entries.message("user", "wombats")])
    assert [hit.seq for hit in store.search(tape, "wombat").hits] == [3, 2]
    store.erase(tape, 2, 2, actor="audit", why="the law")
    assert [hit.seq for hit in store.search(tape, "wombat").hits] == [3]
    assert store.search(tape, "the law").hits == []
