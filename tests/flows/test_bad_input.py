"""What a command cannot use it refuses in one sentence, with an exit code, and keeps nothing of it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tapes.models import Entry
from tests.flows import harness
from topics.models import Turn

if TYPE_CHECKING:
    from pathlib import Path

    from kb_agent.accounts.models import User

pytestmark = pytest.mark.timeout(400)

LONG = "x" * 100_000


def manage(*arguments: str | bytes) -> subprocess.CompletedProcess[str]:
    """Run a command as an administrator does."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=harness.ROOT,
        env=harness.child_environment(),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def refusal(*arguments: str | bytes) -> str:
    """The one sentence a command refuses with."""
    ended = manage(*arguments)
    assert ended.returncode == 1, ended
    (sentence,) = ended.stderr.splitlines()
    return sentence


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("  ", "Write a question first."),
        (LONG, "A question may have 20,000 characters; this one has 100,000."),
        (b"refund \xed\xa0\x80\xff?", "The question contains characters that are no text."),
    ],
    ids=["blank", "a hundred kilobytes", "no UTF-8"],
)
def test_a_question_that_cannot_be_asked_is_refused(
    mei: User, question: str | bytes, sentence: str
) -> None:
    assert refusal("ask", question, "--as", "mei") == f"CommandError: {sentence}"
    assert not Turn.objects.exists()
    assert not Entry.objects.exists()


def test_someone_or_something_that_does_not_exist_is_named(mei: User) -> None:
    assert "nobody" in refusal("ask", "refund?", "--as", "nobody")
    assert "payroll" in refusal("index", "payroll")
    assert "no topic here" in refusal("ask", "refund?", "--as", "mei", "--topic", "999")
    assert not Turn.objects.exists()


def test_a_source_that_is_not_there_is_named_and_can_be_indexed_once_it_is(
    mei: User, tmp_path: Path
) -> None:
    assert "folder" in refusal("add_repository", "gone", str(tmp_path / "gone"))
    assert manage("add_repository", "far", "https://127.0.0.1:9/code.git").returncode == 0
    assert refusal("index", "far").startswith("CommandError: far: No server answers there.")
    (tmp_path / "late").mkdir()
    assert manage("add_repository", "late", str(tmp_path / "late")).returncode == 0
    assert refusal("index", "late") == "CommandError: late: The folder holds no file."
    (tmp_path / "late" / "refund.py").write_text("def refund(): ...\n")
    assert manage("index", "late").returncode == 0
