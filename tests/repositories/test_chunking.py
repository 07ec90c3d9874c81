"""C4: chunks follow the code's own structure, and cover every line that says something once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_agent.repositories import text
from kb_agent.repositories.structure import chunking

PYTHON = '''"""Orders."""

LIMIT = 3


class Order:
    """An order."""

    status = "new"

    @property
    def total(self):
        return 1

    def cancel(self):
        def inner():
            return 2
        return inner()


async def expire():
    return None
'''
SAMPLES = {
    "python": (PYTHON, {"Order", "Order.total", "Order.cancel", "expire"}),
    "java": (
        "class Order {\n  int total;\n  void cancel() {\n    total = 0;\n  }\n}\n",
        {"Order", "Order.cancel"},
    ),
    "kotlin": (
        "class Order {\n  fun cancel() {\n    println(1)\n  }\n}\n",
        {"Order", "Order.cancel"},
    ),
    "go": (
        "package shop\n\ntype Order struct {\n  Total int\n}\n\nfunc (o *Order) Cancel() {\n  o.Total = 0\n}\n",
        {"Order", "Order.Cancel"},
    ),
    "javascript": (
        "export const cancel = (order) => {\n  return order\n}\n\nfunction expire() {\n  return 1\n}\n",
        {"cancel", "expire"},
    ),
    "typescript": (
        "interface Order { total: number }\n\nexport class Shop {\n  cancel(order: Order) {\n    return order\n  }\n}\n",
        {"Order", "Shop", "Shop.cancel"},
    ),
    "vue": (
        "<template>\n  <p/>\n</template>\n<script setup lang='ts'>\nfunction cancel() {\n  return 1\n}\n</script>\n",
        {"cancel"},
    ),
    "csharp": (
        "namespace Shop {\n  class Order {\n    void Cancel() {\n    }\n  }\n}\n",
        {"Order", "Order.Cancel"},
    ),
    "php": (
        "<?php\nclass Order {\n  function cancel() {\n    return 1;\n  }\n}\n",
        {"Order", "Order.cancel"},
    ),
    "ruby": ("class Order\n  def cancel\n    1\n  end\nend\n", {"Order", "Order.cancel"}),
    "rust": (
        "struct Order { total: u8 }\n\nimpl Order {\n  fn cancel(&self) -> u8 {\n    1\n  }\n}\n",
        {"Order", "Order.cancel"},
    ),
    "c": ("int cancel(int order) {\n  return 0;\n}\n", {"cancel"}),
    "cpp": ("class Order {\n  int cancel() {\n    return 0;\n  }\n};\n", {"Order", "Order.cancel"}),
    "markdown": (
        "# Orders\n\nText.\n\n## Cancel\n\nMore.\n\n```\n# no heading\n```\n",
        {"Orders", "Cancel"},
    ),
}


def cut(source: str, language: str) -> chunking.Structure:
    """The structure of a source."""
    return chunking.cut(source, text.lines(source), language)


@pytest.mark.parametrize("language", SAMPLES)
def test_C4_definitions_are_found_in_the_languages_companies_use(language: str) -> None:
    source, symbols = SAMPLES[language]
    assert {found.qualified for found in cut(source, language).definitions} == symbols


def test_C4_a_method_is_a_chunk_with_its_decorator_and_a_class_keeps_the_rest() -> None:
    chunks = {
        (chunk.symbol, chunk.start_line, chunk.end_line) for chunk in cut(PYTHON, "python").chunks
    }
    assert chunks == {
        ("", 1, 3),
        ("Order", 6, 9),
        ("Order.total", 11, 13),
        ("Order.cancel", 15, 18),
        ("expire", 21, 22),
    }


def test_C4_a_long_function_is_cut_where_little_is_nested() -> None:
    body = "".join(
        f"    if order == {n}:\n        first()\n        second()\n\n" for n in range(100)
    )
    chunks = cut(f"def long(order):\n{body}", "python").chunks
    assert len(chunks) > 3
    assert {chunk.symbol for chunk in chunks} == {"long"}
    assert all(chunk.end_line - chunk.start_line < chunking.LONGEST_UNIT for chunk in chunks)


def test_C4_a_grammar_that_fails_half_way_still_gives_every_line() -> None:
    broken = PYTHON.replace("return 2", "return ((2")
    covered = {
        n
        for chunk in cut(broken, "python").chunks
        for n in range(chunk.start_line, chunk.end_line + 1)
    }
    assert covered >= {number for number, line in enumerate(broken.splitlines(), 1) if line.strip()}


@given(
    st.lists(
        st.sampled_from(
            ["class A:", "    def f(self):", "        x = 1", "", "y = (", "退款 = 2", "\tz"]
        ),
        max_size=60,
    )
)
def test_C4_every_line_that_says_something_lies_in_exactly_one_chunk(lines: list[str]) -> None:
    source = "\n".join(lines)
    for language in ("python", "", "markdown", "java"):
        covered = [
            number
            for chunk in cut(source, language).chunks
            for number in range(chunk.start_line, chunk.end_line + 1)
        ]
        assert len(covered) == len(set(covered))
        assert set(covered) >= {number for number, line in enumerate(lines, 1) if line.strip()}
