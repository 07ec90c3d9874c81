"""C9: a file of questions with known places is read whole, or its first bad line is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from kb_agent.repositories.evaluation import known_places
from kb_agent.repositories.evaluation.known_places import BadLine, Place

GOOD = {"question": "Who may cancel?", "gold": [{"repo": "shop", "path": "cancel.py"}]}


def line(**changes: Any) -> str:
    """A good line with other fields."""
    return json.dumps(GOOD | changes)


def test_a_line_needs_a_question_and_one_place_and_tells_its_language() -> None:
    first, second = known_places.read(f"{line()}\n\n{line(question='谁可以取消？', id=7)}\n")
    assert (first.name, first.language, first.places) == ("1", "en", (Place("shop", "cancel.py"),))
    assert (second.name, second.language, second.number) == ("7", "zh", 3)


def test_a_line_ends_at_a_line_feed_and_nowhere_else() -> None:
    question = "Who may\u2028cancel\x85?"
    said = json.dumps(GOOD | {"question": question}, ensure_ascii=False)
    first, second = known_places.read(f"{said}\r\n{line()}\r\n")
    assert (first.text, first.line, second.number) == (question, said, 2)


def test_the_company_of_the_bench_is_such_a_file() -> None:
    path = Path(settings.BASE_DIR) / "docs" / "bench" / "questions.jsonl"
    read = known_places.read(path.read_text("utf-8"))
    rows = [json.loads(each) for each in path.read_text("utf-8").splitlines()]
    assert [(each.name, each.language) for each in read] == [
        (row["id"], row["lang"]) for row in rows
    ]
    assert all(place.start_line for each in read for place in each.places)


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("{", "not_json"),
        ("[]", "not_json"),
        ("[" * 100_000, "not_json"),
        (line(question="Who\0?"), "not_json"),
        (line(id="\ud800"), "not_json"),
        (line(gold=[{"repo": "shop", "path": "\0"}]), "not_json"),
        (line(also_ok=[{"repo": "shop", "path": "\udc80"}]), "not_json"),
        (line(question=" "), "no_question"),
        (line(question=3), "no_question"),
        (line(gold=[]), "no_place"),
        (line(gold=None), "no_place"),
        (line(gold="cancel.py"), "bad_place"),
        (line(gold=["cancel.py"]), "bad_place"),
        (line(gold=[{"repo": "shop"}]), "bad_place"),
        (line(gold=[{"repo": "shop", "path": "a", "start_line": 0, "end_line": 2}]), "bad_place"),
        (line(gold=[{"repo": "shop", "path": "a", "start_line": 3, "end_line": 2}]), "bad_place"),
        (line(gold=[{"repo": "shop", "path": "a", "start_line": True}]), "bad_place"),
        (line(also_ok=[{}]), "bad_place"),
        (line(question="?" * 4001), "too_long"),
        (line(id="?" * 101), "too_long"),
        (line(id="same"), "double_id"),
    ],
)
def test_the_first_bad_line_is_named_by_its_number(bad: str, problem: str) -> None:
    with pytest.raises(BadLine) as refused:
        known_places.read(f"{line(id='same')}\n{bad}\n{{")
    assert (refused.value.line, refused.value.problem) == (2, problem)
    assert str(refused.value).startswith("Line 2: ")


@pytest.mark.parametrize("empty", ["", "\n \n"])
def test_a_file_without_questions_is_no_set(empty: str) -> None:
    with pytest.raises(BadLine):
        known_places.read(empty)


def test_more_questions_than_are_kept_together_are_refused() -> None:
    text = "\n".join(line() for _ in range(known_places.MOST_QUESTIONS + 1))
    with pytest.raises(BadLine) as refused:
        known_places.read(text)
    assert refused.value.problem == "too_many"


def test_the_document_names_every_problem() -> None:
    page = (Path(settings.BASE_DIR) / "docs" / "evaluation.md").read_text("utf-8")
    assert all(f"`{problem}`" in page for problem in known_places.PROBLEMS)
