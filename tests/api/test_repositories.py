"""Repositories in the browser: how they stand, what administrators do with them, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command

from kb_agent.repositories import indexing
from kb_agent.repositories.indexing import leases
from kb_agent.repositories.mirror import registry
from kb_agent.repositories.models import Credential, IndexRun, Repository, Skipped
from tests.api.company import Company, browser

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

# What git could be tricked with: as a source or a branch, and the one word why.
REFUSED = [
    ("--upload-pack=touch /tmp/owned", "main", "dash"),
    ("-oProxyCommand=id", "main", "dash"),
    ("ext::sh -c id", "main", "helper"),
    ("fd::7", "main", "helper"),
    ("file:///etc", "main", "scheme"),
    ("http://git.example.com/shop.git", "main", "scheme"),
    ("git://git.example.com/shop.git", "main", "scheme"),
    ("ftp://git.example.com/shop.git", "main", "scheme"),
    ("https://user:hunter2secret@git.example.com/shop.git", "main", "credentials_in_address"),
    ("https://token@git.example.com/shop.git", "main", "credentials_in_address"),
    ("ssh://git:hunter2secret@git.example.com/shop.git", "main", "credentials_in_address"),
    ("https://git.example.com/shop.git?private_token=hunter2secret", "main", "query"),
    ("ssh://-oProxyCommand=id/shop.git", "main", "host"),
    ("git@git.example.com:--upload-pack=id", "main", "dash"),
    ("https://git.example.com", "main", "path"),
    ("https://git.example.com/a\nb", "main", "characters"),
    ("", "main", "empty"),
    ("/no/such/folder", "main", "no_folder"),
    ("/", "main", "local_forbidden"),
    ("https://git.example.com/shop.git", "--upload-pack=id", "bad_branch"),
    ("https://git.example.com/shop.git", "main:refs/heads/other", "bad_branch"),
    ("https://git.example.com/shop.git", "../../config", "bad_branch"),
]


@pytest.mark.parametrize(("source", "branch", "reason"), REFUSED)
def test_C2_what_git_could_be_tricked_with_is_refused_in_the_browser(
    small: Company, source: str, branch: str, reason: str
) -> None:
    new = {"name": "new", "source": source, "branches": [branch]}
    response = browser(small.administrator).post("/api/repositories", new, format="json")
    said = response.json()["error"]
    assert (response.status_code, said["code"]) == (400, "bad_source")
    field = "branches" if reason == "bad_branch" else "source"
    assert said["details"] == {"field": field, "reason": reason}
    assert "hunter2" not in response.content.decode()
    change = {"branches": [branch]} if reason == "bad_branch" else {"source": source}
    address = f"/api/repositories/{small.shop.pk}"
    changed = browser(small.administrator).patch(address, change, format="json")
    assert changed.json()["error"]["details"] == said["details"]
    assert list(Repository.objects.values_list("name", "source")) == [("shop", "/srv/shop")]
    for person in (small.owner, small.stranger):
        response = browser(person).post("/api/repositories", new, format="json")
        assert response.json()["error"]["code"] == "forbidden"
    assert not IndexRun.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(("source", "branch", "reason"), REFUSED)
def test_C2_what_git_could_be_tricked_with_is_refused_on_the_command_line(
    source: str, branch: str, reason: str
) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("add_repository", f"--branch={branch}", "--", "new", source)
    assert "hunter2" not in str(refused.value)
    assert not Repository.objects.exists()


def test_C2_the_products_own_folder_is_refused(small: Company, settings: Settings) -> None:
    new = {"name": "new", "source": str(settings.VAR)}
    response = browser(small.administrator).post("/api/repositories", new, format="json")
    assert response.json()["error"]["details"]["reason"] == "local_forbidden"


@pytest.mark.parametrize(
    ("more", "code", "details"),
    [
        ({"name": "-x"}, "bad_source", {"field": "name", "reason": "bad_name"}),
        ({"name": "shop"}, "name_taken", {"field": "name"}),
        ({"groups": [999]}, "unknown_group", {"field": "groups"}),
        ({"login": {"token": ""}}, "bad_credential", {"field": "login", "reason": "empty_token"}),
        (
            {"source": "ssh://git@example.com/x.git", "login": {"token": "t"}},
            "bad_credential",
            {"field": "login", "reason": "https_only"},
        ),
    ],
)
def test_what_is_refused_names_its_field_and_leaves_nothing(
    small: Company, more: dict[str, Any], code: str, details: dict[str, str]
) -> None:
    new = {"name": "new", "source": "https://git.example.com/new.git"} | more
    response = browser(small.administrator).post("/api/repositories", new, format="json")
    said = response.json()["error"]
    assert (said["code"], said["details"]) == (code, details)
    assert Repository.objects.count() == 1
    assert not Credential.objects.exists()
    assert not small.administrator.audit_lines.exists()


def test_C10_each_act_of_an_administrator_leaves_a_line(small: Company, tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    client = browser(small.administrator)
    group = Group.objects.get(name="product")
    new = {
        "name": "new",
        "source": str(tmp_path / "code"),
        "groups": [group.pk],
        "description": {"zh": "网店"},
    }
    added = client.post("/api/repositories", new, format="json")
    assert added.status_code == 201
    shown = added.json()
    assert (shown["source"], shown["may_manage"], shown["readable"]) == (new["source"], True, False)
    assert shown["groups"] == [{"id": group.pk, "name": "product", "people": 2}]
    assert (shown["run"]["status"], shown["run"]["place"]) == ("waiting", 1)
    address = f"/api/repositories/{shown['id']}"
    change = {"name": "newer", "description": {"en": "Shop"}, "schedule_minutes": None}
    changed = client.patch(address, change, format="json").json()
    assert (changed["name"], changed["schedule_minutes"]) == ("newer", 0)
    assert changed["description"] == {"zh": "网店", "en": "Shop"}
    client.put(f"{address}/grants", {"groups": []}, format="json")
    client.post(f"{address}/index", format="json")
    client.post(f"{address}/cancel", format="json")
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == 404
    lines = small.administrator.audit_lines.filter(object=f"repository:{shown['id']}")
    assert list(lines.order_by("pk").values_list("action", flat=True)) == [
        "repository_added",
        "repository_changed",
        "repository_granted",
        "repository_indexed",
        "indexing_cancelled",
        "repository_removed",
    ]


def test_C2_a_token_is_sealed_and_never_shown_again(small: Company) -> None:
    client = browser(small.administrator)
    new = {
        "name": "new",
        "source": "https://git.example.com/new.git",
        "login": {"username": "bot", "token": "hunter2secret"},
    }
    response = client.post("/api/repositories", new, format="json")
    assert response.status_code == 201
    said = response.content + client.get("/api/repositories").content
    said += str(list(small.administrator.audit_lines.values())).encode()
    said += str(list(Credential.objects.values())).encode()
    assert b"hunter2" not in said


def test_C7_an_administrator_sees_figures_of_code_they_may_not_read(small: Company) -> None:
    branch = small.shop.branches.get()
    small.shop.default_branch = branch.name
    small.shop.save()
    Skipped.objects.create(branch=branch, path="secret/plan.bin", reason="binary")
    address = f"/api/repositories/{small.shop.pk}"
    counts = [{"reason": "binary", "count": 1, "example": ""}]
    seen = browser(small.administrator).get(f"{address}/skipped").json()
    assert seen == {"counts": counts, "results": [], "next": None}
    row = browser(small.administrator).get(address).json()
    assert (row["readable"], row["source"]) == (False, "/srv/shop")
    own = browser(small.owner).get(address).json()
    assert (own["readable"], own["may_manage"], own["source"]) == (True, False, None)
    read = browser(small.owner).get(f"{address}/skipped").json()
    assert read["results"] == [{"path": "secret/plan.bin", "reason": "binary"}]
    assert read["counts"][0]["example"] == "secret/plan.bin"


def test_files_left_out_come_a_page_at_a_time_and_by_reason(small: Company) -> None:
    branch = small.shop.branches.get()
    Repository.objects.update(default_branch=branch.name)
    Skipped.objects.bulk_create(
        Skipped(branch=branch, path=f"f{n:04}", reason="binary" if n % 2 else "huge")
        for n in range(450)
    )
    client, seen, cursor = browser(small.owner), [], ""
    address = f"/api/repositories/{small.shop.pk}/skipped"
    while cursor is not None:
        page = client.get(address, {"reason": "huge", "cursor": cursor}).json()
        seen += [each["path"] for each in page["results"]]
        cursor = page["next"]
    assert seen == [f"f{n:04}" for n in range(0, 450, 2)]
    assert page["counts"] == [
        {"reason": "binary", "count": 225, "example": "f0001"},
        {"reason": "huge", "count": 225, "example": "f0000"},
    ]
    bad = client.get(address, {"cursor": "made-up"})
    assert bad.json()["error"]["code"] == "bad_cursor"


def test_the_list_counts_how_repositories_stand_and_tells_places_in_the_queue(
    small: Company,
) -> None:
    rows = [registry.add(f"r{n}", "https://git.example.com/r.git") for n in range(4)]
    runs = [indexing.queue(row) for row in rows[:3]]
    claimed = leases.claim(runs[0].pk)
    assert claimed is not None
    Repository.objects.filter(pk=rows[3].pk).update(
        status="failed", error="No server answers there.", error_code="unreachable"
    )
    page = browser(small.administrator).get("/api/repositories").json()
    assert page["counts"] == {"fresh": 1, "indexing": 1, "waiting": 2, "failed": 1}
    shown = {each["name"]: each for each in page["results"]}
    assert [shown[f"r{n}"]["run"]["place"] for n in range(3)] == [None, 1, 2]
    assert shown["r3"]["error_code"] == "unreachable"
    assert browser(small.stranger).get("/api/repositories").json() == {
        "results": [],
        "counts": {"fresh": 0, "indexing": 0, "waiting": 0, "failed": 0},
    }


def test_C7_a_removed_repository_keeps_old_answers_for_its_readers(small: Company) -> None:
    assert (
        browser(small.administrator).delete(f"/api/repositories/{small.shop.pk}").status_code == 204
    )
    client = browser(small.owner)
    assert client.get("/api/repositories").json()["results"] == []
    assert client.get("/api/me").json()["repositories"] == []
    entries = client.get(f"/api/topics/{small.topic.pk}/entries").json()["results"]
    assert not any(each["withheld"] for each in entries)
    assert client.get(f"/api/evidence/{small.evidence.pk}").status_code == 200
    assert browser(small.stranger).get(f"/api/evidence/{small.evidence.pk}").status_code == 404
