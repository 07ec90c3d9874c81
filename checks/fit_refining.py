"""Fits the weights of `repositories/search/refining.py` to the benchmark questions, tried on repositories that are left out.

Needs the index that `make bench-search` leaves. For each question the first files of the plain ranking are candidates, the
files that a careful reviewer accepts are right, with and without the line about each repository. The weights are those that
make the right files likeliest (softmax over the candidates), held near the plain ranking; folds leave out whole repositories.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT / "docs" / "bench"
SETS = ("questions.jsonl", "questions.own.jsonl", "questions.fresh.jsonl")
# How strongly the fit is held to the plain ranking; how steep that is taken to be; how it is walked to.
HELD, STEEP, STEPS, STRIDE = 0.1, 6.0, 300, 0.05
ROUNDS, FOLDS = 5, 5
# Not fitted but taken as it is.
GIVEN = "name"
SHELL = f"import runpy; runpy.run_path({str(Path(__file__).resolve())!r}, run_name='within')"


@dataclass(frozen=True)
class Asked:
    """A question's candidates: their signs, the logarithm of the plain score (with what is given) first; which are right; which trade places."""

    repository: str
    signs: np.ndarray
    right: np.ndarray
    peers: np.ndarray


def candidates() -> list[Asked]:
    """Every question twice: without and with the line about each repository."""
    from kb_agent.repositories.models import Repository  # noqa: PLC0415 - Django is set up by now

    lines = json.loads((BENCH / "descriptions.json").read_text("utf-8"))
    found: list[Asked] = []
    for told in (False, True):
        for name, line in lines.items():
            Repository.objects.filter(name=name).update(
                description_en=line if told else "", description_zh="", description_drafted=False
            )
        for name in SETS:
            rows = map(json.loads, (BENCH / name).read_text("utf-8").splitlines())
            found += [_asked(row) for row in rows]
    Repository.objects.filter(name__in=lines).update(description_en="")
    return found


def _asked(row: dict[str, Any]) -> Asked:
    from kb_agent.repositories import branches, search  # noqa: PLC0415
    from kb_agent.repositories.measuring import EVERYTHING  # noqa: PLC0415
    from kb_agent.repositories.models import File, Repository  # noqa: PLC0415
    from kb_agent.repositories.search import naming_systems, ranking, refining, routing  # noqa: PLC0415
    from kb_agent.repositories.vocabulary import questions  # noqa: PLC0415

    readable = sorted(Repository.objects.values_list("pk", flat=True))
    said = questions.concepts(row["question"], readable)
    chosen = branches.chosen(readable, "")
    corpus, asked, pairs = search._read(said, chosen, readable, EVERYTHING)  # noqa: SLF001
    parts = ranking.parts(corpus, [*asked, *pairs])
    bonus = routing.bonus(asked, parts, ranking.fits(corpus, parts))
    scores = ranking.score(corpus, parts, bonus=bonus)
    first = np.lexsort((np.arange(len(scores.files)), -scores.files))[: refining.FIRST]
    systems = naming_systems.words(row["question"], asked)
    signs = refining.signs(corpus, scores, first, systems)
    plain = np.log(scores.files[first]) + refining.WEIGHTS[GIVEN] * signs[GIVEN]
    ids = corpus.documents.file[corpus.documents.first_of_file[first]].tolist()
    places = File.objects.filter(pk__in=ids).values_list("pk", "branch__repository__name", "path")
    named = {pk: (repository, path) for pk, repository, path in places}
    accepted = {(each["repo"], each["path"]) for each in (*row["gold"], *row["also_ok"])}
    return Asked(
        row["repo"],
        np.stack([plain, *(signs[name] for name in refining.WEIGHTS if name != GIVEN)], 1),
        np.array([named[pk] in accepted for pk in ids]),
        refining.peers(corpus, first),
    )


def fit(some: list[Asked]) -> np.ndarray:
    """The weights, that of the plain score 1."""
    able = [each for each in some if each.right.any()]
    spread = np.concatenate([each.signs for each in some]).std(0)
    start = np.zeros(len(spread))
    start[0] = STEEP * spread[0]
    weights, drift, size = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for step in range(1, STEPS + 1):
        slope = sum(_slope(each, weights / spread) for each in able) * (1 / spread / len(able))
        slope -= HELD * (weights - start)
        drift, size = 0.9 * drift + 0.1 * slope, 0.99 * size + 0.01 * slope**2
        weights += STRIDE * (drift / (1 - 0.9**step)) / (np.sqrt(size / (1 - 0.99**step)) + 1e-8)
    raw = weights / spread
    result: np.ndarray = raw / raw[0]
    return result


def _slope(each: Asked, weights: np.ndarray) -> np.ndarray:
    """Where the weights have to go for the right files to be likelier."""
    value = each.signs @ weights
    likely = np.exp(value - value.max())
    right = likely * each.right
    slope: np.ndarray = each.signs.T @ (right / right.sum() - likely / likely.sum())
    return slope


def reciprocal(each: Asked, weights: np.ndarray) -> float:
    """1 / rank of the first right file when peers among the candidates trade places; 0 beyond ten."""
    value = each.signs @ weights
    order = np.arange(len(value))
    for name in set(each.peers.tolist()):
        own = np.flatnonzero(each.peers == name)
        order[own] = own[np.argsort(-value[own], kind="stable")]
    return _share(np.flatnonzero(each.right[order]))


def _share(places: np.ndarray) -> float:
    """1 / rank of the first of some places, counted from 0; 0 beyond ten."""
    return 1 / (int(places[0]) + 1) if len(places) and places[0] < 10 else 0.0


def within() -> None:
    """Print what the weights bring in folds, and the weights fitted to all."""
    from kb_agent.repositories.search.refining import WEIGHTS  # noqa: PLC0415

    asked = candidates()
    before = np.array([_share(np.flatnonzero(each.right)) for each in asked])
    gains = np.zeros(len(asked))
    for seed in range(ROUNDS):
        names = sorted({each.repository for each in asked})
        random.Random(seed).shuffle(names)  # noqa: S311
        for fold in range(FOLDS):
            out = set(names[fold::FOLDS])
            weights = fit([each for each in asked if each.repository not in out])
            for at, each in enumerate(asked):
                if each.repository in out:
                    gains[at] += (reciprocal(each, weights) - before[at]) / ROUNDS
    half = len(asked) // 2
    for name, part in (("alone", slice(None, half)), ("described", slice(half, None))):
        print(f"{name}: mrr {before[part].mean():.3f}, in folds {gains[part].mean():+.3f}")
    fitted = [sign for sign in WEIGHTS if sign != GIVEN]
    for sign, weight in zip(fitted, fit(asked)[1:], strict=True):
        print(f"{sign:20}{weight:+.3f}")


if __name__ == "within":
    within()
elif __name__ == "__main__":
    environment = {"KB_AGENT_VAR": str(ROOT / "var" / "bench" / "var"), **os.environ}
    command = [sys.executable, str(ROOT / "manage.py"), "shell", "-c", SHELL]
    sys.exit(subprocess.run(command, check=False, env=environment).returncode)
