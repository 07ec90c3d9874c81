"""T10: what the model is shown; broken pairings are repaired, and nothing splits a whole one."""

from __future__ import annotations

import datetime
import json
from typing import TYPE_CHECKING, Any

import pytest

from tapes import entries, messages, views
from tapes.entries import Entry, NewEntry
from tapes.renderers import v1
from tapes.views import View
from tests.tapes import bub

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tapes.messages import Rendered

DATE = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)


def recorded(new: Sequence[NewEntry]) -> list[Entry]:
    """Entries as a tape would hold them, from seq 1 on."""
    return [
        Entry(
            tape_id=1,
            seq=seq,
            kind=entry.kind,
            payload=json.loads(json.dumps(entry.payload)),
            meta={},
            date=DATE,
            digest=b"",
            hash=b"",
            fork_id=None,
            topic_id=entry.topic_id,
            turn_id=None,
            step=None,
            part=None,
            actor="agent",
            why="",
            sources=tuple(entry.sources),
        )
        for seq, entry in enumerate(new, 1)
    ]


def render(*new: NewEntry, readable: Sequence[int] = ()) -> Rendered:
    return messages.render(recorded(new), readable=frozenset(readable))


def call(call_id: str, name: str = "search_code", arguments: str = "{}") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def result(call_id: str, content: object = "found", name: str = "search_code") -> dict[str, Any]:
    return {"id": call_id, "name": name, "content": content, "seconds": 0.1}


def lines(rendered: Rendered) -> list[str]:
    """Messages as short lines: role, what it answers, text, calls."""
    return [
        " ".join(
            str(part)
            for part in (
                message["role"],
                message.get("tool_call_id"),
                message["content"],
                *(one["id"] for one in message.get("tool_calls", ())),
            )
            if part
        )
        for message in rendered.messages
    ]


ASKED = entries.message("user", "why?")


def test_T10_whole_pairs_keep_call_order_and_the_text_beside_calls() -> None:
    rendered = render(
        ASKED,
        entries.tool_call([call("a"), call("b")], "Looking."),
        entries.tool_result([result("b", "second"), result("a", "first")]),
        entries.message("assistant", "Because."),
    )
    assert lines(rendered) == [
        "user why?",
        "assistant Looking. a b",
        "tool a first",
        "tool b second",
        "assistant Because.",
    ]
    assert rendered.seqs == [1, 2, 3, 4]


def test_T10_a_call_without_a_result_is_interrupted() -> None:
    rendered = render(entries.tool_call([call("a"), call("b")]), ASKED)
    interrupted = "[interrupted: no result was recorded]"
    assert lines(rendered) == [
        "assistant a b",
        f"tool a {interrupted}",
        f"tool b {interrupted}",
        "user why?",
    ]
    half = render(entries.tool_call([call("a"), call("b")]), entries.tool_result([result("b")]))
    assert lines(half) == ["assistant a b", f"tool a {interrupted}", "tool b found"]


def test_T10_a_result_without_a_call_is_left_out() -> None:
    rendered = render(entries.tool_result([result("a")]), ASKED)
    assert lines(rendered) == ["user why?"]
    assert rendered.seqs == [2]


def test_T10_a_result_before_its_call_is_no_result() -> None:
    rendered = render(entries.tool_result([result("a")]), entries.tool_call([call("a")]))
    assert lines(rendered) == ["assistant a", "tool a [interrupted: no result was recorded]"]


def test_T10_a_second_result_for_a_call_is_left_out() -> None:
    rendered = render(
        entries.tool_call([call("a")]),
        entries.tool_result([result("a", "first")]),
        entries.tool_result([result("a", "second")]),
    )
    assert lines(rendered) == ["assistant a", "tool a first"]
    assert rendered.seqs == [1, 2]


def test_T10_nothing_stands_between_a_call_and_its_results() -> None:
    rendered = render(
        entries.tool_call([call("a"), call("b")]),
        entries.message("user", "one more thing"),
        entries.tool_result([result("a")]),
        entries.anchor("recall_anchor", {"text": "earlier: topic 3"}),
        entries.tool_call([call("c")]),
        entries.tool_result([result("b"), result("c")]),
    )
    assert lines(rendered) == [
        "assistant a b",
        "tool a found",
        "tool b found",
        "user one more thing",
        "user [recall_anchor] earlier: topic 3",
        "assistant c",
        "tool c found",
    ]


def test_T10_an_id_used_again_answers_the_newest_call() -> None:
    rendered = render(
        entries.tool_call([call("0")]),
        entries.tool_result([result("0", "first")]),
        entries.tool_call([call("0")]),
        entries.tool_result([result("0", "second")]),
    )
    assert lines(rendered) == ["assistant 0", "tool 0 first", "assistant 0", "tool 0 second"]


def test_T10_results_of_old_tapes_are_paired_by_position() -> None:
    rendered = render(
        entries.tool_call([call("a"), call("b")]),
        entries.tool_result(["text", {"path": "x", "id": "a"}, "too many"]),
    )
    assert lines(rendered) == ["assistant a b", "tool a text", 'tool b {"path": "x", "id": "a"}']


