"""Cuts a text into chunks that follow the code's own structure, with the symbols it defines (C4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kb_agent.repositories import languages, naming

if TYPE_CHECKING:
    from tree_sitter import Node

LONGEST_UNIT = 60
LONGEST_BETWEEN = 40
# A class so short is read whole, with its methods.
SHORT_CLASS = 12
DEEPEST = 30
NAME_TYPES = (
    "identifier",
    "type_identifier",
    "simple_identifier",
    "property_identifier",
    "name",
    "constant",
)


@dataclass(frozen=True)
class Definition:
    """A class, function or the like; lines are 1-based and inclusive."""

    name: str
    qualified: str
    kind: str
    start_line: int
    end_line: int
    holds: bool = False
    from_line: int = 0
    """Where it begins with the comment above it."""
    labels: tuple[str, ...] = ()
    """What people call it: the first line of its docstring, `verbose_name` and the like."""


@dataclass(frozen=True)
class Chunk:
    """A stretch of lines; `symbol` is the definition it belongs to, if any.

    `names` are those set between definitions, `labels` what people call the class it stands in.
    """

    kind: str
    symbol: str
    start_line: int
    end_line: int
    names: str = ""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Structure:
    """What a text holds."""

    chunks: tuple[Chunk, ...]
    definitions: tuple[Definition, ...] = ()


def cut(text: str, lines: list[str], language: str) -> Structure:
    """Chunks covering every line that says something, in order."""
    if language in languages.STRUCTURES:
        definitions = tuple(_definitions(text.encode(), language))
    elif language == "vue":
        definitions = tuple(_script_definitions(lines))
    elif language == "markdown":
        definitions = tuple(_sections(lines, naming.headings(lines)))
    elif language == "text":
        definitions = tuple(_sections(lines, naming.underlined(lines)))
    else:
        definitions = ()
    definitions = (
        tuple(_labelled(lines, definitions)) if language in languages.STRUCTURES else definitions
    )
    return Structure(tuple(_chunks(lines, definitions, language)), definitions)


def _labelled(lines: list[str], definitions: tuple[Definition, ...]) -> Iterator[Definition]:
    for definition in definitions:
        if definition.holds:
            own = lines[definition.start_line - 1 : definition.end_line]
            yield replace(definition, labels=naming.labels(own))
        else:
            yield definition


def _definitions(source: bytes, language: str) -> Iterator[Definition]:
    rules = languages.STRUCTURES[language]
    root = languages.parser(language).parse(source).root_node
    stack: list[tuple[Node, str, int]] = [(root, "", 0)]
    while stack:
        node, owner, depth = stack.pop()
        for child in reversed(node.named_children):
            kind = child.type
            holds = kind in rules.holders
            name = _name(child) if holds or kind in rules.units else ""
            if name and (holds or _is_unit(child)):
                qualified = f"{owner}.{name}" if owner else name
                yield _definition(child, name, qualified, holds=holds)
                if holds and depth < DEEPEST:
                    body = child.child_by_field_name("body") or child
                    stack.append((body, qualified, depth + 1))
            elif depth < DEEPEST and (
                kind in rules.through or kind in rules.holders or kind == "variable_declarator"
            ):
                stack.append((child, owner, depth + 1))


def _definition(node: Node, name: str, qualified: str, *, holds: bool) -> Definition:
    outer = (
        node.parent
        if node.parent is not None and node.parent.type == "decorated_definition"
        else node
    )
    kind = "class" if holds else "function"
    if node.type.startswith(("type", "struct", "enum", "property")):
        kind = "type"
    return Definition(
        name[:200],
        qualified[:300],
        kind,
        outer.start_point.row + 1,
        max(_last_row(outer), outer.start_point.row) + 1,
        holds,
    )


def _last_row(node: Node) -> int:
    """The row of the node's last character; some grammars end a node at the start of the next line."""
    row, column = node.end_point
    return row if column else row - 1


