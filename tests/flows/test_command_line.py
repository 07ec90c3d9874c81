"""Asking from a terminal, with no worker alive and nothing else started."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.flows import harness
from topics.models import Turn

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from kb_agent.repositories.models import Repository

QUESTION = "退款失败后会自动重试吗?"


def manage(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command as an operator does."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        capture_output=True,
        text=True,
        cwd=harness.ROOT,
        env=harness.child_environment(),
        timeout=120,
        check=False,
    )


def test_R1_ask_runs_the_turn_itself_and_prints_the_answer_as_json(
    mei: User, shop: Repository
) -> None:
    asked = manage("ask", QUESTION, "--as", "mei", "--json")
    assert asked.returncode == 0, asked.stderr
    said = json.loads(asked.stdout)
    assert said["status"] == "done"
    assert "retry_failed" in said["answer"]
    citation = said["citations"][0]
    assert set(citation) == {"repository", "commit", "path", "start_line", "end_line", "valid"}
    assert (citation["repository"], citation["path"]) == ("shop", "payments/retry.py")
    assert citation["valid"]
    assert set(said["usage"]) == {"input", "cached", "output", "reasoning"}
    turn = Turn.objects.get(pk=said["turn"])
    assert (turn.asker, turn.topic_id) == (mei, said["topic"])
    followed = manage("ask", "然后呢?", "--as", "mei", "--topic", str(said["topic"]))
    assert f"topic {said['topic']}, turn {said['turn'] + 1}: done" in followed.stdout


def test_without_a_name_the_operator_asks_and_reads_what_any_group_reads(shop: Repository) -> None:
    asked = manage("ask", QUESTION)
    assert asked.returncode == 0, asked.stderr
    assert "shop payments/retry.py:" in asked.stdout


def test_C7_someone_without_a_grant_finds_nothing_by_the_command_either(gao: User) -> None:
    asked = manage("ask", QUESTION, "--as", "gao", "--json")
    said = json.loads(asked.stdout)
    assert (said["status"], said["citations"]) == ("done", [])
    assert "shop" not in asked.stdout
    assert "retry" not in asked.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("",), "Write a question first."),
        (("x" * 100_000,), "A question may have 20,000 characters; this one has 100,000."),
        ((QUESTION, "--as", "nobody"), "There is no person 'nobody' here"),
        ((QUESTION, "--topic", "987654"), "There is no topic here"),
    ],
)
def test_a_question_that_cannot_be_asked_is_told_in_a_sentence(
    shop: Repository, arguments: tuple[str, ...], complaint: str
) -> None:
    asked = manage("ask", *arguments)
    assert asked.returncode == 1
    assert complaint in asked.stderr
    assert "Traceback" not in asked.stderr
    assert not Turn.objects.exists()
