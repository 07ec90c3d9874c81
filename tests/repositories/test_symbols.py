"""A4: where a name is defined and used, at the indexed commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb_agent.repositories import mirror
from kb_agent.repositories.indexing import outline
from kb_agent.repositories.mirror import registry
from kb_agent.repositories.search import symbols
from tests.repositories.code import REFUND, Code, index, indexed

pytestmark = pytest.mark.django_db
USE = "from refund import retry_refund\n\n\ndef job(refund, gateway):\n    return retry_refund(refund, gateway)\n"


def test_A4_definitions_and_uses_of_a_name_are_told_apart(code: Code) -> None:
    code.commit(
        {"refund.py": REFUND, "job.py": USE, "near.py": "def retry_refunds():\n    return 1\n"}
    )
    found = symbols.find("retry_refund", [indexed(code).pk])
    assert [
        (each.path, each.start_line, each.end_line, each.kind) for each in found.definitions
    ] == [("refund.py", 4, 9, "function")]
    assert [(each.path, each.start_line, each.end_line, each.kind) for each in found.uses] == [
        ("job.py", 4, 5, "use"),
        ("job.py", 1, 2, "import"),
    ]
    assert found.uses[0].excerpt.split("\n")[1] == "    return retry_refund(refund, gateway)"


MENTIONS = {
    "a_notes.py": '"""Where retry_refund is spoken of."""\n# retry_refund is slow\n',
    "b_text.py": 'TASK = "jobs.retry_refund"\n',
    "c_job.py": USE,
    "d_format.py": 'def told(refund):\n    return f"{retry_refund(refund)} left"\n',
    "tests/test_refund.py": "def test_it():\n    assert retry_refund(None, None)\n",
    "E.java": "class E {\n  // retry_refund\n  void go() { x.retry_refund(); }\n}\n",
    "guide.md": "# Refunds\n\nCall retry_refund.\n",
}


def told(found: symbols.Found) -> list[tuple[str, str]]:
    """Where each use stands, and what it is."""
    return [(each.path, each.kind) for each in found.uses]


def test_A4_what_depends_on_a_name_comes_before_what_speaks_of_it(code: Code) -> None:
    commit = code.commit({"refund.py": REFUND, **MENTIONS})
    repository = indexed(code)
    found = symbols.find("retry_refund", [repository.pk])
    assert told(found) == [
        ("E.java", "use"),
        ("c_job.py", "use"),
        ("d_format.py", "use"),
        ("tests/test_refund.py", "use"),
        ("c_job.py", "import"),
        ("b_text.py", "text"),
        ("guide.md", "text"),
        ("E.java", "comment"),
        ("a_notes.py", "comment"),
        ("a_notes.py", "comment"),
    ]
    assert symbols.find_at("retry_refund", repository, commit=commit, branch="main") == found


def test_A4_a_name_is_found_at_a_commit_that_the_index_has_left(code: Code) -> None:
    old = code.commit({"refund.py": REFUND, "job.py": USE})
    code.commit({"refund.py": None, "job.py": None, "other.py": "x = 1\n"})
    repository = indexed(code)
    assert symbols.find("retry_refund", [repository.pk]) == symbols.Found([], [])
    found = symbols.find_at("retry_refund", repository, commit=old)
    assert [(each.path, each.commit) for each in found.definitions] == [("refund.py", old)]
    assert [each.path for each in found.uses] == ["job.py", "job.py"]
    assert symbols.find_at("no_such_name", repository, commit=old) == symbols.Found([], [])
    assert symbols.find_at("--help", repository, commit=old) == symbols.Found([], [])
    with pytest.raises(mirror.MissingFile):
        symbols.find_at("retry_refund", repository, commit="0" * 40)


def test_A4_an_outline_is_the_same_from_the_index_and_read_on_the_spot(code: Code) -> None:
    source = (
        "class Order:\n    def cancel(self):\n        return 1\n\n\ndef refund():\n    return 2\n"
    )
    old = code.commit({"a.py": source, "README.md": "# Orders\n\nText.\n"})
    code.commit({"a.py": source.replace("cancel", "stop")})
    repository = indexed(code)
    now = repository.branches.get().indexed_commit
    assert [
        (each.symbol, each.kind, each.start_line, each.end_line)
        for each in outline.of(repository, now, "a.py")
    ] == [("Order", "class", 1, 3), ("Order.stop", "function", 2, 3), ("refund", "function", 6, 7)]
    assert [each.symbol for each in outline.of(repository, old, "a.py")] == [
        "Order",
        "Order.cancel",
        "refund",
    ]
    assert outline.on_the_spot(source.replace("cancel", "stop").encode(), "python") == outline.of(
        repository, now, "a.py"
    )
    assert [each.kind for each in outline.of(repository, now, "README.md")] == ["section"]
    with pytest.raises(mirror.MissingFile):
        outline.of(repository, now, "../a.py")


def test_A4_a_dotted_name_means_a_member(code: Code) -> None:
    code.commit(
        {
            "a.py": "class Order:\n    def cancel(self):\n        return 1\n",
            "b.py": "class Job:\n    def cancel(self):\n        return 2\n",
        }
    )
    found = symbols.find("Order.cancel", [indexed(code).pk])
    assert [each.path for each in found.definitions] == ["a.py"]


@pytest.mark.parametrize("name", ["", "...", "no_such_name", "a b", "%", "x" * 5000, "退款"])
def test_A4_a_name_that_is_none_finds_nothing(name: str, code: Code) -> None:
    code.commit({"refund.py": REFUND})
    assert symbols.find(name, [indexed(code).pk]) == symbols.Found([], [])


def test_C2_a_named_branch_is_looked_at_where_there_is_one(code: Code) -> None:
    code.commit({"a.py": REFUND})
    code.git("switch", "--quiet", "--create", "next")
    code.commit({"a.py": "\n\n" + REFUND})
    repository = registry.add("shop", str(code.folder), branches=["main", "next"])
    index(repository)

    def lines(branch: str) -> list[int]:
        found = symbols.find("retry_refund", [repository.pk], branch=branch)
        return [each.start_line for each in found.definitions]

    assert (lines(""), lines("nowhere"), lines("next")) == ([4], [4], [6])


def test_C7_a_file_that_an_unreadable_repository_also_holds_is_shown_from_the_readable_one(
    code: Code, tmp_path: Path
) -> None:
    code.commit({"secret/refund.py": REFUND})
    indexed(code, "hidden")
    other = Code(tmp_path / "other")
    other.commit({"refund.py": REFUND, "job.py": USE})
    found = symbols.find("retry_refund", [indexed(other, "seen").pk])
    assert {(each.repository, each.path) for each in [*found.definitions, *found.uses]} == {
        ("seen", "refund.py"),
        ("seen", "job.py"),
    }