def _is_unit(node: Node) -> bool:
    """Whether a node is a definition; a variable or a pair only is when it holds a function."""
    if node.type not in {"variable_declarator", "pair"}:
        return True
    value = node.child_by_field_name("value")
    return value is not None and value.type in {"arrow_function", "function_expression", "function"}


def _name(node: Node) -> str:
    named = (
        node.child_by_field_name("name")
        or node.child_by_field_name("key")
        or _declared(node)
        or node.child_by_field_name("type")
        or next((child for child in node.named_children if child.type in NAME_TYPES), None)
    )
    if named is None and node.type == "type_declaration":
        return next((_name(child) for child in node.named_children), "")
    if named is None or named.text is None:
        return ""
    words = re.findall(r"[\w$]+", named.text.decode(errors="replace").split("(")[0])
    return str(words[-1]) if words else ""


def _declared(node: Node) -> Node | None:
    """The innermost declarator of a C definition, where its name stands."""
    found = node.child_by_field_name("declarator")
    while found is not None and (inner := found.child_by_field_name("declarator")) is not None:
        found = inner
    return found


def _script_definitions(lines: list[str]) -> Iterator[Definition]:
    """A Vue file's script, read as TypeScript with everything else blanked so that lines stay."""
    inside = False
    kept: list[str] = []
    for line in lines:
        if inside and line.lstrip().startswith("</script"):
            inside = False
        kept.append(line if inside else "")
        if line.lstrip().startswith("<script"):
            inside = True
    yield from _definitions("\n".join(kept).encode(), "typescript")


def _sections(lines: list[str], heads: list[tuple[int, str]]) -> Iterator[Definition]:
    for index, (number, title) in enumerate(heads):
        end = heads[index + 1][0] - 1 if index + 1 < len(heads) else len(lines)
        yield Definition(title[:200], title[:300], "section", number, end)


def _chunks(
    lines: list[str], definitions: tuple[Definition, ...], language: str
) -> Iterator[Chunk]:
    """Each definition's own lines as one chunk or, when long, several; the rest by the nearest holder."""
    owner: list[Definition | None] = [None] * len(lines)
    labels: list[tuple[str, ...]] = [()] * len(lines)
    whole_until = 0
    for definition in definitions:  # outer definitions come first, so the innermost wins
        first = min(definition.from_line or definition.start_line, definition.start_line)
        last = min(definition.end_line, len(lines))
        if definition.end_line <= whole_until:
            continue
        if definition.holds and definition.end_line - definition.start_line < SHORT_CLASS:
            whole_until = definition.end_line
        for row in range(first - 1, last):
            owner[row] = definition
            if definition.labels:
                labels[row] = definition.labels
    start = 0
    for row in range(1, len(lines) + 1):
        if row < len(lines) and owner[row] is owner[start]:
            continue
        yield from _pieces(lines, (start, row), (owner[start], labels[start]), language)
        start = row


def _pieces(
    lines: list[str],
    rows: tuple[int, int],
    owned: tuple[Definition | None, tuple[str, ...]],
    language: str,
) -> Iterator[Chunk]:
    """Rows of one owner (end excluded), blank edges dropped, cut where little is nested."""
    start, end = rows
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    definition, labels = owned
    structured = language in languages.STRUCTURES
    kind = definition.kind if definition else ("code" if structured else "text")
    symbol = definition.qualified if definition else ""
    longest = LONGEST_UNIT if definition else LONGEST_BETWEEN
    while start < end:
        row = end
        if end - start > longest:
            row = _best_cut(lines, start + longest // 2, start + longest)
        names = naming.set_here(lines[start:row]) if definition is None and structured else ""
        yield Chunk(kind, symbol, start + 1, row, names, labels)
        start = row


def _best_cut(lines: list[str], low: int, high: int) -> int:
    """The row in low..high that begins the least nested line, after a blank one when there is a choice."""

    def cost(row: int) -> tuple[int, int, int]:
        line = lines[row]
        indent = len(line) - len(line.lstrip()) if line.strip() else 200
        return indent, 0 if not lines[row - 1].strip() else 1, abs(row - (low + high) // 2)

    return min(range(low, high), key=cost)
