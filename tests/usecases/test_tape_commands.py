"""`manage.py tape …` for people who act on tapes: every verb says what it did, also in JSON."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from kb_agent.usecases import seen
from tapes import store, views
from tapes.views import View
from tests.api import company

if TYPE_CHECKING:
    from tests.api.company import Company


@pytest.fixture
def small(db: None) -> Company:
    """A company whose owner has asked one question."""
    return company.founded()


def tape(*arguments: Any) -> Any:
    """What a verb answers in JSON."""
    out = StringIO()
    call_command("tape", *map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def test_T7_the_operator_hands_off_marks_and_corrects_by_name(small: Company) -> None:
    name = store.get(small.topic.tape_id).name
    begun = tape("handoff", name, "new phase", "--state", '{"owner": "mei"}', "--why", "done")
    marked = tape("mark", name, 3, 4, "--note", "渠道优先", "--mark", "渠道")
    corrected = tape("correct", name, small.turn.answer_seq, "Five.", "--as", "mei")
    assert marked["name"] == "mark/渠道"
    listed = {one["seq"]: one for one in tape("anchors", name)}
    assert listed[begun["seq"]]["moves_window"]
    assert (listed[begun["seq"]]["actor"], listed[begun["seq"]]["why"]) == ("system", "done")
    assert not listed[marked["seq"]]["moves_window"]
    (said,) = views.at([(small.topic.tape_id, corrected["seq"])])
    assert said.actor == f"person:{small.owner.pk}"


def test_T11_a_side_line_is_opened_written_merged_and_discarded(small: Company) -> None:
    name = store.get(small.topic.tape_id).name
    one, two = (tape("fork", name, "--note", "a try")["fork"] for _ in range(2))
    tape("fork", name, "--on", one, "--note", "it works")
    assert tape("merge", name, one, "--why", "good") == {"fork": one, "state": "merged"}
    assert tape("discard", name, two) == {"fork": two, "state": "discarded"}
    shown = views.read(small.topic.tape_id, View.seqs().only("message"))
    assert shown[-1].payload["content"] == "it works"


def test_T12_reset_names_the_new_tape_and_refuses_while_one_is_answered(small: Company) -> None:
    name = store.get(small.topic.tape_id).name
    company.asked(small.topic, "Still?")
    with pytest.raises(CommandError, match="tape_busy"):
        tape("reset", name)
    other = company.opened(small.owner)
    name = store.get(other.tape_id).name
    said = tape("reset", name, "--why", "anew")
    assert (said["name"], said["closed"]) == (name, other.tape_id)
    assert store.by_name(name).pk == said["id"]


def test_C7_a_person_named_acts_with_their_own_rights(small: Company) -> None:
    name = store.get(small.topic.tape_id).name
    with pytest.raises(CommandError, match="not_found"):
        tape("handoff", name, "x", "--as", "gao")
    with pytest.raises(CommandError, match="forbidden"):
        tape("handoff", name, "x", "--as", "audit")


def test_T18_saw_answers_for_a_turn_and_refuses_one_that_is_not_there(small: Company) -> None:
    assert tape("saw", small.turn.pk) == []
    assert seen.at_command_line(small.turn.pk) == []
    with pytest.raises(CommandError, match="not_found"):
        tape("saw", 987654)


def test_a_tape_is_listed_and_told(small: Company) -> None:
    name = store.get(small.topic.tape_id).name
    company.paid(small.topic, "0.21")
    assert name in [one["name"] for one in tape("list")]
    told = tape("info", name)
    assert (told["head"], told["counts"]["message"]) == (store.by_name(name).head, 2)
    assert told["topics"][0]["id"] == small.topic.pk
    assert told["cost"]["money"] == [{"amount": "0.210000", "currency": "CNY"}]
    assert told["forks"] == {"merged": 1}
    tape("reset", name)
    assert [one["archived_at"] is None for one in tape("list", "--closed")] == [False, True]
    out = StringIO()
    call_command("tape", "info", name, stdout=out)
    assert "forks: none" in out.getvalue()


def test_T8_views_are_kept_shown_and_forgotten_by_name(small: Company) -> None:
    name = store.get(small.topic.tape_id).name
    as_mei = ("--as", "mei")
    parts = ("--part", f"topic:{small.topic.pk}", "--part", f"{name}:1-2")
    anchored = ("--part", f"{name}:after=topic_initial")
    made = tape("views", "add", "refunds", *parts, *anchored, *as_mei)
    tape_id = small.topic.tape_id
    assert made["parts"] == [
        {"topic": small.topic.pk},
        {"tape": tape_id, "first": 1, "last": 2},
        {"tape": tape_id, "after": "topic_initial"},
    ]
    assert [view["name"] for view in tape("views", *as_mei)] == ["refunds"]
    shown = tape("views", "show", "refunds", *as_mei)["shown"]
    assert [entry["seq"] for entry in shown[1]["entries"]] == [1, 2]
    out = StringIO()
    call_command("tape", "views", "show", "refunds", *as_mei, stdout=out)
    assert f"tape {tape_id} 1-2: 2 entries" in out.getvalue()
    with pytest.raises(CommandError, match="name_taken"):
        tape("views", "add", "refunds", *parts, *as_mei)
    assert tape("views", "remove", "refunds", *as_mei) == {"removed": "refunds"}
    assert tape("views", *as_mei) == []


@pytest.mark.parametrize("part", ["", "work", "work:x-y", ":3", "topic:x"])
def test_T8_a_part_that_cannot_be_read_is_refused(part: str, small: Company) -> None:
    with pytest.raises(CommandError):
        tape("views", "add", "refunds", "--part", part, "--as", "mei")
