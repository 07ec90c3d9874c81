"""Facts in answering: drawn from what was said, found by what is asked, stale when their lines change (P10)."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kb_agent.agent.desk import Desk
from kb_agent.agent.tools.look_up_facts import look_up_facts
from kb_agent.llm import scripted
from kb_agent.llm.script import calls, says
from kb_agent.repositories import evidence, indexing
from kb_agent.repositories.facts import matching, standing
from kb_agent.repositories.mirror import registry
from kb_agent.repositories.models import Repository
from kb_agent.repositories.models.vocabulary import Correction
from kb_agent.topic_hooks import said_in_topic
from tapes import store, views
from tapes.entries import correction
from tapes.views import View
from tests.agent import facts as acting
from tests.agent import shops
from tests.agent.conftest import RETRY
from tests.agent.stories import answer_of
from topics import asking, facts, lifecycle
from topics.facts import nearness
from topics.hooks import runner
from topics.models.facts import Fact, FactUse

if TYPE_CHECKING:
    from django.contrib.auth.models import Group

    from kb_agent.accounts.models import User
    from tests.agent.conftest import Ask, Model, Run
    from topics.models import Topic


def _events(tape_id: int) -> list[str]:
    found = views.read(tape_id, View.seqs(1, None).only("event"))
    return [entry.payload["name"] for entry in found if entry.payload["name"].startswith("fact_")]


@pytest.fixture
def li(staff: Group) -> User:
    """The reviewer."""
    return acting.reviewer("李四", staff)


@pytest.fixture
def retried(mei: User, shop: Repository, li: User) -> Fact:
    """An accepted fact about retries."""
    topic = acting.finished(mei)
    fact = acting.proposed(topic, acting.RETRIED, acting.place(shop, "payments/retry.py", 7, 12))
    return acting.accepted(fact, li)


def test_P10_without_a_model_the_codes_own_sentence_is_proposed_with_its_lines(
    shop: Repository, topic: Topic, ask: Ask, run: Run
) -> None:
    turn = run(ask())
    acting.finish(topic)
    fact = Fact.objects.get()
    assert answer_of(turn).meta["conclusion"] == fact.text
    assert (fact.status, fact.contributor_id, fact.language) == ("proposed", topic.owner_id, "zh")
    assert fact.text == "退款失败后自动重试，最多 MAX_ATTEMPTS 次。"
    version = fact.versions.get()
    assert version.why == "evidence_model"
    assert [place["path"] for place in version.evidence] == ["payments/retry.py"]
    assert _events(topic.tape_id) == ["fact_proposed"]


def test_P10_a_topic_that_found_nothing_proposes_nothing(
    shop: Repository, topic: Topic, ask: Ask, run: Run
) -> None:
    run(ask("火星上有水吗？"))
    acting.finish(topic)
    assert not Fact.objects.exists()


def test_P10_of_a_models_statements_only_those_with_evidence_of_the_topic_are_kept(
    shop: Repository, topic: Topic, ask: Ask, run: Run, model: Model
) -> None:
    named = (
        '{"facts": [{"text": "退款失败后最多重试 3 次。", "evidence": ["e1"]},'
        ' {"text": "退款要两天。", "evidence": ["e77"]}, {"text": "无依据的话。", "evidence": []}]}'
    )
    with scripted.serve(
        calls("read_lines", repository="shop", path="payments/retry.py", start_line=7, end_line=12),
        says("会, 最多 3 次。[e1]"),
    ) as server:
        model(server)
        server.add_beside("You draw business facts", says(named))
        run(ask())
        acting.finish(topic)
    assert [fact.text for fact in Fact.objects.all()] == ["退款失败后最多重试 3 次。"]
    assert Fact.objects.get().versions.get().why == "model"


def test_P10_a_correction_is_proposed_as_its_writers_fact_and_the_answer_is_not(
    shop: Repository, topic: Topic, ask: Ask, run: Run
) -> None:
    turn = run(ask())
    said = correction(
        turn.answer_seq or 0, "退款最多重试 3 次，之后转人工。",
        actor=f"person:{topic.owner_id}", topic_id=topic.pk,
    )  # fmt: skip
    store.append(topic.tape_id, [said])
    acting.finish(topic)
    fact = Fact.objects.get()
    assert (fact.text, fact.versions.get().why) == (said.payload["data"]["text"], "correction")


def test_P10_the_same_conclusion_of_another_topic_joins_the_fact(
    shop: Repository, topic: Topic, ask: Ask, run: Run, li: User, mei: User
) -> None:
    run(ask())
    acting.finish(topic)
    acting.accepted(Fact.objects.get(), li)
    second = lifecycle.start(
        tape_id=store.create("second").pk, owner_id=mei.pk, title="再问", actor="system"
    )
    again = asking.ask(
        second.pk, asker_id=mei.pk, content="退款失败后会自动重试吗？", idempotency_key="again"
    )
    run(again)
    acting.finish(second)
    assert [source.topic_id for source in Fact.objects.get().drawn_from.order_by("pk")] == [
        topic.pk,
        second.pk,
    ]
    assert _events(second.tape_id) == ["fact_joined"]


def test_P10_a_conclusion_from_lines_that_overlap_is_the_same_fact_and_from_others_is_not(
    mei: User, shop: Repository, retried: Fact
) -> None:
    minted = evidence.mint(
        acting.finished(mei, "再问").pk,
        1,
        [
            acting.place(shop, "payments/retry.py", first, last)
            for first, last in ((9, 14), (1, 6), (12, 12))
        ],
    )
    overlapping, before, last_line = (said_in_topic.cited_as(row) for row in minted)
    assert nearness.nearest(acting.RETRIED, [overlapping]) == retried
    assert nearness.nearest(acting.RETRIED, [before, last_line]) == retried
    assert nearness.nearest(acting.RETRIED, [before]) is None
    assert nearness.nearest("退款由财务手工处理。", [overlapping]) is None


def test_P10_an_accepted_fact_is_said_first_with_its_origin_and_citation(
    retried: Fact, topic: Topic, ask: Ask, run: Run
) -> None:
    turn = ask()
    runner.at_first_turn(topic.pk, turn_id=turn.pk)
    run(turn)
    said = answer_of(turn)
    assert said.payload["content"].startswith(f"**{acting.RETRIED}**[e1]")
    assert f"已采纳的事实 {retried.pk}：由 Mei 贡献，李四 于" in said.payload["content"]
    assert said.meta["verified"]
    assert said.meta["citations"][0]["path"] == "payments/retry.py"
    assert FactUse.objects.get().turn_id == turn.pk


def test_P10_the_model_is_shown_the_fact_and_can_look_it_up(
    retried: Fact, topic: Topic, ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve(calls("look_up_facts", query="退款重试几次"), says("3 次。[e1]")) as server:
        model(server)
        turn = ask()
        runner.at_first_turn(topic.pk, turn_id=turn.pk)
        run(turn)
        shown = str(server.requests[0]["messages"])
        looked_up = str(server.requests[1]["messages"][-1])
    assert f"Fact {retried.pk}: {acting.RETRIED} [e1]" in shown
    assert f"Fact {retried.pk}: {acting.RETRIED} [e1]" in looked_up
    assert answer_of(turn).meta["verified"]


@pytest.mark.parametrize("question", ["优惠券可以叠加吗？", "谁能看到工资？", "订单怎么取消？"])
def test_P10_a_fact_about_something_else_is_not_recalled(
    retried: Fact, shop: Repository, question: str
) -> None:
    assert matching.about(question, readable=[shop.pk]) == []


@pytest.mark.parametrize(
    "question",
    ["退款失败后会重试几次？", "How often is a failed refund retried?", "自动重试退款最多多少次"],
)
def test_P10_a_fact_is_found_in_other_words_and_in_the_other_language(
    retried: Fact, shop: Repository, question: str
) -> None:
    (found,) = matching.about(question, readable=[shop.pk])
    assert found.fact == retried


def test_C7_a_fact_is_not_recalled_without_all_its_sources(
    retried: Fact, shop: Repository, payroll: Repository
) -> None:
    Fact.objects.filter(pk=retried.pk).update(sources=[shop.pk, payroll.pk])
    assert matching.about("退款失败后会重试几次？", readable=[shop.pk]) == []


def test_P10_only_accepted_fresh_facts_are_recalled(
    mei: User, shop: Repository, li: User, retried: Fact
) -> None:
    facts.reject(retried.pk, version=1, reason="不准确", actor=f"person:{li.pk}")
    assert matching.about("退款失败后会重试几次？", readable=[shop.pk]) == []


def _commit(shop: Repository, path: str, text: str | None) -> None:
    source = Path(shop.source)
    if text is None:
        (source / path).unlink()
    else:
        (source / path).write_text(text, encoding="utf-8")
    for command in (["add", "-A"], ["commit", "-q", "-m", "Changed."]):
        subprocess.run(["git", *shops.IDENTITY, *command], cwd=source, check=True)
    indexing.run(indexing.queue(shop).pk)
    for repository_id in standing.due():
        standing.check(repository_id)


def test_P10_a_fact_whose_lines_changed_is_stale_and_fresh_when_they_are_back(
    retried: Fact, shop: Repository
) -> None:
    _commit(shop, "payments/retry.py", RETRY.replace("attempts += 1", "attempts += 2"))
    retried.refresh_from_db()
    assert (retried.stale, retried.status) == (True, "accepted")
    assert matching.about("退款失败后会重试几次？", readable=[shop.pk]) == []
    _commit(shop, "payments/retry.py", RETRY)
    retried.refresh_from_db()
    assert (retried.stale, retried.stale_since) == (False, None)
    assert _events(retried.tape_id)[-2:] == ["fact_stale", "fact_fresh"]


def test_P10_lines_that_moved_or_whose_file_was_renamed_are_not_stale(
    retried: Fact, shop: Repository, topic: Topic, mei: User
) -> None:
    _commit(shop, "payments/retry.py", "# Moved down.\n\n" + RETRY)
    source = Path(shop.source)
    (source / "payments/again.py").write_bytes((source / "payments/retry.py").read_bytes())
    _commit(shop, "payments/retry.py", None)
    retried.refresh_from_db()
    assert not retried.stale
    (where,) = standing.located(retried.places.all())
    assert (where.path, where.start_line, where.end_line) == ("payments/again.py", 9, 14)


def test_P10_a_fact_of_a_removed_file_or_repository_is_stale(
    retried: Fact, shop: Repository
) -> None:
    _commit(shop, "payments/retry.py", None)
    retried.refresh_from_db()
    assert retried.stale
    _commit(shop, "payments/retry.py", RETRY)
    registry.remove(Repository.objects.get(pk=shop.pk))
    assert standing.due() == [shop.pk]
    standing.check(shop.pk)
    retried.refresh_from_db()
    assert retried.stale
    assert standing.due() == []


def test_A5_a_fact_whose_lines_are_gone_is_not_shown_before_the_check_either(
    retried: Fact, shop: Repository, topic: Topic, ask: Ask
) -> None:
    turn = ask()
    source = Path(shop.source) / "payments/retry.py"
    source.write_text(RETRY.replace("attempts += 1", "attempts += 2"), encoding="utf-8")
    for command in (["add", "-A"], ["commit", "-q", "-m", "Changed."]):
        subprocess.run(["git", *shops.IDENTITY, *command], cwd=shop.source, check=True)
    indexing.run(indexing.queue(shop).pk)
    desk = Desk(
        tape_id=topic.tape_id, topic_id=topic.pk, turn_id=turn.pk,
        readable=frozenset([shop.pk]), scope=frozenset([shop.pk]),
    )  # fmt: skip
    assert "No accepted fact" in look_up_facts(desk, "退款失败后会重试几次？").content


def test_C5_an_accepted_fact_ties_its_words_until_it_is_rejected(
    mei: User, shop: Repository, li: User
) -> None:
    topic = acting.finished(mei)
    place = acting.place(shop, "payments/manual.py", 1, 3)
    fact = acting.proposed(topic, "重试用完后单子挂起（to_manual），等运营处理。", place)
    assert not Correction.objects.exists()
    acting.accepted(fact, li)
    tied = {(row.word, row.code, row.origin) for row in Correction.objects.all()}
    assert ("挂起", "to_manual", f"fact:{fact.pk}") in tied
    facts.reject(fact.pk, version=1, reason="改名了", actor=f"person:{li.pk}")
    assert not Correction.objects.exists()


def test_C5_a_piece_of_a_phrase_and_lines_that_define_much_tie_nothing(
    mei: User, shop: Repository, li: User
) -> None:
    topic = acting.finished(mei)
    place = acting.place(shop, "payments/manual.py", 1, 3)
    acting.accepted(acting.proposed(topic, "渠道不可用时，由运营处理。", place), li)
    assert "不可" not in set(Correction.objects.values_list("word", flat=True))
    names = "".join(f"def step_{number}():\n    return {number}\n\n" for number in range(5))
    _commit(shop, "payments/steps.py", names)
    wide = acting.place(shop, "payments/steps.py", 1, 14)
    fact = acting.proposed(topic, "重试用完后单子挂起，等运营处理。", wide)
    acting.accepted(fact, li)
    assert not Correction.objects.filter(origin=f"fact:{fact.pk}").exists()
