"""T19: words of a range go for good, the shape stays, and the tape still proves itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.db import connections, transaction

from tapes import (
    entries,
    erased_form,
    erasure,
    errors,
    forks,
    heads,
    messages,
    models,
    saw,
    store,
    verify,
    views,
)
from tapes.erasure import OWNER
from tapes.erasures import Erased
from tapes.views import View

if TYPE_CHECKING:
    from pathlib import Path

    from tapes.models import Tape
    from tests.tapes.conftest import Behind

WORDS = "hunter2 的密码"


@pytest.fixture
def filled(tape: Tape) -> Tape:
    """Entries 2 to 9 of every kind, all of them saying the secret."""
    calls = [
        {
            "id": "call_1",
            "type": "function",
            "function": {"name": "grep", "arguments": json.dumps({"q": WORDS})},
        }
    ]
    result = {"id": "call_1", "name": "grep", "content": f"12: {WORDS}", "data": {"q": WORDS}}
    told: list[entries.NewEntry] = [
        entries.message("user", f"Is {WORDS} right?", topic_id=7, turn_id=3),
        entries.tool_call(calls, f"I look for {WORDS}", topic_id=7, turn_id=3),
        entries.tool_result([result], meta={"cut": WORDS}, topic_id=7, turn_id=3),
        entries.anchor("recall_anchor", {"text": WORDS, "topics": [{"topic": 6, "title": WORDS}]}),
        entries.anchor(f"plan {WORDS}", {"next": WORDS}, why=WORDS),
        entries.event("topic_renamed", {"title": WORDS}),
        entries.system(f"You know {WORDS}"),
        entries.error("provider", f"refused {WORDS}", {"body": WORDS}),
    ]
    store.append(tape.id, told)
    return tape


def erase(tape: Tape, first: int, last: int) -> Erased:
    return erasure.erase(tape.id, first, last, actor="system", why="a leaked password")


def rows_with(words: str, behind: Behind) -> list[str]:
    """Tables of tapes that hold these words anywhere."""
    tables = ("tapes_entry", "tapes_anchor", "tapes_fork", "tapes_spill", "tapes_tape")
    return [
        table
        for table in tables
        if behind(f"SELECT 1 FROM {table} AS r WHERE to_jsonb(r)::text LIKE %s", [f"%{words}%"])
    ]


def test_T19_no_word_is_left_and_who_why_and_which_range_is_on_the_tape(
    filled: Tape, behind: Behind
) -> None:
    assert rows_with("hunter2", behind) == ["tapes_entry", "tapes_anchor"]
    done = erase(filled, 2, 9)
    assert rows_with("hunter2", behind) == rows_with("的密码", behind) == []
    (event,) = views.at([(filled.id, done.events[0])])
    assert (event.payload, event.actor, event.why) == (
        {"name": "erased", "data": {"first": 2, "last": 9, "entries": 8}},
        "system",
        "a leaked password",
    )


def test_T19_salts_go_so_that_no_digest_can_be_held_against_a_guess(
    filled: Tape, behind: Behind
) -> None:
    erase(filled, 2, 9)
    salts = behind("SELECT salt FROM tapes_entry WHERE seq BETWEEN 2 AND 9")
    assert salts == [(None,)] * 8
    assert behind("SELECT count(*) FROM tapes_entry WHERE salt IS NULL") == [(8,)]


def test_T19_verify_stays_green_names_the_range_and_the_log_of_heads_still_proves(
    filled: Tape, tmp_path: Path
) -> None:
    log = tmp_path / "heads.jsonl"
    heads.write(log)
    erase(filled, 2, 5)
    erase(filled, 4, 9)
    found = verify.verify(filled.id, heads.read(log)[filled.id])
    assert (found.ok, found.erased) == (True, ((2, 5), (4, 9)))


def test_T19_the_shape_stays_so_that_messages_are_whole_pairs_of_erased_words(filled: Tape) -> None:
    erase(filled, 2, 9)
    found = views.read(filled.id, View.seqs())
    assert [entry.kind for entry in found][1:9] == [
        *("message", "tool_call", "tool_result", "anchor", "anchor", "event", "system", "error"),
    ]
    rendered = messages.render(found, readable=frozenset())
    assert rendered.messages == [
        {"role": "user", "content": "[erased]"},
        {
            "role": "assistant",
            "content": "[erased]",
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "grep", "arguments": '{"erased": true}'},
                }
            ],
        },
        {"role": "tool", "content": "[erased]", "tool_call_id": "call_1", "name": "grep"},
        {"role": "user", "content": "[recall_anchor] [erased]"},
    ]


def test_T19_a_call_stays_paired_when_only_its_result_was_erased(filled: Tape) -> None:
    erase(filled, 4, 4)
    shown = messages.render(views.read(filled.id, View.seqs(2, 4)), readable=frozenset()).messages
    assert WORDS in shown[1]["content"]
    assert shown[2] == {
        "role": "tool",
        "content": "[erased]",
        "tool_call_id": "call_1",
        "name": "grep",
    }


def test_T19_an_anchor_keeps_its_place_and_whether_it_moves_the_window(filled: Tape) -> None:
    store.append(filled.id, [entries.anchor(f"mark/{WORDS}", {"note": WORDS})])
    before = [(one.seq, one.moves_window) for one in views.anchors(filled.id)]
    erase(filled, 2, 10)
    after = views.anchors(filled.id)
    assert [(one.seq, one.moves_window) for one in after] == before
    assert [(one.name, one.state) for one in after] == [
        ("session/start", None),
        ("recall_anchor", {"text": "[erased]", "topics": [{"topic": 6, "title": "[erased]"}]}),
        ("erased", {}),
        ("mark/erased", {"note": "[erased]", "text": "[erased]"}),
    ]


def test_T19_what_the_program_alone_wrote_has_no_words_and_stays(tape: Tape) -> None:
    fork = forks.open(tape.id)
    usage = {"input": 1200, "output": 30}
    ended = {"call": "a" * 32, "model": "some/model-4", "usage": usage, "price": "0.0123"}
    store.append(tape.id, [entries.event("model_call_ended", ended | {"status": "ok"})], fork=fork)
    forks.merge(fork)
    before = views.read(tape.id, View.seqs())
    assert erase(tape, 1, tape.head + 2) == Erased(tape.id, 1, 3)
    assert views.read(tape.id, View.seqs()) == before


def test_T19_the_event_of_an_erasure_cannot_be_erased(filled: Tape) -> None:
    first = erase(filled, 2, 9)
    again = erase(filled, first.events[0], first.events[0])
    assert (again.entries, again.events) == (0, [])
    assert verify.verify(filled.id).ok


def test_T19_words_with_a_reason_on_a_forks_end_go_and_the_fork_stays_proven(tape: Tape) -> None:
    fork = forks.open(tape.id)
    store.append(tape.id, [entries.message("user", WORDS)], fork=fork)
    seq = forks.discard(fork, why=f"it says {WORDS}")
    erase(tape, 2, seq or 0)
    assert verify.verify(tape.id).ok
    (event,) = views.at([(tape.id, seq or 0)])
    assert (event.payload["data"], event.why) == ({"fork": fork.id}, "")


def test_T19_done_again_it_changes_nothing(filled: Tape) -> None:
    erase(filled, 2, 9)
    head = store.get(filled.id).head
    assert erase(filled, 2, 9).entries == 0
    assert store.get(filled.id).head == head


def test_T19_a_crash_in_the_middle_loses_nothing_and_it_can_be_run_again(
    filled: Tape, behind: Behind
) -> None:
    before = behind("SELECT * FROM tapes_entry ORDER BY seq")

    with transaction.atomic(using=OWNER):
        erase(filled, 2, 9)
        transaction.set_rollback(True, using=OWNER)
    assert behind("SELECT * FROM tapes_entry ORDER BY seq") == before
    assert erase(filled, 2, 9).entries == 8
    assert rows_with("hunter2", behind) == []


def test_T19_a_long_range_goes_in_pages_and_is_whole(tape: Tape, behind: Behind) -> None:
    store.append(tape.id, [entries.message("user", f"{WORDS} {n}") for n in range(2_300)])
    done = erase(tape, 2, 2_301)
    assert (done.entries, len(done.events)) == (2_300, 3)
    assert rows_with("hunter2", behind) == []
    assert verify.verify(tape.id).ok


def test_T19_a_closed_tape_takes_the_event_of_an_erasure_and_nothing_else(filled: Tape) -> None:
    closed = store.close(filled.id, why="over")
    namesake = store.create(filled.name)
    erase(filled, 2, 9)
    after = store.get(filled.id)
    assert (after.name, after.archived_at) == (closed.name, closed.archived_at)
    assert after.head == closed.head + 1
    assert store.find(filled.name) == namesake
    assert verify.verify(filled.id).ok
    with pytest.raises(errors.TapeArchived):
        store.append(filled.id, [entries.event("more")])


def test_T19_a_spilled_text_goes_with_the_last_entry_that_names_it(tape: Tape) -> None:
    shared, own = store.spill(f"{WORDS} shared"), store.spill(f"{WORDS} own")

    def result(*digests: str) -> entries.NewEntry:
        spills = [{"id": "c", "content": "…", "spill": {"id": one}} for one in digests]
        return entries.tool_result(spills)

    store.append(tape.id, [result(shared, own), result(shared)])
    assert erase(tape, 2, 2).spilled == 1
    with pytest.raises(errors.UnknownSpill):
        store.unspill(own)
    assert store.unspill(shared)
    assert erase(tape, 3, 3).spilled == 1
    assert not models.Spill.objects.exists()


def test_T18_what_the_model_saw_says_that_it_was_erased_instead_of_failing(filled: Tape) -> None:
    rendered = messages.render(views.read(filled.id, View.seqs(2, 4)), readable=frozenset())
    call = {
        "seqs": rendered.seqs,
        "withheld": [],
        "renderer": messages.RENDERER,
        "system_digest": None,
        "tools_digest": None,
        "messages_digest": rendered.digest,
    }
    before = saw.rebuild(filled.id, call)
    assert (before.proven, before.erased) == (True, ())
    erase(filled, 4, 5)
    after = saw.rebuild(filled.id, call)
    assert (after.proven, after.erased) == (False, (4,))
    assert after.messages[2]["content"] == "[erased]"


REFUSED = {
    "reversed": (5, 4, errors.InvalidRange),
    "from nothing": (0, 2, errors.InvalidRange),
    "beyond the head": (2, 10, errors.InvalidRange),
}


@pytest.mark.parametrize(("first", "last", "named"), REFUSED.values(), ids=REFUSED.keys())
def test_T19_a_range_the_tape_does_not_have_is_refused_by_name(
    first: int, last: int, named: type[Exception], filled: Tape, behind: Behind
) -> None:
    before = behind("SELECT * FROM tapes_entry ORDER BY seq")
    with pytest.raises(named):
        erase(filled, first, last)
    assert behind("SELECT * FROM tapes_entry ORDER BY seq") == before


def test_T19_an_unknown_tape_and_no_reason_are_refused_by_name(filled: Tape) -> None:
    with pytest.raises(errors.UnknownTape):
        erasure.erase(999, 1, 1, actor="system", why="so")
    with pytest.raises(errors.InvalidEntry):
        erasure.erase(filled.id, 2, 2, actor="system", why=" ")


def test_T19_entries_of_an_open_fork_are_refused(tape: Tape) -> None:
    fork = forks.open(tape.id)
    store.append(tape.id, [entries.message("assistant", WORDS)], fork=fork)
    with pytest.raises(errors.ForkOpen):
        erase(tape, 1, 2)
    forks.discard(fork)
    assert erase(tape, 1, 2).entries == 1


def test_T19_the_applications_role_may_not_erase(filled: Tape) -> None:
    parameters = [filled.id, "[erased]"]
    with pytest.raises(Exception, match="permission denied"), connections["default"].cursor() as c:
        c.execute(
            "SELECT tapes_erase(%s, 2, 2, ARRAY[2::bigint], ARRAY[%s], ARRAY[NULL::text], 'a', 'b')",
            parameters,
        )
    with pytest.raises(errors.InvalidEntry):
        store.append(filled.id, [entries.event("erased", {"first": 2, "last": 2})])


FORGED = {
    "words where words were erased": (
        "UPDATE tapes_entry SET payload_text ="
        ' replace(payload_text, \'"content":"[erased]"\', \'"content":"he did it"\')'
        " WHERE seq = 2",
        2,
    ),
    "a role that was not his": (
        "UPDATE tapes_entry SET payload_text = replace(payload_text, '\"erased\"', '\"arased\"')"
        " WHERE seq = 2",
        2,
    ),
    "meta beside erased words": (
        """UPDATE tapes_entry SET meta_text = '{"a":1}' WHERE seq = 2""",
        2,
    ),
    "words taken beyond the range": (
        'UPDATE tapes_entry SET salt = NULL, payload_text = \'{"content":"[erased]","erased":"\''
        " || encode(digest, 'hex') || '\"}' WHERE seq = 8",
        8,
    ),
    "a wider range in the event": (
        "UPDATE tapes_entry SET payload_text = replace(payload_text, '\"last\":4', '\"last\":8')"
        " WHERE seq = 10",
        10,
    ),
    "the row of an erased anchor": (
        "UPDATE tapes_anchor SET state = '{\"a\": 1}' WHERE seq = 5",
        5,
    ),
}


@pytest.mark.parametrize(("statement", "seq"), FORGED.values(), ids=FORGED.keys())
def test_T5_nothing_can_be_put_where_words_were_erased(
    statement: str, seq: int, filled: Tape, behind: Behind
) -> None:
    erase(filled, 2, 4 if seq != 5 else 5)
    assert verify.verify(filled.id).ok
    behind(statement)
    found = verify.verify(filled.id)
    assert (found.ok, found.first_bad_seq) == (False, seq)


KINDS = {
    "parts of a message": entries.message("user", [{"type": "text", "text": WORDS}]),
    "results that name no call": entries.tool_result([WORDS, {"value": WORDS}, 3]),
    "calls that are none": entries.tool_call([WORDS, {"function": WORDS}], WORDS),
    "ids that are words": entries.tool_call([{"id": WORDS, "function": {"name": WORDS}}]),
    "an event that is named so": entries.event(WORDS, {WORDS: WORDS, "title": {"a": WORDS}}),
    "lists of words": entries.event("seen", {"seqs": [WORDS, 3], "topics": [WORDS]}),
    "codes that are words": entries.event("x", {"status": WORDS, "model": f"{WORDS} v1"}),
    "a state that is a text": entries.NewEntry(
        kind="anchor", payload={"name": "plan", "state": WORDS}
    ),
    "data that is a text": entries.NewEntry(kind="event", payload={"name": "x", "data": WORDS}),
    "more keys than there should be": entries.NewEntry(
        kind="message", payload={"role": WORDS, "content": None, "name": WORDS}
    ),
}


@pytest.mark.parametrize("entry", KINDS.values(), ids=KINDS.keys())
def test_T19_whatever_shape_a_payload_has_no_word_is_left(
    entry: entries.NewEntry, tape: Tape, behind: Behind
) -> None:
    store.append(tape.id, [entry])
    assert erase(tape, 2, 2).entries == 1
    assert rows_with("hunter2", behind) == []
    (left,) = views.at([(tape.id, 2)])
    assert erased_form.is_erased(left)
    messages.render([left], readable=frozenset())
    assert verify.verify(tape.id).ok
