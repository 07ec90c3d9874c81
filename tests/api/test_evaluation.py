"""Evaluation over HTTP: kept by reviewers, run with their grants, withheld from those who read less."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.accounts import roles
from kb_agent.accounts.models import Audit
from kb_agent.repositories.evaluation import evaluating
from kb_agent.repositories.models import Repository
from kb_agent.repositories.models.evaluation import Evaluation, EvaluationRun
from tests.api.company import browser

if TYPE_CHECKING:
    from rest_framework.test import APIClient

    from tests.api.company import Company

WORDS = "How often is a refund retried?"


def line(question: str = WORDS, repo: str = "shop", path: str = "refund.py") -> str:
    """A line of a file of questions."""
    gold = [{"repo": repo, "path": path}]
    return json.dumps({"id": f"refund: {question}"[:100], "question": question, "gold": gold})


@pytest.fixture
def reviewer(small: Company) -> APIClient:
    """The shop's reader, who reviews."""
    roles.grant(small.owner, "reviewer", by=None)
    return browser(small.owner)


@pytest.fixture
def outsider(small: Company) -> APIClient:
    """A reviewer who reads no code."""
    roles.grant(small.stranger, "reviewer", by=None)
    return browser(small.stranger)


@pytest.fixture
def kept(reviewer: APIClient) -> int:
    """A set of the reviewer's, with one question."""
    made = sent(reviewer, "post", "/api/evaluations")
    assert made.status_code == 201, made.content
    return int(made.json()["id"])


def sent(client: APIClient, method: str, path: str, *lines: str, name: str = "ours") -> Any:
    """The answer to a set that is written."""
    body = {"name": name, "questions": "\n".join(lines or [line()])}
    return getattr(client, method)(path, body, format="json")


def run(pk: int) -> EvaluationRun:
    """What a worker does."""
    queued = EvaluationRun.objects.get(evaluation=pk, status="waiting")
    ended = evaluating.run(queued.pk)
    assert ended
    return ended


def test_a_set_is_kept_run_and_seen_with_its_trend(
    small: Company, reviewer: APIClient, kept: int
) -> None:
    listed = reviewer.get("/api/evaluations").json()["results"]
    assert [(row["name"], row["questions"], row["last"]) for row in listed] == [("ours", 1, None)]
    for _ in range(2):
        queued = reviewer.post(f"/api/evaluations/{kept}/run", format="json")
        assert (queued.status_code, queued.json()["running"]) == (202, True)
        run(kept)
    shown = reviewer.get(f"/api/evaluations/{kept}").json()
    assert shown["source"] == line()
    assert [each["trigger"] for each in shown["runs"]] == ["person", "person"]
    assert shown["last"] == shown["runs"][0]
    assert shown["last"]["all"] == shown["last"]["en"]
    assert (shown["last"]["all"]["questions"], shown["last"]["zh"]) == (1, None)
    question = shown["questions"][0]
    assert question["places"] == [{"repository": "shop", "path": "refund.py"}]
    assert question["outcome"] == {
        "repo_first": False,
        "file_rank": None,
        "found": False,
        "first": None,
    }


def test_C7_a_viewer_who_does_not_read_the_code_gets_figures_and_no_words(
    small: Company, reviewer: APIClient, outsider: APIClient, kept: int
) -> None:
    reviewer.post(f"/api/evaluations/{kept}/run", format="json")
    ended = run(kept)
    ended.outcomes.update(
        first={"repository_id": small.shop.pk, "repository": "shop", "path": "refund.py"}
    )
    shown = outsider.get(f"/api/evaluations/{kept}")
    assert shown.json()["questions"][0]["withheld"]
    assert shown.json()["last"]["all"]["questions"] == 1
    assert not any(word in shown.content.decode() for word in ("refund", "shop"))
    first = reviewer.get(f"/api/evaluations/{kept}").json()["questions"][0]["outcome"]["first"]
    assert first == {"repository": "shop", "path": "refund.py"}


