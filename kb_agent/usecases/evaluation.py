"""What a reviewer can do with evaluation: keep questions with known places, run them, see the trend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from kb_agent.accounts import audit, roles
from kb_agent.repositories import access, evaluation
from kb_agent.repositories.evaluation import evaluating, known_places, scoring
from kb_agent.repositories.models.evaluation import (
    Evaluation,
    EvaluationOutcome,
    EvaluationQuestion,
    EvaluationRun,
)
from kb_agent.usecases import measuring, people, refusals

if TYPE_CHECKING:
    from kb_agent.accounts.models import User

TRIGGERS = list(EvaluationRun.Trigger.values)
PROBLEMS = list(known_places.PROBLEMS)
LANGUAGES = ("zh", "en")


@dataclass(frozen=True)
class RunShown:
    """A finished run: the figures of all questions and of each language."""

    id: int
    at: datetime
    trigger: str
    seconds: float
    all: dict[str, Any]
    zh: dict[str, Any] | None
    en: dict[str, Any] | None


@dataclass(frozen=True)
class SetShown:
    """A set of questions, and its newest finished run."""

    id: int
    name: str
    questions: int
    running: bool
    last: RunShown | None
    owner: people.Person
    may_edit: bool
    error: str


@dataclass(frozen=True)
class PlaceShown:
    """A file that answers a question, or was found for it."""

    repository: str
    path: str


@dataclass(frozen=True)
class OutcomeShown:
    """What the newest run found."""

    repo_first: bool
    file_rank: int | None
    found: bool
    first: PlaceShown | None


@dataclass(frozen=True)
class QuestionShown:
    """A question with its places; without its words where one of them may not be read (C7)."""

    id: str
    question: str
    language: str
    places: list[PlaceShown]
    withheld: bool
    outcome: OutcomeShown | None


@dataclass(frozen=True)
class DetailShown:
    """A set with its questions and its runs, newest first."""

    id: int
    name: str
    running: bool
    last: RunShown | None
    owner: people.Person
    may_edit: bool
    error: str
    source: str
    questions: list[QuestionShown]
    runs: list[RunShown]


def page(person: User) -> list[SetShown]:
    """The company's sets, by name. Raises `Forbidden`."""
    _check(person)
    last = evaluation.newest()
    rows = Evaluation.objects.select_related("owner").order_by("name")
    return [_set(person, row, last.get(row.pk)) for row in rows]


def show(person: User, evaluation_id: int) -> DetailShown:
    """A set; places, and words of questions about code that `person` does not read are withheld. Raises `Forbidden`, `NotFound`."""
    return _detail(person, _get(person, evaluation_id))


def add(person: User, name: str, questions: str) -> SetShown:
    """Keep a new set, measured with the grants of `person`. Raises `Forbidden`, `Invalid`, `Conflict`."""
    _check(person)
    return _save(person, evaluation.owned_by(person, _name(name)), questions, "evaluation_added")


def change(person: User, evaluation_id: int, name: str, questions: str) -> SetShown:
    """Keep other questions; its owner's act, since they are asked with the owner's grants.

    What the owner does not read any more stays as it is. Raises `Forbidden`, `NotFound`, `Invalid`, `Conflict`.
    """
    row = _get(person, evaluation_id)
    if not _may_edit(person, row):
        raise refusals.Forbidden("Only its owner may change a set: it runs with their grants.")
    row.name, row.owner = _name(name), person
    return _save(person, row, questions, "evaluation_changed")


def remove(person: User, evaluation_id: int) -> None:
    """Take a set and its runs away; its owner's act, or an administrator's. Raises `Forbidden`, `NotFound`."""
    row = _get(person, evaluation_id)
    if not (_may_edit(person, row) or roles.has(person, "administrator")):
        raise refusals.Forbidden("Only its owner or an administrator may remove a set.")
    with transaction.atomic():
        audit.note(person, "evaluation_removed", f"evaluation:{row.pk}", details={"name": row.name})
        row.delete()


def run(person: User, evaluation_id: int) -> SetShown:
    """Ask every question of a set; a worker does it. Raises `Forbidden`, `NotFound`."""
    row = _get(person, evaluation_id)
    evaluating.queue(row, EvaluationRun.Trigger.PERSON, by=person)
    return _set(person, row, evaluation.newest().get(row.pk))


