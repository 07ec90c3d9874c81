"""Correcting the vocabulary over HTTP: by reviewers, of what they read, with a line in the audit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.accounts import roles
from kb_agent.accounts.models import Audit
from kb_agent.repositories.models import Repository, Vocabulary
from kb_agent.repositories.models.vocabulary import Correction
from tests.api.company import browser

if TYPE_CHECKING:
    from rest_framework.test import APIClient

    from tests.api.company import Company

PAIR = {"word": "退貨", "code": "return_goods", "state": "added", "note": "Staff say so."}


@pytest.fixture
def reviewer(small: Company) -> APIClient:
    """The shop's reader, who reviews."""
    roles.grant(small.owner, "reviewer", by=None)
    return browser(small.owner)


@pytest.fixture
def hidden(small: Company) -> Repository:
    """A repository that the reviewer does not read, with a word and a correction."""
    row = Repository.objects.create(name="hidden", source="/srv/hidden", kind="git_local")
    Vocabulary.objects.create(
        repository=row, word="秘方", code="recipe", weight=3, kind="catalogue"
    )
    return row


def posted(client: APIClient, **more: Any) -> Any:
    """The answer to a correction."""
    return client.post("/api/vocabulary", PAIR | more, format="json")


def test_a_correction_is_listed_with_its_author_and_can_be_taken_back(
    small: Company, reviewer: APIClient
) -> None:
    made = posted(reviewer, repository=small.shop.pk)
    assert made.status_code == 201, made.content
    row = made.json()
    assert (row["word"], row["code"], row["state"]) == ("退貨", "return_goods", "added")
    assert (row["author"], row["repository"]) == ("Mei", {"id": small.shop.pk, "name": "shop"})
    listed = reviewer.get("/api/vocabulary", {"q": "退货"}).json()
    assert listed["results"] == [row]
    assert listed["counts"]["people"] == 1
    assert reviewer.delete(f"/api/vocabulary/{row['correction']}").status_code == 204
    assert reviewer.get("/api/vocabulary").json()["results"] == []
    lines = Audit.objects.filter(object__startswith="correction:").order_by("pk")
    told = ["vocabulary_corrected", "correction_withdrawn"]
    assert list(lines.values_list("action", flat=True)) == told


def test_C7_words_of_unreadable_repositories_are_neither_shown_nor_corrected(
    small: Company, reviewer: APIClient, hidden: Repository
) -> None:
    theirs = Correction.objects.create(
        word="秘方", key="秘方", code="r", code_key="r", repository=hidden, state="added"
    )
    listed = reviewer.get("/api/vocabulary").json()
    assert (listed["results"], sum(listed["counts"].values())) == ([], 0)
    for answer in (
        reviewer.get("/api/vocabulary", {"repository": hidden.pk}),
        reviewer.get(
            "/api/vocabulary/why", {"word": "秘方", "code": "recipe", "repository": hidden.pk}
        ),
        posted(reviewer, repository=hidden.pk),
        reviewer.delete(f"/api/vocabulary/{theirs.pk}"),
    ):
        assert answer.status_code == 404
    assert Correction.objects.count() == 1
    roles.grant(small.administrator, "administrator", by=None)
    assert browser(small.administrator).get("/api/vocabulary").json()["results"] == []


def test_C8_a_secret_in_a_note_is_masked(reviewer: APIClient) -> None:
    key = "ghp_" + "a1B2" * 9
    assert key not in posted(reviewer, note=f"token {key}").content.decode()
    assert key not in Correction.objects.get().note


@pytest.mark.parametrize(
    ("body", "field"),
    [({"word": "?!"}, "word"), ({"code": "::"}, "code"), ({"word": "!" * 80}, "word")],
)
def test_a_pair_without_words_is_refused_by_its_field(
    reviewer: APIClient, body: dict[str, str], field: str
) -> None:
    refused = posted(reviewer, **body)
    assert refused.status_code == 400
    assert refused.json()["error"]["code"] == "bad_correction"
    assert refused.json()["error"]["details"]["field"] == field


@pytest.mark.parametrize(
    "body", [{"state": "mined"}, {"word": ""}, {"word": "长" * 81}, {"repository": "x"}]
)
def test_a_body_that_is_none_is_refused(reviewer: APIClient, body: dict[str, str]) -> None:
    assert posted(reviewer, **body).status_code == 400


def test_a_foreign_cursor_and_an_unknown_source_are_refused(reviewer: APIClient) -> None:
    assert reviewer.get("/api/vocabulary", {"cursor": "x"}).json()["error"]["code"] == "bad_cursor"
    assert reviewer.get("/api/vocabulary", {"source": "x"}).status_code == 400


def test_mined_pairs_come_with_the_repository_and_pages(
    small: Company, reviewer: APIClient
) -> None:
    Vocabulary.objects.bulk_create(
        [
            Vocabulary(repository=small.shop, word=f"词{n}", code=f"w{n}", weight=n, kind="enum")
            for n in range(60)
        ]
    )
    first = reviewer.get("/api/vocabulary", {"source": "enum"}).json()
    second = reviewer.get("/api/vocabulary", {"source": "enum", "cursor": first["next"]}).json()
    assert [len(first["results"]), len(second["results"]), second["next"]] == [50, 10, None]
    assert first["results"][0] == {
        "word": "词59",
        "code": "w59",
        "repository": {"id": small.shop.pk, "name": "shop"},
        "weight": 59.0,
        "source": "enum",
        "state": "mined",
        "correction": None,
        "note": "",
        "author": None,
        "at": None,
    }
