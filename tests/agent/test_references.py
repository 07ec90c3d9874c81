"""What a question names is before the model, as far as its asker may see it, and only as long (P9, C7)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kb_agent.llm import scripted
from kb_agent.llm.evidence_model import reading
from kb_agent.llm.script import says
from kb_agent.usecases import mentions, questions, references, seen
from kb_agent.usecases.access import Access
from kb_agent.usecases.placement import Place
from tapes import views
from tapes.views import View
from tests.api import company
from topics import continuing, describing, lifecycle, named_views, sharing
from topics.models import Topic, Turn
from topics.sharing import Opening

if TYPE_CHECKING:
    from django.contrib.auth.models import Group

    from kb_agent.accounts.models import User
    from kb_agent.repositories.models import Repository
    from tests.agent.conftest import Model, Run

OTHER = "结算每晚两点跑批"


@pytest.fixture
def li(staff: Group) -> User:
    """A colleague who reads the same code."""
    return company.person("li", staff)


@pytest.fixture
def told(li: User, shop: Repository) -> Topic:
    """Li's topic about the nightly settlement, with an answer."""
    topic = company.opened(li, "Nightly settlement")
    _said(topic, "结算什么时候跑？", f"{OTHER}。[e1]", [shop.pk])
    describing.describe(topic.pk, summary=OTHER, actor="system", sources=[shop.pk])
    topic.refresh_from_db()
    return topic


def _said(topic: Topic, question: str, answer: str, sources: list[int]) -> Turn:
    turn: Turn = company.answered(topic, question, answer, sources=sources)
    return turn


def opened(topic: Topic, **how: Any) -> sharing.Opened:
    """Its owner opens it."""
    by = {"actor": f"person:{topic.owner_id}", "by": topic.owner_id}
    return sharing.share(topic.pk, Opening(**{**by, **how}))


def named(person: User, question: str) -> str:
    """What the model would be shown for what this question names; empty for nothing named."""
    notes = references.notes(Access(person), question)
    return str(notes[0].payload["state"]["text"]) if notes else ""


def test_P9_a_topic_that_is_open_is_quoted_with_title_question_and_answer(
    mei: User, told: Topic
) -> None:
    opened(told, kind="person", person=mei.pk)
    text = named(mei, f"topic:{told.pk} 里说的跑批，失败了怎么办？")
    assert f"Named: topic:{told.pk}\n" in text
    for words in ("Nightly settlement", OTHER, "结算什么时候跑？", "Li"):
        assert words in text
    assert "[e1]" not in text


def test_P9_what_is_not_open_is_named_alike_whether_or_not_it_exists(
    mei: User, told: Topic
) -> None:
    there = named(mei, f"topic:{told.pk}?").replace(str(told.pk), "N")
    nowhere = named(mei, "topic:987654?").replace("987654", "N")
    assert there == nowhere
    assert "Named: topic:N\ntopic:N is not open to the asker." in there


def test_P9_a_range_brings_what_was_said_within_it_and_nothing_else(
    mei: User, told: Topic, shop: Repository
) -> None:
    opened(told, kind="company")
    later = _said(told, "谁能停掉它？", "值班的人可以停。", [shop.pk])
    first = f"topic:{told.pk}#{later.question_seq}-{later.answer_seq}"
    text = named(mei, f"{first} 呢？")
    assert "值班的人可以停" in text
    assert "结算什么时候跑" not in text


def test_P9_the_other_topics_of_that_tape_are_out_of_reach_of_a_range(
    mei: User, told: Topic, shop: Repository
) -> None:
    opened(told, kind="company")
    with_others = named(mei, f"topic:{told.pk}#1-999999?")
    kept = lifecycle.start(
        tape_id=told.tape_id, owner_id=told.owner_id, title="Kept", actor="system"
    )
    _said(kept, "裁员名单？", "裁员名单在这里。", [shop.pk])
    after = named(mei, f"topic:{told.pk}#1-999999?")
    assert "裁员" not in after
    assert after.splitlines()[:2] == with_others.splitlines()[:2]


def test_C7_passages_from_code_the_asker_may_not_read_are_named_as_withheld(
    mei: User, told: Topic
) -> None:
    opened(told, kind="company")
    mei.groups.clear()
    text = named(mei, f"topic:{told.pk}?")
    assert OTHER not in text
    assert "(a passage is withheld here)" in text


def test_P9_at_name_reaches_what_that_person_opened_to_everyone_and_fits(
    mei: User, told: Topic, li: User
) -> None:
    question = "@Li 结算每晚几点跑批？"
    assert "Nothing that Li has opened fits" in named(mei, question)
    opened(told, kind="person", person=mei.pk)
    assert "Nothing that Li has opened fits" in named(mei, question)
    share = opened(told, kind="company").share
    assert OTHER in named(mei, question)
    assert "Nothing that Li has opened fits" in named(mei, "@Li 门店打烊时间？")
    sharing.revoke(share.pk, actor="person:1")
    assert "Nothing that Li has opened fits" in named(mei, question)
    assert li.pk != mei.pk