def test_C7_only_its_owner_changes_a_set_since_it_runs_with_their_grants(
    small: Company, reviewer: APIClient, outsider: APIClient, kept: int
) -> None:
    path = f"/api/evaluations/{kept}"
    assert sent(outsider, "put", path).status_code == 403
    assert outsider.delete(path).status_code == 403
    assert sent(reviewer, "put", path, line(), line("And now?")).json()["questions"] == 2
    small.owner.is_active = False
    small.owner.save()
    refused = sent(outsider, "put", path)
    assert refused.json()["error"]["details"]["problem"] == "unknown_repository"
    assert Evaluation.objects.get().owner == small.owner
    assert browser(small.administrator).delete(path).status_code == 204


def test_a_repository_of_another_cannot_be_asked_about(small: Company, reviewer: APIClient) -> None:
    Repository.objects.create(name="hidden", source="/srv/hidden", kind="git_local")
    answers = [
        sent(reviewer, "post", "/api/evaluations", line(), line("Where?", repo=name))
        for name in ("hidden", "nowhere")
    ]
    assert answers[0].content == answers[1].content
    assert answers[0].json()["error"]["details"] == {
        "field": "questions",
        "line": 2,
        "problem": "unknown_repository",
    }
    assert not Evaluation.objects.exists()


def test_a_bad_line_is_named_and_what_was_kept_stays(reviewer: APIClient, kept: int) -> None:
    refused = sent(reviewer, "put", f"/api/evaluations/{kept}", line(), "{")
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "bad_line")
    assert refused.json()["error"]["details"]["line"] == 2
    assert reviewer.get(f"/api/evaluations/{kept}").json()["source"] == line()


def test_what_the_owner_does_not_read_any_more_survives_a_change(
    small: Company, reviewer: APIClient, kept: int
) -> None:
    till = Repository.objects.create(name="till", source="/srv/till", kind="git_local")
    group = small.owner.groups.get()
    grant = till.grants.create(group=group)
    path = f"/api/evaluations/{kept}"
    both = [line("Drawer?", "till"), line()]
    assert sent(reviewer, "put", path, *both).status_code == 200
    grant.delete()
    source = reviewer.get(path).json()["source"]
    assert source == line()
    assert sent(reviewer, "put", path, source, line("More?")).json()["questions"] == 3
    till.grants.create(group=group)
    assert set(reviewer.get(path).json()["source"].splitlines()) == {*both, line("More?")}


def test_the_repositories_page_shows_the_share_of_its_questions_that_found_it(
    small: Company, reviewer: APIClient, kept: int
) -> None:
    path = f"/api/repositories/{small.shop.pk}"
    assert reviewer.get(path).json()["repo_at_1"] is None
    reviewer.post(f"/api/evaluations/{kept}/run", format="json")
    run(kept).outcomes.update(repo_first=True)
    assert reviewer.get(path).json()["repo_at_1"] == 1.0


def test_a_name_is_taken_once(reviewer: APIClient, kept: int) -> None:
    assert sent(reviewer, "post", "/api/evaluations").status_code == 409
    assert sent(reviewer, "post", "/api/evaluations", name=" ").status_code == 400
    assert sent(reviewer, "post", "/api/evaluations", name="others").status_code == 201


def test_C8_a_secret_in_a_question_is_masked(reviewer: APIClient) -> None:
    key = "ghp_" + "a1B2" * 9
    made = sent(reviewer, "post", "/api/evaluations", line(f"What is {key}?"))
    assert key not in reviewer.get(f"/api/evaluations/{made.json()['id']}").content.decode()


def test_what_is_done_to_a_set_leaves_a_line(reviewer: APIClient, kept: int) -> None:
    sent(reviewer, "put", f"/api/evaluations/{kept}", line("Else?"))
    reviewer.delete(f"/api/evaluations/{kept}")
    lines = Audit.objects.filter(object=f"evaluation:{kept}").order_by("pk")
    assert list(lines.values_list("action", flat=True)) == [
        "evaluation_added",
        "evaluation_changed",
        "evaluation_removed",
    ]