def _check(person: User) -> None:
    if not {"reviewer", "administrator"} & set(roles.of(person)):
        raise refusals.Forbidden("Evaluation is for reviewers and administrators.")


def _get(person: User, evaluation_id: int) -> Evaluation:
    _check(person)
    row = Evaluation.objects.select_related("owner").filter(pk=evaluation_id).first()
    if row is None:
        raise refusals.NotFound("set of questions")
    return row


def _may_edit(person: User, row: Evaluation) -> bool:
    """Its owner may; anyone who may at all, once the owner has left."""
    return row.owner_id == person.pk or not row.owner.is_active


def _name(name: str) -> str:
    if not name.strip():
        raise refusals.Invalid("A set needs a name.", code="no_name", details={"field": "name"})
    return name.strip()


def _save(person: User, row: Evaluation, questions: str, action: str) -> SetShown:
    asked = measuring.read(questions)
    names = dict(access.readable(person).values_list("name", "pk"))
    readable = set(names.values())
    unseen = (
        [each.pk for each in row.questions.all() if not _repositories(each) <= readable]
        if row.pk
        else []
    )
    try:
        with transaction.atomic():
            evaluation.save(row, asked, readable=names, keep=unseen)
            details = {"name": row.name, "questions": len(asked)}
            audit.note(person, action, f"evaluation:{row.pk}", details=details)
    except known_places.BadLine as bad:
        raise measuring.bad_line(bad) from bad
    except evaluation.NameTaken as taken:
        raise refusals.Conflict(str(taken), code=taken.code) from taken
    return _set(person, row, evaluation.newest().get(row.pk))


def _set(person: User, row: Evaluation, last: EvaluationRun | None) -> SetShown:
    return SetShown(
        row.pk,
        row.name,
        row.questions.count(),
        row.runs.filter(status__in=evaluating.UNFINISHED).exists(),
        _run(last) if last else None,
        people.person(row.owner),
        _may_edit(person, row),
        _error(row),
    )


def _error(row: Evaluation) -> str:
    """Why the newest run came to no end, if so."""
    newest = row.runs.exclude(status__in=evaluating.UNFINISHED).order_by("-pk").first()
    return newest.error if newest else ""


def _run(row: EvaluationRun) -> RunShown:
    figures = row.figures
    languages = [figures.get(language) for language in LANGUAGES]
    return RunShown(row.pk, row.at, row.trigger, row.seconds, figures[scoring.EVERY], *languages)


def _detail(person: User, row: Evaluation) -> DetailShown:
    names = dict(access.readable(person).values_list("pk", "name"))
    runs = list(row.runs.filter(status="done").order_by("-pk"))
    outcomes = {each.question_id: each for each in runs[0].outcomes.all()} if runs else {}
    questions = list(row.questions.order_by("ordinal", "pk"))
    shown = [_question(each, outcomes.get(each.pk), names) for each in questions]
    readable = [each.line for each, said in zip(questions, shown, strict=True) if not said.withheld]
    return DetailShown(
        row.pk,
        row.name,
        row.runs.filter(status__in=evaluating.UNFINISHED).exists(),
        _run(runs[0]) if runs else None,
        people.person(row.owner),
        _may_edit(person, row),
        _error(row),
        "\n".join(readable),
        shown,
        [_run(each) for each in runs],
    )


def _repositories(question: EvaluationQuestion) -> set[int]:
    return {place["repository_id"] for place in (*question.places, *question.also)}


def _question(
    row: EvaluationQuestion, outcome: EvaluationOutcome | None, names: dict[int, str]
) -> QuestionShown:
    withheld = not _repositories(row) <= names.keys()
    places: Sequence[dict[str, Any]] = [] if withheld else row.places
    return QuestionShown(
        str(row.ordinal) if withheld else row.name,
        "" if withheld else row.text,
        row.language,
        [PlaceShown(names[place["repository_id"]], place["path"]) for place in places],
        withheld,
        _outcome(outcome, names) if outcome else None,
    )


def _outcome(row: EvaluationOutcome, names: dict[int, str]) -> OutcomeShown:
    first = row.first if row.first and row.first["repository_id"] in names else None
    return OutcomeShown(
        row.repo_first,
        row.file_rank,
        row.found,
        PlaceShown(names[first["repository_id"]], first["path"]) if first else None,
    )
