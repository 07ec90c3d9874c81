"""What those who run the server can do to measure search: ask a file of questions, or a kept set, here and now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.repositories.evaluation import evaluating, known_places, scoring
from kb_agent.repositories.evaluation.scoring import Spot
from kb_agent.repositories.models.evaluation import Evaluation, EvaluationRun
from kb_agent.usecases import refusals, search

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from kb_agent.repositories.evaluation.known_places import Question
    from kb_agent.repositories.search import Results


@dataclass(frozen=True)
class Measured:
    """A file of questions that was asked here and now: figures by language, and the places of each question."""

    figures: dict[str, scoring.Figures]
    found: list[tuple[str, Results]]


def run_named(name: str) -> EvaluationRun:
    """Run a kept set here and now, for the command line. Raises `NotFound`, `Conflict`."""
    row = Evaluation.objects.filter(name=name).first()
    if row is None:
        raise refusals.NotFound(f"set {name!r}")
    queued = evaluating.queue(row, EvaluationRun.Trigger.COMMAND)
    ended = evaluating.run(queued.pk, seconds=float("inf"))
    if ended is None:
        raise refusals.Conflict("A worker is running this set now.", code="running")
    return ended


def measure(
    person: User,
    text: str,
    *,
    repositories: Iterable[str] = (),
    on_progress: Callable[[int, int], None] | None = None,
) -> Measured:
    """Ask the questions of a file here and now, as `person`; nothing is kept. Raises `Invalid`, `NotFound`."""
    asked = read(text)
    scores: list[tuple[str, scoring.Score]] = []
    found: list[tuple[str, Results]] = []
    names = list(repositories)
    for number, question in enumerate(asked, 1):
        results = search.find(person, question.text, repositories=names, limit=evaluating.PLACES)
        scores.append((question.language, _score(question, results)))
        found.append((question.name, results))
        if on_progress:
            on_progress(number, len(asked))
    return Measured(scoring.by_language(scores), found)


def _score(question: Question, results: Results) -> scoring.Score:
    gold = [Spot(p.repository, p.path, p.start_line, p.end_line) for p in question.places]
    also = [Spot(p.repository, p.path) for p in question.also]
    hits = [Spot(h.repository, h.path, h.start_line, h.end_line) for h in results.hits]
    return scoring.score(gold, also, hits)


def read(text: str) -> list[Question]:
    """The questions of a file. Raises `Invalid` that names the first bad line."""
    try:
        return known_places.read(text)
    except known_places.BadLine as bad:
        raise bad_line(bad) from bad


def bad_line(bad: known_places.BadLine) -> refusals.Invalid:
    """A line that is no question, as it is told."""
    details = {"field": "questions", "line": bad.line, "problem": bad.problem}
    return refusals.Invalid(str(bad), code=bad.code, details=details)