def test_T10_arguments_that_are_no_JSON_object_are_wrapped_for_the_provider() -> None:
    rendered = render(entries.tool_call([call("a", arguments='{"query": "x')]))
    arguments = rendered.messages[0]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(arguments) == {"malformed": '{"query": "x'}


def test_T10_calls_of_old_tapes_without_ids_get_one_from_their_place() -> None:
    bare = {"function": {"name": "read", "arguments": {"path": "退"}}}
    rendered = render(entries.tool_call([bare, "no call"]), entries.tool_result(["text"]))
    assert lines(rendered) == ["assistant call_1_0", "tool call_1_0 text"]
    assert rendered.messages[0]["tool_calls"][0]["function"]["arguments"] == '{"path": "退"}'


def test_T10_only_anchors_of_the_table_are_shown() -> None:
    rendered = render(
        entries.anchor("session/start", {"text": "no"}),
        entries.anchor("phase/x", {"text": "no"}),
        entries.anchor("topic_finalized", {"text": "no"}),
        entries.anchor("brain_overload", {"text": "so far"}),
        entries.anchor("mark/lesson", {"note": "行", "seqs": [1]}),
    )
    assert lines(rendered) == [
        "user [brain_overload] so far",
        'user [mark/lesson] {"note": "行", "seqs": [1]}',
    ]


def test_T10_events_errors_system_entries_and_empty_messages_are_not_shown() -> None:
    rendered = render(
        entries.system("from the tape"),
        entries.event("x"),
        entries.error("tool", "broke"),
        entries.message("assistant", ""),
        entries.message("tool", "stray"),
        ASKED,
    )
    assert lines(rendered) == ["user why?"]
    assert rendered.seqs == [6]


def test_T6_a_correction_is_shown_after_what_it_corrects_and_splits_no_pair() -> None:
    rendered = render(
        entries.tool_call([call("a")]),
        entries.tool_result([result("a")]),
        entries.message("assistant", "Three times."),
        entries.correction(3, "Five times."),
        entries.correction(1, "Wrong query."),
        entries.correction(99, "Of something not shown."),
    )
    assert lines(rendered) == [
        "assistant a",
        "tool a found",
        "user [correction of entry 1] Wrong query.",
        "assistant Three times.",
        "user [correction of entry 3] Five times.",
    ]
    assert rendered.seqs == [1, 2, 5, 3, 4]


def test_C7_text_of_unreadable_repositories_is_named_as_withheld_in_its_place() -> None:
    parts = (
        ASKED,
        entries.tool_call([call("a", arguments='{"query": "secret"}')], "secret", sources=[1]),
        entries.tool_result([result("a", "secret")], sources=[1, 2]),
        entries.message("assistant", "secret", sources=[2]),
        entries.anchor("recall_anchor", {"text": "secret"}, sources=[2]),
        entries.correction(1, "secret", sources=[2]),
    )
    rendered = render(*parts)
    assert "secret" not in json.dumps(rendered.messages)
    assert lines(rendered) == [
        "user why?",
        "user [correction of entry 1] [withheld]",
        "assistant [withheld] a",
        "tool a [withheld]",
        "assistant [withheld]",
        "user [recall_anchor] [withheld]",
    ]
    assert rendered.withheld == [6, 2, 3, 4, 5]
    partly = render(*parts, readable=[1])
    assert lines(partly)[2:4] == ["assistant secret a", "tool a [withheld]"]
    assert render(*parts, readable=[1, 2]).withheld == []


def test_the_system_prompt_stands_first_and_counts_in_the_digest() -> None:
    tape = recorded([ASKED])
    first = messages.render(tape, readable=frozenset(), system="Answer.")
    assert first.messages[0] == {"role": "system", "content": "Answer."}
    assert first.digest == messages.digest(first.messages)
    assert first.digest != messages.render(tape, readable=frozenset()).digest


@pytest.mark.parametrize("window", [w for w, found in bub.windows().items() if "messages" in found])
def test_T10_messages_of_bubs_windows_differ_only_in_which_anchors_are_shown(window: str) -> None:
    tape_id = bub.recorded("bub", "bub-0.5.1.jsonl")
    found = views.read(tape_id, _view(window))
    theirs = bub.windows()[window]["messages"]
    without_anchors = [m for m in theirs if not str(m["content"]).startswith("[Anchor created")]
    assert messages.render(found, readable=frozenset()).messages == without_anchors


def _view(window: str) -> View:
    if window.startswith("after "):
        return View.after(window.removeprefix("after "))
    return View.last_anchor() if window == "last_anchor" else View.seqs()


