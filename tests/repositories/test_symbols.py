"""A4: where a name is defined and used, at the indexed commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb_agent.repositories import registry, symbols
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
    assert [(each.path, each.start_line, each.end_line) for each in found.uses] == [
        ("job.py", 1, 2),
        ("job.py", 4, 5),
    ]
    assert found.uses[1].excerpt.split("\n")[1] == "    return retry_refund(refund, gateway)"


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
