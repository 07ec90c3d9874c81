"""Tells what stands on a line where a name is met: a use, an import, a text or a comment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kb_agent.repositories.structure import languages

if TYPE_CHECKING:
    from tree_sitter import Node

# In the order of what they say about who depends on the name.
USE, IMPORT, TEXT, COMMENT = "use", "import", "text", "comment"
KINDS = (USE, IMPORT, TEXT, COMMENT)
LONGEST_PARSED = 400_000
CLIMBED = 12
_INSIDE_TEXT = re.compile(r"interpolation|template_substitution|format_expression|jsx_expression")
_IMPORT = re.compile(r"import|using_directive|use_declaration|package|include|namespace_use")
_TEXT = re.compile(r"string|heredoc|char_literal|raw_text|jsx_text")
_COMMENT_LINE = re.compile(r"^\s*(#|//|/\*|\*|--\s|<!--|;|\{#|\{% comment)")
_IMPORT_LINE = re.compile(r"^\s*(import\s|from\s+\S+\s+import\s|#include|using\s|require|use\s)")


def exact(name: str) -> re.Pattern[str]:
    """Where the name stands as a whole, and not as a part of another."""
    return re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")


def lines(text: list[str], path: str, name: str) -> dict[int, str]:
    """The kind of each line on which the name stands, by its number; of several the first of `KINDS`."""
    pattern = exact(name)
    met = {
        number: [match.start() for match in pattern.finditer(line)]
        for number, line in enumerate(text, 1)
        if pattern.search(line)
    }
    if not met:
        return {}
    language = languages.language(path)
    root = _parsed("\n".join(text), language)
    if root is None:
        return {number: _by_line(text[number - 1], language) for number in met}
    return {
        number: min((_by_tree(root, text, number, at) for at in places), key=KINDS.index)
        for number, places in met.items()
    }


def _parsed(text: str, language: str) -> Node | None:
    if language not in languages.STRUCTURES or len(text) > LONGEST_PARSED:
        return None
    return languages.parser(language).parse(text.encode()).root_node


def _by_tree(root: Node, text: list[str], number: int, at: int) -> str:
    """By the node the name stands in, and those around that."""
    column = len(text[number - 1][:at].encode())
    node = root.descendant_for_point_range((number - 1, column), (number - 1, column + 1))
    for _ in range(CLIMBED):
        if node is None or _INSIDE_TEXT.search(node.type):
            break
        if "comment" in node.type:
            return COMMENT
        if _IMPORT.search(node.type):
            return IMPORT
        if _TEXT.search(node.type):
            return COMMENT if _says_what_for(node) else TEXT
        node = node.parent
    return USE


def _says_what_for(node: Node) -> bool:
    """Whether a string is a statement of its own: a docstring."""
    while node.parent is not None and _TEXT.search(node.parent.type):
        node = node.parent
    return node.parent is not None and node.parent.type == "expression_statement"


def _by_line(line: str, language: str) -> str:
    if _COMMENT_LINE.match(line) and language != "markdown":
        return COMMENT
    if language in languages.STRUCTURES:
        return IMPORT if _IMPORT_LINE.match(line) else USE
    return TEXT