GOLDEN = (
    ASKED,
    entries.message("user", [{"type": "text", "text": "parts 列表"}]),
    entries.tool_call([call("a", arguments='{"query": "退款"}'), call("b")], "Looking."),
    entries.message("user", "between"),
    entries.tool_result([result("b", {"rows": [1, 2.50]}), result("zz")]),
    entries.tool_call([call("c", arguments="{oops")]),
    entries.tool_result(["by position", "too many"]),
    entries.tool_call([call("d")], sources=[1]),
    entries.tool_result([result("d")], sources=[1]),
    entries.anchor("recall_anchor", {"text": "topic 3"}),
    entries.anchor("mark/idea", {"note": "x"}),
    entries.anchor("phase/x"),
    entries.message("assistant", "Because. 😀", sources=[2]),
    entries.correction(13, "Not so."),
)


def test_T18_renderer_2_leaves_out_evidence_ids_of_earlier_topics_only() -> None:
    earlier = recorded(
        [
            entries.message("user", "why?", topic_id=1),
            entries.tool_call([call("a")], topic_id=1),
            entries.tool_result([result("a", "[e1] shop/pay.py lines 1-9\n1: x")], topic_id=1),
            entries.message("assistant", "Twice. [e1] 两次【e2】。", topic_id=1),
            entries.message("user", "and now? [e1]", topic_id=2),
            entries.message("assistant", "Now thrice. [e1]", topic_id=2),
        ]
    )
    golden = json.loads((bub.DATA / "renderer-2.json").read_text())
    rendered = messages.render_by(2, earlier, hidden=frozenset(), system="Answer.")
    assert rendered.messages == golden["messages"]
    assert rendered.digest == golden["digest"]
    assert messages.places_by(2, earlier, hidden=frozenset(), system=True) == golden["places"]
    same = recorded(GOLDEN)
    one, two = (messages.render_by(n, same, hidden=frozenset({8}), system=None) for n in (1, 2))
    assert one == two


def recall_of(*topics: int) -> entries.NewEntry:
    parts = [f"- topic {one} (entries 2 to 9): matter {one}\n  said {one}" for one in topics]
    places = [{"topic": one, "tape": 1, "range": [2, 9]} for one in topics]
    return entries.anchor(
        "recall_anchor", {"text": "\n".join(["Earlier:", *parts]), "topics": places}
    )


def change(name: str, seq: int, topic: int) -> entries.NewEntry:
    return entries.event(name, {"seq": seq, "topic": topic})


def test_T18_renderer_3_leaves_out_recalled_topics_that_were_dismissed() -> None:
    tape = recorded(
        [
            recall_of(3, 31),
            recall_of(5),
            entries.message("user", "why?"),
            change("recall_dismissed", 1, 3),
            change("recall_dismissed", 2, 5),
            change("recall_dismissed", 1, 31),
            change("recall_restored", 1, 31),
            entries.message("assistant", "Because."),
        ]
    )
    golden = json.loads((bub.DATA / "renderer-3.json").read_text())
    rendered = messages.render_by(3, tape, hidden=frozenset(), system="Answer.")
    assert rendered.messages == golden["messages"]
    assert (rendered.digest, rendered.seqs) == (golden["digest"], golden["seqs"])
    by_seq = {entry.seq: entry for entry in tape}
    again = [by_seq[seq] for seq in rendered.seqs]
    assert messages.render_by(3, again, hidden=frozenset(), system="Answer.") == rendered
    assert messages.places_by(3, again, hidden=frozenset(), system=True) == golden["places"]


def test_T18_renderer_3_changes_nothing_where_nothing_was_dismissed() -> None:
    same = recorded(GOLDEN)
    two, three = (messages.render_by(n, same, hidden=frozenset({8}), system=None) for n in (2, 3))
    assert two == three


def test_C7_a_withheld_recall_stays_withheld_whatever_was_dismissed() -> None:
    tape = recorded([recall_of(3), change("recall_dismissed", 1, 3)])
    rendered = messages.render_by(3, tape, hidden=frozenset({1}), system=None)
    assert [one["content"] for one in rendered.messages] == ["[recall_anchor] [withheld]"]
    assert (rendered.seqs, rendered.withheld) == ([1], [1])


def test_T18_every_message_names_the_entry_it_came_from() -> None:
    shown = recorded(GOLDEN)
    for renderer in messages._RENDERERS:
        rendered = messages.render_by(renderer, shown, hidden=frozenset({8}), system="s")
        places = messages.places_by(renderer, shown, hidden=frozenset({8}), system=True)
        assert len(places) == len(rendered.messages)
        assert places[0] is None
        assert list(dict.fromkeys(places[1:])) == rendered.seqs


def test_T18_renderer_1_gives_what_it_gave_on_the_first_day() -> None:
    rendered = messages.render_by(
        1, recorded(GOLDEN), hidden=frozenset({8, 9}), system="Answer with evidence."
    )
    golden = json.loads((bub.DATA / "renderer-1.json").read_text())
    assert rendered.messages == golden["messages"]
    assert rendered.seqs == golden["seqs"]
    assert rendered.withheld == golden["withheld"]
    assert rendered.digest == golden["digest"]
    assert v1.render in messages._RENDERERS.values()
