"""Cited code over HTTP: outline, history and names at the commit; other lines where grants allow (C7)."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Group

from kb_agent.accounts import roles
from kb_agent.repositories import evidence, indexing, mirror
from kb_agent.repositories.mirror import fetching
from kb_agent.repositories.models import Evidence, Repository
from tests.agent import shops
from tests.api import company
from tests.api.company import browser

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from kb_agent.accounts.models import User

pytestmark = pytest.mark.usefixtures("committed_database")

RULE = "refunds/retry.py"
TEXT = '''\
MAX_ATTEMPTS = 3
password = "hunter2hunter2"


def retry(refund):
    """Try again."""
    return refund.attempts < MAX_ATTEMPTS
'''
JOB = "from refunds.retry import retry\n\n\ndef job(refund):\n    return retry(refund)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the shop's worktree is."""
    return tmp_path / "shop"


@pytest.fixture
def shop(committed_database: None, settings: Settings, tmp_path: Path, folder: Path) -> Repository:
    """A repository read by `product`."""
    settings.VAR = tmp_path / "var"
    group = Group.objects.create(name="product")
    return shops.indexed("shop", {RULE: TEXT, "job.py": JOB}, group=group, place=folder)


@pytest.fixture
def mei(shop: Repository) -> User:
    """Who asked about it."""
    return company.person("mei", Group.objects.get(name="product"))


@pytest.fixture
def cited(shop: Repository, mei: User) -> Evidence:
    """Its function, as an answer cites it."""
    turn = company.asked(company.opened(mei), "Is it retried?")
    branch = shop.branches.get()
    place = evidence.Place(
        repository_id=shop.pk,
        commit=branch.indexed_commit,
        branch=branch.name,
        path=RULE,
        start_line=5,
        end_line=7,
    )
    return evidence.mint(turn.topic_id, turn.pk, [place])[0]


def changed(shop: Repository, folder: Path, *command: str) -> None:
    """Change the worktree, commit, fetch and index."""
    for each in (list(command), ["commit", "-q", "-a", "-m", "Another."]):
        subprocess.run(["git", *shops.IDENTITY, *each], cwd=folder, check=True)
    fetching.fetch(shop)
    indexing.run(indexing.queue(shop).pk)


def got(person: User, address: str, **query: Any) -> Any:
    """The answer's body."""
    response = browser(person).get(f"/api/{address}", query)
    assert response.status_code == 200, response.content
    return response.json()


def test_A4_a_cited_place_tells_its_outline_blame_and_log(mei: User, cited: Evidence) -> None:
    at = f"evidence/{cited.pk}"
    assert got(mei, f"{at}/outline") == {
        "unavailable": None,
        "symbols": [
            {"symbol": "retry", "kind": "function", "start_line": 5, "end_line": 7, "cited": True}
        ],
    }
    (span,) = got(mei, f"{at}/blame")["spans"]
    assert (span["start_line"], span["end_line"], span["author"], span["summary"]) == (
        *(5, 7),
        *("Test", "First."),
    )
    (commit,) = got(mei, f"{at}/log", limit=5)["commits"]
    assert commit["commit"] == cited.commit


def test_A4_a_name_is_defined_and_used_at_the_cited_commit_also_when_the_branch_moved(
    mei: User, cited: Evidence, shop: Repository, folder: Path
) -> None:
    def places() -> list[tuple[str, str, str]]:
        found = got(mei, f"evidence/{cited.pk}/symbol", name="retry")
        return [
            (each["path"], each["kind"], each["commit"])
            for each in [*found["definitions"], *found["uses"]]
        ]

    expected = [
        (RULE, "function", cited.commit),
        ("job.py", "use", cited.commit),
        ("job.py", "import", cited.commit),
    ]
    assert places() == expected
    changed(shop, folder, "rm", "-q", "job.py")
    assert places() == expected


def test_A5_a_changed_citation_shows_what_became_of_its_lines(
    mei: User, cited: Evidence, shop: Repository, folder: Path
) -> None:
    at = f"evidence/{cited.pk}/change"
    assert {line["kind"] for line in got(mei, at)["lines"]} == {"same"}
    rule = folder / RULE
    text = TEXT.replace(
        "    return refund.attempts",
        "    if refund.old:\n        return False\n    return refund.attempts",
    )
    rule.write_text("# A line before.\n" + text.replace("< MAX", "<= MAX"), encoding="utf-8")
    changed(shop, folder, "add", RULE)
    found = got(mei, at)
    assert found["unavailable"] is None
    assert found["commit"] == shop.branches.get().indexed_commit != cited.commit
    kinds = [(line["kind"], line["before"], line["now"], line["text"]) for line in found["lines"]]
    assert kinds[-6:] == [
        ("same", 5, 6, "def retry(refund):"),
        ("same", 6, 7, '    """Try again."""'),
        ("gone", 7, None, "    return refund.attempts < MAX_ATTEMPTS"),
        ("new", None, 8, "    if refund.old:"),
        ("new", None, 9, "        return False"),
        ("new", None, 10, "    return refund.attempts <= MAX_ATTEMPTS"),
    ]
    assert "hunter2" not in str(found)


