"""Reads a file of questions with known places: a line of JSON each, the form of `docs/bench/` (C9)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from kb_agent.repositories import terms
from kb_agent.repositories.text import lines
from tapes import exact_text
from tapes.errors import InvalidEntry

MOST_QUESTIONS = 2000
LONGEST_QUESTION, LONGEST_NAME, LONGEST_PATH = 4000, 100, 1000
PROBLEMS = {
    "not_json": "It is no JSON object.",
    "no_question": "It has no question.",
    "no_place": "It names no place: gold needs at least one repo and path.",
    "bad_place": "A place needs a repo, a path and, if any, lines from 1 with the last not before the first.",
    "double_id": "Another line has the same id.",
    "too_long": f"A question has at most {LONGEST_QUESTION} characters, an id {LONGEST_NAME}, a path {LONGEST_PATH}.",
    "too_many": f"At most {MOST_QUESTIONS} questions are kept together.",
    "unknown_repository": "It names a repository that you do not read, or that there is not.",
}


class BadLine(ValueError):
    """A line that is no question; `line` is its number from 1, `problem` one of `PROBLEMS`."""

    code = "bad_line"

    def __init__(self, line: int, problem: str) -> None:
        """Say which line, and what of it."""
        super().__init__(f"Line {line}: {PROBLEMS[problem]}")
        self.line = line
        self.problem = problem


@dataclass(frozen=True)
class Place:
    """Where a rule stands; lines are 1-based and inclusive, both None for the file as a whole."""

    repository: str
    path: str
    start_line: int | None = None
    end_line: int | None = None


@dataclass(frozen=True)
class Question:
    """A question, the places that state its answer, others that would be accepted, and its line as it was written."""

    name: str
    language: str
    text: str
    places: tuple[Place, ...]
    also: tuple[Place, ...]
    line: str
    number: int


def read(text: str) -> list[Question]:
    """The questions of a file; empty lines are passed over. Raises `BadLine` for the first that is none."""
    found: list[Question] = []
    names: set[str] = set()
    for number, line in enumerate(lines(text), 1):
        if not line.strip():
            continue
        question = _question(line, number)
        if question.name in names:
            raise BadLine(number, "double_id")
        if len(found) == MOST_QUESTIONS:
            raise BadLine(number, "too_many")
        names.add(question.name)
        found.append(question)
    if not found:
        raise BadLine(1, "no_question")
    return found


def _question(line: str, number: int) -> Question:
    try:
        row = json.loads(line)
        # An escape can say a character that no row of the database holds.
        exact_text.of(row)
    except (ValueError, RecursionError, InvalidEntry):
        row = None
    if not isinstance(row, dict):
        raise BadLine(number, "not_json")
    said, name = row.get("question"), row.get("id", str(number))
    if not isinstance(said, str) or not said.strip():
        raise BadLine(number, "no_question")
    name = str(name) if isinstance(name, str | int) else str(number)
    if len(said) > LONGEST_QUESTION or len(name) > LONGEST_NAME:
        raise BadLine(number, "too_long")
    places = _places(row.get("gold", row.get("places")), number)
    if not places:
        raise BadLine(number, "no_place")
    also = _places(row.get("also_ok"), number)
    return Question(name, _language(row.get("lang"), said), said, places, also, line, number)


def _language(given: object, said: str) -> str:
    if isinstance(given, str) and given.isalpha() and len(given) <= 10:
        return given
    return "zh" if terms.HAN_RUN.search(said) else "en"


def _places(rows: object, number: int) -> tuple[Place, ...]:
    if rows is None:
        return ()
    if not isinstance(rows, list):
        raise BadLine(number, "bad_place")
    return tuple(_place(row, number) for row in rows)


def _place(row: Any, number: int) -> Place:
    if not isinstance(row, dict):
        raise BadLine(number, "bad_place")
    repository, path = row.get("repo", row.get("repository")), row.get("path")
    first, last = row.get("start_line"), row.get("end_line")
    if not (isinstance(repository, str) and repository and isinstance(path, str) and path):
        raise BadLine(number, "bad_place")
    if len(path) > LONGEST_PATH or len(repository) > LONGEST_NAME:
        raise BadLine(number, "too_long")
    if first is None and last is None:
        return Place(repository, path)
    last = first if last is None else last
    if type(first) is not int or type(last) is not int or not 1 <= first <= last:
        raise BadLine(number, "bad_place")
    return Place(repository, path, first, last)
