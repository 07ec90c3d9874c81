"""Keeps a company's questions with known places, and says what their newest runs found (C9)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction

from kb_agent.repositories import secrets
from kb_agent.repositories.evaluation.known_places import BadLine, Place, Question
from kb_agent.repositories.models.evaluation import (
    Evaluation,
    EvaluationOutcome,
    EvaluationQuestion,
    EvaluationRun,
)

if TYPE_CHECKING:
    from kb_agent.accounts.models import User


class NameTaken(Exception):
    """There is a set of that name."""

    code = "name_taken"


def save(
    evaluation: Evaluation,
    questions: Sequence[Question],
    *,
    readable: Mapping[str, int],
    keep: Iterable[int] = (),
) -> Evaluation:
    """Keep a set with these questions, and those of the ids in `keep`; a question that stays the same keeps its outcome.

    `readable` are the ids of the repositories that the owner reads, by name. Raises `BadLine`, `NameTaken`.
    """
    rows = [_row(question, readable) for question in questions]
    try:
        with transaction.atomic():
            evaluation.save()
            _replace(evaluation, rows, set(keep))
    except IntegrityError as taken:
        raise NameTaken(f"There is already a set named {evaluation.name}.") from taken
    return evaluation


def _row(question: Question, readable: Mapping[str, int]) -> EvaluationQuestion:
    if unknown := {place.repository for place in (*question.places, *question.also)} - set(
        readable
    ):
        raise BadLine(question.number, "unknown_repository") from KeyError(*sorted(unknown))
    return EvaluationQuestion(
        ordinal=question.number,
        name=_name(question),
        language=question.language,
        text=secrets.mask(question.text).text,
        places=[_place(place, readable) for place in question.places],
        also=[_place(place, readable) for place in question.also],
        line=secrets.mask(question.line).text,
    )


def _name(question: Question) -> str:
    """Its id, unless that holds a secret (C8)."""
    hidden = secrets.mask(question.name).count
    return f"line {question.number}" if hidden else question.name


def _place(place: Place, readable: Mapping[str, int]) -> dict[str, Any]:
    return {"repository_id": readable[place.repository], **asdict(place)}


def _replace(evaluation: Evaluation, rows: list[EvaluationQuestion], keep: set[int]) -> None:
    known = {row.name: row for row in evaluation.questions.all()}
    unseen = {row.name for row in known.values() if row.pk in keep}
    kept = set(unseen)
    for row in rows:
        while (
            row.name in unseen
        ):  # ids that are line numbers meet those of lines that were not shown
            row.name += "+"
        old = known.get(row.name)
        row.evaluation = evaluation
        if old is not None and (old.text, old.places, old.also, old.language) == (
            row.text,
            row.places,
            row.also,
            row.language,
        ):
            EvaluationQuestion.objects.filter(pk=old.pk).update(ordinal=row.ordinal, line=row.line)
            kept.add(row.name)
    evaluation.questions.exclude(name__in=kept).delete()
    EvaluationQuestion.objects.bulk_create([row for row in rows if row.name not in kept])


def owned_by(owner: User, name: str) -> Evaluation:
    """A new set, not yet kept."""
    return Evaluation(owner=owner, name=name)


def newest() -> dict[int, EvaluationRun]:
    """The newest run that was finished, of each set."""
    runs = EvaluationRun.objects.filter(status="done").order_by("evaluation_id", "-pk")
    return {run.evaluation_id: run for run in runs.distinct("evaluation_id")}


def repo_at_1(repository_ids: Iterable[int]) -> dict[int, float]:
    """For each repository that questions have their right place in, the share that found it first, in the newest runs."""
    wanted = set(repository_ids)
    outcomes = EvaluationOutcome.objects.filter(
        run__in=[run.pk for run in newest().values()], right__overlap=list(wanted)
    )
    held: dict[int, list[bool]] = defaultdict(list)
    for right, first in outcomes.values_list("right", "repo_first"):
        for repository_id in wanted & set(right):
            held[repository_id].append(first)
    return {repository_id: sum(rows) / len(rows) for repository_id, rows in held.items()}
