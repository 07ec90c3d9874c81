"""C9: the figures of `evaluate` are those of `docs/bench/score.py`, and mean what the document says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from kb_agent.repositories.evaluation import scoring
from kb_agent.repositories.evaluation.scoring import Spot
from tests.repositories.code import Code, indexed

HALF = 0.5


def spots(*files: str, repository: str = "shop") -> list[Spot]:
    """Places in files, of lines 1 to 9."""
    return [Spot(repository, file, 1, 9) for file in files]


def test_a_file_counts_once_and_at_its_best_place() -> None:
    found = spots("a", "a", "b", "a", "c")
    assert scoring.score(spots("b"), [], found).file_rank == 2
    assert scoring.score(spots("c"), [], found).file_rank == 3


def test_an_accepted_file_counts_for_files_and_not_for_all_or_lines() -> None:
    score = scoring.score([Spot("shop", "b", 20, 30)], spots("a"), spots("a", "b"))
    assert (score.file_rank, score.whole, score.span) == (1, True, False)
    assert not scoring.score(spots("b"), spots("a"), spots("a")).whole


@pytest.mark.parametrize(
    ("lines", "meets"), [((9, 12), True), ((10, 12), False), ((1, 1), True), ((3, 4), True)]
)
def test_span_is_one_line_in_common(lines: tuple[int, int], meets: bool) -> None:  # noqa: FBT001
    assert scoring.score([Spot("shop", "a", *lines)], [], spots("a")).span is meets


def test_only_the_first_ten_count_for_span_and_all() -> None:
    found = spots(*"abcdefghijk")
    score = scoring.score(spots("k"), [], found)
    assert (score.file_rank, score.span, score.whole) == (11, False, False)
    assert scoring.by_language([("en", score)])["en"]["mrr"] == 0


def test_without_known_lines_there_is_no_span() -> None:
    score = scoring.score([Spot("shop", "a")], [], spots("a"))
    figures = scoring.by_language([("en", score)])
    assert figures["all"]["span_at_10"] is None
    assert "–" in scoring.table(figures)


def test_another_repository_first_is_not_the_right_one() -> None:
    score = scoring.score(spots("a"), [], [*spots("a", repository="till"), *spots("a")])
    assert (score.repo_first, score.file_rank) == (False, 2)


COMPANY: dict[str, dict[str, str | bytes | None]] = {
    "shop": {
        "refund.py": "def retry_refund(refund):\n    return 3\n",
        "cancel.py": "def cancel_order(order):\n    return order\n",
    },
    "till": {"drawer.py": "def count_drawer(coins):\n    return sum(coins)\n"},
}


def row(name: str, question: str, repo: str, path: str, **more: Any) -> dict[str, Any]:
    """A question whose place is lines 1 and 2 of a file."""
    gold = [{"repo": repo, "path": path, "start_line": 1, "end_line": 2}]
    fields = {"id": name, "lang": "en", "question": question, "gold": gold, "also_ok": []}
    return fields | more


QUESTIONS = [
    row("1", "How is a refund retried?", "shop", "refund.py"),
    row("2", "Who may cancel an order?", "shop", "cancel.py"),
    row("3", "How is the drawer counted?", "shop", "refund.py"),  # found elsewhere, on purpose
    row("4", "zwiebel?", "till", "drawer.py"),  # found nowhere
    row("5", "抽屉 drawer 怎么数", "till", "drawer.py", lang="zh"),
]


@pytest.fixture
def questions(db: None, tmp_path: Path) -> Path:
    """A tiny company, indexed, and a file of questions about it."""
    for name, files in COMPANY.items():
        source = Code(tmp_path / name)
        source.commit(files)
        indexed(source, name)
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(json.dumps(each, ensure_ascii=False) for each in QUESTIONS), "utf-8")
    return path


def test_C9_evaluate_prints_the_table_that_one_works_out_by_hand(
    questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("evaluate", str(questions))
    assert capsys.readouterr().out.rstrip() == (
        "         n   repo@1   file@1   file@5  file@10      mrr  span@10   all@10\n"
        "en       4    0.500    0.500    0.500    0.500    0.500    0.500    0.500\n"
        "zh       1    1.000    1.000    1.000    1.000    1.000    1.000    1.000\n"
        "all      5    0.600    0.600    0.600    0.600    0.600    0.600    0.600"
    )


def test_C9_score_py_prints_the_same_of_the_places_written(
    questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results.jsonl"
    call_command("evaluate", str(questions), out=str(results))
    script = Path(settings.BASE_DIR) / "docs" / "bench" / "score.py"
    said = subprocess.run(
        [sys.executable, str(script), str(questions), str(results)],
        check=True,
        capture_output=True,
        text=True,
    )
    assert said.stdout == capsys.readouterr().out


def test_evaluate_can_be_kept_to_some_repositories_and_print_json(
    questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("evaluate", str(questions), "--repositories", "shop", "--json")
    figures = json.loads(capsys.readouterr().out)
    assert (figures["zh"]["repo_at_1"], figures["en"]["file_at_1"]) == (0.0, HALF)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Name a file"),
        (["nowhere.jsonl"], "cannot be read"),
        (["nowhere.jsonl", "--as", "nobody"], "no person 'nobody'"),
        (["--kept", "nothing"], "no set 'nothing'"),
        (["--kept", "nothing", "--as", "mei"], "runs as its owner"),
    ],
)
@pytest.mark.django_db
def test_evaluate_says_what_it_lacks(arguments: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("evaluate", *arguments)


@pytest.mark.django_db
def test_evaluate_names_the_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(QUESTIONS[0]) + "\n{}\n")
    with pytest.raises(CommandError, match="Line 2: It has no question"):
        call_command("evaluate", str(path))