def test_A5_a_file_that_went_has_nothing_to_compare(
    mei: User, cited: Evidence, shop: Repository, folder: Path
) -> None:
    changed(shop, folder, "rm", "-q", RULE)
    found = got(mei, f"evidence/{cited.pk}/change")
    assert (found["lines"], found["unavailable"]) == ([], "missing_file")


def test_A5_a_deleted_file_still_opens_at_its_commit_and_says_so(
    mei: User, cited: Evidence, shop: Repository, folder: Path
) -> None:
    changed(shop, folder, "rm", "-q", RULE)
    opened = got(mei, f"evidence/{cited.pk}", context=0)
    assert [line["number"] for line in opened["lines"]] == [5, 6, 7]
    told = {key: opened[key] for key in ("valid", "changed_since", "gone", "missing")}
    assert told == {"valid": True, "changed_since": True, "gone": True, "missing": False}
    (state,) = got(mei, "evidence", ids=cited.pk)["results"]
    assert state["gone"]
    assert got(mei, f"evidence/{cited.pk}/outline")["symbols"]
    assert got(mei, f"evidence/{cited.pk}/blame")["spans"]


def test_C7_lines_open_at_an_indexed_or_cited_commit_and_at_no_other(
    mei: User, cited: Evidence, shop: Repository, folder: Path
) -> None:
    at = f"repositories/{shop.pk}/lines"
    opened = got(mei, at, commit=cited.commit, path=RULE, start=1, end=2, context=1)
    assert [(line["number"], line["cited"]) for line in opened["lines"]] == [
        *((1, True), (2, True)),
        (3, False),
    ]
    assert "hunter2" not in str(opened)
    assert (opened["total_lines"], opened["branch"], opened["unavailable"]) == (7, "main", None)
    subprocess.run(
        ["git", *shops.IDENTITY, "commit", "-q", "--allow-empty", "-m", "Between."],
        cwd=folder,
        check=True,
    )
    between = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()
    changed(shop, folder, "rm", "-q", RULE)
    assert got(mei, at, commit=cited.commit, path=RULE)["lines"]
    client = browser(mei)
    for refused in (
        {"commit": between, "path": RULE},
        {"commit": cited.commit, "path": "../etc/passwd"},
        {"commit": cited.commit, "path": RULE, "start": 900},
    ):
        assert client.get(f"/api/{at}", refused).status_code == 404
    for wrong in ({"commit": "main", "path": RULE}, {"commit": cited.commit}):
        assert client.get(f"/api/{at}", wrong).status_code == 400


def test_C7_lines_and_history_are_for_those_who_read_the_code_now(
    mei: User, cited: Evidence, shop: Repository
) -> None:
    at = f"/api/repositories/{shop.pk}/lines"
    query = {"commit": cited.commit, "path": RULE}
    colleague = company.person("li", Group.objects.get(name="product"))
    assert browser(colleague).get(at, query).status_code == 200
    administrator = company.person("root")
    roles.grant(administrator, "administrator", by=None)
    mei.groups.clear()
    for person in (mei, administrator):
        client = browser(person)
        assert client.get(at, query).status_code == 404
        for part in ("outline", "blame", "log", "symbol?name=retry"):
            assert client.get(f"/api/evidence/{cited.pk}/{part}").status_code == 404


def test_A4_lines_are_shown_though_nothing_tells_when_their_commit_was_made(
    mei: User, cited: Evidence, shop: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise mirror.MissingFile("there is no commit")

    monkeypatch.setattr(mirror, "committed_at", gone)
    opened = got(mei, f"repositories/{shop.pk}/lines", commit=cited.commit, path=RULE)
    assert (opened["committed_at"], opened["total_lines"]) == (None, 7)


def test_C10_an_auditors_reading_of_lines_leaves_a_line(shop: Repository) -> None:
    auditor = company.person("audit")
    roles.grant(auditor, "auditor", by=None)
    commit = shop.branches.get().indexed_commit
    got(auditor, f"repositories/{shop.pk}/lines", commit=commit, path=RULE)
    (line,) = auditor.audit_lines.all()
    assert (line.action, line.object) == ("code_read", f"repository:{shop.pk}")


def test_A4_a_plain_folder_says_that_it_has_no_history(mei: User, cited: Evidence) -> None:
    Repository.objects.update(kind=Repository.Kind.DIRECTORY)
    for part, empty in (("blame", "spans"), ("log", "commits")):
        told = got(mei, f"evidence/{cited.pk}/{part}")
        assert (told[empty], told["unavailable"]) == ([], "no_history")
