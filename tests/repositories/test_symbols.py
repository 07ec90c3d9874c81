"""A4: where a name is defined and used, at the indexed commit."""

from __future__ import annotations

import pytest

from kb_agent.repositories import symbols
from tests.repositories.code import REFUND, Code, indexed

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
