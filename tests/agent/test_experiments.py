"""T11: a question asked as an experiment leaves nothing that a later question is shown, unless it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.llm import scripted
from kb_agent.llm.script import calls, says
from kb_agent.usecases import answers, questions, refusals, seen
from kb_agent.usecases import entries as entry_cases
from kb_agent.usecases import topics as topic_cases
from kb_agent.usecases import turns as turn_cases
from kb_agent.usecases.placement import Place
from tapes import store, verify, views
from tapes.models import Fork
from tapes.views import View
from tests.agent.test_tape_tools import told
from tests.agent.test_what_was_seen import SEARCH
from topics import experiments, lifecycle, turns
from topics.models import Topic, Turn, TurnStatus

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from tests.agent.conftest import Ask, Model, Run


def texts(messages: list[dict[str, Any]]) -> str:
    """All that was said in a request."""
    return "\n".join(str(message["content"]) for message in messages)


@pytest.mark.usefixtures("shop")
def test_T11_no_later_question_is_shown_an_experiment_nor_its_question(
    ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve(SEARCH, says("试了：五次。[e1]"), says("三次。")) as server:
        model(server)
        tried = run(ask("要是当五次算呢？", experiment=True))
        run(ask("几次？"))
        assert "要是当五次算呢？" in texts(told(server, 0))
        later = texts(told(server, 2))
    assert (tried.status, tried.answer_seq) == (TurnStatus.DONE, None)
    assert "几次？" in later
    assert "五次" not in later
    (fork,) = Fork.objects.filter(pk=tried.fork_id)
    assert fork.state == Fork.DISCARDED
    shown = views.read(tried.tape_id, View.seqs())
    assert [entry for entry in shown if entry.fork_id == fork.pk] == []
    said = views.read(tried.tape_id, View.fork(fork.pk).only("message"))
    assert [entry.payload["content"][:5] for entry in said] == ["要是当五次", "试了：五次"]
    assert verify.verify(tried.tape_id).ok


@pytest.mark.usefixtures("shop")
def test_T11_an_experiment_stays_readable_for_its_asker_and_its_cost_is_counted(
    ask: Ask, run: Run, model: Model, mei: User, topic: Topic
) -> None:
    with scripted.serve(SEARCH, says("试了。[e1]").using(prompt=90, completion=7)) as server:
        model(server)
        turn = run(ask("试试", experiment=True))
    shown = turn_cases.show(mei, turn.pk)
    assert shown.experiment
    assert shown.usage
    assert shown.usage["input"] == 90
    entries = entry_cases.of_topic(mei, topic.pk).results
    assert "试了" in "".join(str(entry.payload) for entry in entries)
    assert answers.wait(mei, turn.pk).text == "试了。[e1]"
    assert len(seen.show(mei, turn.pk)) == 2
    (listed,) = topic_cases.shown(topic_cases.Access(mei), [topic])
    assert listed.answer is None


@pytest.mark.usefixtures("shop")
def test_T11_what_is_kept_before_it_ends_is_merged_like_any_turn(
    ask: Ask, run: Run, model: Model, mei: User
) -> None:
    with scripted.serve(says("五次。"), says("三次。")) as server:
        model(server)
        tried = ask("要是当五次算呢？", experiment=True)
        kept = turn_cases.keep(mei, tried.pk)
        assert not kept.experiment
        assert turn_cases.keep(mei, tried.pk) == kept
        assert run(tried).answer_seq
        run(ask("几次？"))
        later = texts(told(server, 1))
    assert "要是当五次算呢？" in later
    assert "五次。" in later
    events = views.read(tried.tape_id, View.seqs().only("event"))
    assert [one.payload["name"] for one in events].count(experiments.KEPT) == 1


@pytest.mark.usefixtures("shop")
def test_T11_what_was_discarded_stays_so(ask: Ask, run: Run, model: Model, mei: User) -> None:
    with scripted.serve(says("五次。")) as server:
        model(server)
        tried = run(ask("试试", experiment=True))
    with pytest.raises(refusals.Conflict, match="ask the question again") as over:
        turn_cases.keep(mei, tried.pk)
    assert over.value.code == "experiment_over"


def test_T11_an_experiment_that_is_stopped_while_it_waits_is_discarded(ask: Ask, mei: User) -> None:
    turn = ask("试试", experiment=True)
    stopped = turns.request_stop(turn.pk, actor=f"person:{mei.pk}")
    assert stopped.status == TurnStatus.STOPPED
    assert Fork.objects.get(pk=turn.fork_id).state == Fork.DISCARDED
    assert "试试" not in str(views.read(turn.tape_id, View.seqs()))


@pytest.mark.usefixtures("shop")
def test_R3_an_experiment_whose_worker_was_lost_goes_on_under_a_new_token(
    ask: Ask, run: Run, model: Model
) -> None:
    turn = ask("试试", experiment=True)
    lost = turns.claim(turn.pk, "lost")
    assert lost is not None
    Turn.objects.filter(pk=turn.pk).update(lease_until="2000-01-01T00:00:00Z")
    with scripted.serve(says("好。")) as server:
        model(server)
        assert run(turn).attempts == 2
    with pytest.raises(store.StaleFork):
        experiments.turn_rows.append(turn, [], fork=lost.fork)
    assert Fork.objects.get(pk=turn.fork_id).state == Fork.DISCARDED


@pytest.mark.usefixtures("shop")
def test_T11_what_the_agent_asked_of_the_tape_in_an_experiment_is_not_done(
    ask: Ask, run: Run, model: Model, topic: Topic
) -> None:
    reset = calls("reset", why="asked")
    marked = calls("mark", name="渠道", note="以渠道为准")
    with scripted.serve(reset, marked, says("好。")) as server:
        model(server)
        run(ask("试试", experiment=True))
    assert lifecycle.complete_left() == 0
    assert store.get(topic.tape_id).archived_at is None
    assert [one.name for one in views.anchors(topic.tape_id)] == ["session/start", "topic_initial"]


def test_A8_nothing_joins_an_experiment_and_an_experiment_joins_nothing(
    ask: Ask, mei: User, topic: Topic
) -> None:
    tried = ask("试试", experiment=True)
    added = ask("还有", joins=tried.pk)
    assert added.joins_id is None
    with pytest.raises(refusals.Invalid) as refused:
        questions.ask(mei, "也试试", place=Place(topic.pk, experiment=True), joins=added.pk)
    assert refused.value.code == "joins_and_experiment"
    asked = questions.ask(mei, "也试试", place=Place(topic.pk, experiment=True))
    assert asked.turn.experiment