def test_P9_at_name_reaches_views_opened_to_everyone_whose_names_fit_by_number(
    mei: User, told: Topic, li: User
) -> None:
    view = named_views.create(li.pk, "结算跑批", [{"topic": told.pk}])
    question = "@Li 结算每晚几点跑批？"
    by = Opening(kind="person", actor="system", person=mei.pk)
    sharing.share_view(view.pk, by)
    assert "Nothing that Li has opened fits" in named(mei, question)
    share = sharing.share_view(view.pk, Opening(kind="company", actor="system")).share
    text = named(mei, question)
    assert f"Open view {view.pk}:" in text
    assert view.name not in text
    assert OTHER not in text
    assert "Nothing that Li has opened fits" in named(mei, "@Li 门店打烊时间？")
    assert f"Open view {view.pk}:" in named(mei, "@Li")
    sharing.revoke(share.pk, actor="system")
    assert "Nothing that Li has opened fits" in named(mei, question)


@pytest.mark.parametrize(
    "text", ["mail li@example.com", "@Transactional?", "@", "subtopic:1", "topic:"]
)
def test_what_names_nobody_is_just_text(mei: User, li: User, text: str) -> None:
    assert named(mei, text) == ""
    assert li.username == "li"


def test_the_longest_name_is_the_one_meant_and_a_shared_one_is_asked_back(
    mei: User, li: User, staff: Group
) -> None:
    company.person("lin", staff)
    assert "Named: @Lin\n" in named(mei, "@Lin 退款？")
    assert "Named: @Li\n" in named(mei, "@Li，退款？")
    assert "Named: @Li\n" in named(mei, "问@Li退款？")
    twin = company.person("twin", staff)
    twin.display_name = li.display_name
    twin.save()
    assert "Named: @li\n" not in named(mei, "@Li 退款？")
    assert "Several people have this name." not in named(mei, "@li 退款？")


def test_P9_all_that_is_named_has_1200_tokens_together(
    mei: User, told: Topic, shop: Repository
) -> None:
    opened(told, kind="company")
    _said(told, "说全一点？", "很长的回答。" * 2_000, [shop.pk])
    text = named(mei, f"topic:{told.pk} topic:{told.pk}#1-99 topic:98 topic:97?")
    assert len(text.encode()) <= continuing.MAX_BYTES
    for number in (97, 98):
        assert f"topic:{number} is not open to the asker." in text


def test_P9_the_note_stands_behind_the_question_and_both_models_read_it(
    mei: User, told: Topic, run: Run, model: Model
) -> None:
    opened(told, kind="company")
    with scripted.serve(says("好的。")) as server:
        model(server)
        asked = questions.ask(mei, f"topic:{told.pk} 退款呢？")
        turn = run(Turn.objects.get(pk=asked.turn.id))
    entries = views.read(turn.tape_id, View.of_turns([turn.pk]))
    note = next(entry for entry in entries if entry.kind == "anchor")
    assert (note.seq, note.fork_id, note.why) == (turn.question_seq + 1, None, references.WHY)
    (call,) = [one for one in seen.show(mei, turn.pk) if one.purpose == "answer"]
    said = [str(message.content) for message in call.messages]
    assert any(OTHER in each for each in said)
    read = reading.read([{"role": "user", "content": each} for each in said[1:]])
    assert read.asked == ["退款呢？"]
    assert read.earlier == "结算什么时候跑？"


@pytest.mark.parametrize("lost", ["share", "code"])
def test_C7_the_next_prompt_after_a_right_was_lost_has_the_words_no_more(
    mei: User, told: Topic, run: Run, model: Model, lost: str
) -> None:
    share = opened(told, kind="person", person=mei.pk).share
    with scripted.serve(says("好的。"), says("还是好的。")) as server:
        model(server)
        asked = questions.ask(mei, f"topic:{told.pk} 退款呢？")
        run(Turn.objects.get(pk=asked.turn.id))
        assert OTHER in json.dumps(server.requests, ensure_ascii=False)
        if lost == "share":
            sharing.revoke(share.pk, actor="system")
        else:
            mei.groups.clear()
        again = questions.ask(mei, "然后呢？", place=Place(topic=asked.topic.id))
        turn = run(Turn.objects.get(pk=again.turn.id))
    last = json.dumps(server.requests[-1], ensure_ascii=False)
    assert turn.status == "done"
    assert OTHER not in last
    assert "[recall_anchor] [withheld]" in last


def test_P9_however_many_signs_a_question_has_people_are_looked_up_once(
    li: User, mei: User
) -> None:
    pasted = "@Override void retry();\n" * 300
    with CaptureQueriesContext(connection) as asked:
        found = mentions.people(f"{pasted}@LI 和@mei，@lisa @l")
    assert [(one.name, [who.pk for who in one.people]) for one in found] == [
        ("LI", [li.pk]),
        ("mei", [mei.pk]),
    ]
    assert len(asked) == 1
