"""C9: kept questions run in a worker, by hand and after an indexing, and a killed worker's run goes on."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now

from kb_agent import tasks
from kb_agent.repositories import evaluation
from kb_agent.repositories.evaluation import evaluating, known_places
from kb_agent.repositories.models import IndexRun, Repository
from kb_agent.repositories.models.evaluation import Evaluation, EvaluationOutcome, EvaluationRun
from tests.repositories.code import REFUND, Code, index, indexed

if TYPE_CHECKING:
    from pathlib import Path

    from kb_agent.accounts.models import User

pytestmark = pytest.mark.django_db
CANCEL = "def cancel_order(order):\n    return order\n"
REFUNDED, CANCELLED, DRAWER = (
    "How is a refund retried?",
    "Who may cancel an order?",
    "How is the drawer counted?",
)


def written(question: str, path: str, repo: str = "shop") -> str:
    """A line of a file of questions."""
    return json.dumps(
        {"id": question, "question": question, "gold": [{"repo": repo, "path": path}]}
    )


LINES = [written(REFUNDED, "refund.py"), written(CANCELLED, "refund.py")]


@pytest.fixture
def shop(code: Code) -> Repository:
    """A repository of two files."""
    code.commit({"refund.py": REFUND, "cancel.py": CANCEL})
    return indexed(code)


@pytest.fixture
def kept(shop: Repository, reader: User) -> Evaluation:
    """Two questions, one of which names the wrong file."""
    return save(reader, LINES)


def save(owner: User, lines: list[str], row: Evaluation | None = None) -> Evaluation:
    """Keep these lines."""
    names = dict(Repository.objects.values_list("name", "pk"))
    row = row or evaluation.owned_by(owner, "ours")
    return evaluation.save(row, known_places.read("\n".join(lines)), readable=names)


def measured(row: Evaluation, trigger: str = "person") -> EvaluationRun:
    """A run from its beginning to its end."""
    ended = evaluating.run(evaluating.queue(row, trigger).pk, seconds=60)
    assert ended
    return ended


def quiet() -> None:
    """As if the last indexing was a while ago."""
    IndexRun.objects.update(ended_at=F("ended_at") - evaluating.QUIET - timedelta(seconds=1))


def test_C9_a_run_keeps_its_figures_and_what_each_question_found(kept: Evaluation) -> None:
    ended = measured(kept)
    assert (ended.status, ended.error, ended.trigger) == ("done", "", "person")
    assert ended.figures["en"] == ended.figures["all"]
    assert (ended.figures["all"]["repo_at_1"], ended.figures["all"]["file_at_1"]) == (1.0, 0.5)
    outcome = ended.outcomes.get(question__name=REFUNDED)
    assert (outcome.file_rank, outcome.found) == (1, True)
    assert outcome.first == {
        "repository_id": kept.questions.get(name=REFUNDED).places[0]["repository_id"],
        "repository": "shop",
        "path": "refund.py",
    }


def test_C9_a_run_over_a_file_and_over_the_kept_set_give_the_same_figures(
    kept: Evaluation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(LINES))
    call_command("evaluate", str(file), "--as", "reader")
    of_file = capsys.readouterr().out
    call_command("evaluate", "--kept", "ours")
    assert capsys.readouterr().out == of_file
    assert EvaluationRun.objects.get().trigger == "command"


def test_C7_a_set_is_measured_with_the_grants_of_its_owner(kept: Evaluation, reader: User) -> None:
    reader.groups.clear()
    ended = measured(kept)
    assert ended.figures["all"]["repo_at_1"] == 0
    assert not ended.outcomes.filter(found=True).exists()
    assert not ended.outcomes.exclude(first=None).exists()


def test_R3_a_run_is_gone_through_in_slices_that_another_worker_may_take_up(
    kept: Evaluation,
) -> None:
    queued = evaluating.queue(kept, "person")
    first = evaluating.run(queued.pk, seconds=-1)
    assert first
    assert (first.status, first.outcomes.count(), first.attempts) == ("waiting", 0, 0)
    assert evaluating.due() == [queued.pk]
    ended = evaluating.run(queued.pk)
    assert ended
    assert (ended.status, ended.outcomes.count()) == ("done", 2)
    assert evaluating.run(queued.pk) is None


def test_C9_a_question_that_is_taken_away_while_it_is_asked_leaves_the_others_to_the_run(
    kept: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = evaluating.search.search

    def changed(*asked: Any, **more: Any) -> Any:
        kept.questions.filter(name=REFUNDED).delete()
        return search(*asked, **more)

    monkeypatch.setattr(evaluating.search, "search", changed)
    ended = measured(kept)
    connection.check_constraints()
    assert (ended.status, ended.outcomes.get().question.name) == ("done", CANCELLED)


def test_R3_a_killed_workers_run_goes_on_where_it_stood(kept: Evaluation) -> None:
    queued = measured(kept)
    queued.outcomes.filter(question__name=CANCELLED).delete()
    EvaluationRun.objects.update(status="running", lease_until=Now() + evaluating.LEASE)
    assert evaluating.due() == []
    assert evaluating.run(queued.pk) is None
    EvaluationRun.objects.update(lease_until=Now() - timedelta(seconds=1))
    assert evaluating.due() == [queued.pk]
    ended = evaluating.run(queued.pk)
    assert ended
    assert (ended.status, ended.outcomes.count()) == ("done", 2)


def test_R3_a_run_that_takes_its_worker_down_again_and_again_is_given_up(kept: Evaluation) -> None:
    queued = evaluating.queue(kept, "person")
    EvaluationRun.objects.update(
        status="running", attempts=3, lease_until=Now() - timedelta(seconds=1)
    )
    assert evaluating.run(queued.pk) is None
    queued.refresh_from_db()
    assert (queued.status, "given up" in queued.error) == ("failed", True)
    assert evaluating.due() == []


def test_R3_a_worker_that_lost_its_run_writes_nothing_more(kept: Evaluation) -> None:
    queued = evaluating.queue(kept, "person")
    lost = evaluating._claim(queued.pk)
    EvaluationRun.objects.update(lease_until=Now() - timedelta(seconds=1))
    assert evaluating._claim(queued.pk)
    assert lost
    with pytest.raises(evaluating.Lost):
        evaluating._slice(lost, float("inf"))
    evaluating._finish(lost)
    queued.refresh_from_db()
    assert (queued.status, EvaluationOutcome.objects.count()) == ("running", 0)


def test_C9_two_who_run_a_set_at_once_share_one_run(kept: Evaluation) -> None:
    assert evaluating.queue(kept, "person").pk == evaluating.queue(kept, "person").pk


def test_C9_an_indexing_that_changed_something_is_measured_once_it_is_quiet(
    kept: Evaluation, code: Code, shop: Repository
) -> None:
    measured(kept)
    index(shop)
    quiet()
    assert evaluating.due() == []
    code.commit({"cancel.py": CANCEL + "\n\nREASONS = 4\n"})
    index(shop)
    assert evaluating.due() == []  # noted
    assert evaluating.due() == []  # not quiet yet
    quiet()
    (run_id,) = evaluating.due()
    assert EvaluationRun.objects.get(pk=run_id).trigger == "index"
    assert evaluating.run(run_id)
    assert evaluating.due() == []


def test_C9_changes_that_go_on_do_not_put_a_run_off_for_ever(
    kept: Evaluation, code: Code, shop: Repository
) -> None:
    measured(kept)
    code.commit({"cancel.py": CANCEL + "\n\nREASONS = 4\n"})
    index(shop)
    evaluating.due()
    Evaluation.objects.update(behind_since=Now() - evaluating.LONGEST_WAIT - timedelta(seconds=1))
    assert len(evaluating.due()) == 1


def test_C9_what_the_owner_does_not_read_sets_nothing_off(kept: Evaluation, tmp_path: Path) -> None:
    measured(kept)
    other = Code(tmp_path / "other")
    other.commit({"a.py": CANCEL})
    indexed(other, "till", "tillers")
    quiet()
    assert (evaluating.due(), evaluating.due()) == ([], [])


def test_the_sweep_finds_runs_and_the_task_runs_them(kept: Evaluation) -> None:
    queued = evaluating.queue(kept, "person")
    tasks.run_evaluation(queued.pk)
    queued.refresh_from_db()
    assert queued.status == "done"


def test_C9_the_trend_stays_while_old_outcomes_go(kept: Evaluation) -> None:
    runs = [measured(kept).pk for _ in range(evaluating.KEPT_OUTCOMES + 1)]
    assert EvaluationRun.objects.filter(pk__in=runs).count() == len(runs)
    assert set(EvaluationOutcome.objects.values_list("run", flat=True)) == set(runs[1:])


def test_C9_a_question_that_stays_the_same_keeps_its_outcome(
    kept: Evaluation, reader: User
) -> None:
    ended = measured(kept)
    save(reader, [LINES[0], written("Anything else?", "cancel.py")], kept)
    assert [each.question.name for each in ended.outcomes.all()] == [REFUNDED]
    assert kept.questions.count() == 2
    save(reader, [written(REFUNDED, "cancel.py")], kept)
    assert not ended.outcomes.exists()


def test_C9_repo_at_1_of_a_repository_is_of_the_questions_whose_right_place_is_there(
    kept: Evaluation, shop: Repository, reader: User, tmp_path: Path
) -> None:
    second = Code(tmp_path / "till")
    second.commit({"drawer.py": "def count_drawer(coins):\n    return sum(coins)\n"})
    till = indexed(second, "till")
    lines = [*LINES, written(DRAWER, "drawer.py", "till"), written("And zwiebel?", "a", "till")]
    save(reader, [*lines, written("Count the drawer.", "refund.py")], kept)
    assert evaluation.repo_at_1([shop.pk, till.pk]) == {}
    measured(kept)
    assert evaluation.repo_at_1([shop.pk, till.pk]) == {shop.pk: pytest.approx(2 / 3), till.pk: 0.5}
    assert set(evaluation.repo_at_1([till.pk])) == {till.pk}
