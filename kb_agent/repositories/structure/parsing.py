"""Reads the definitions of a text off the tree that its language's grammar gives (C4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from kb_agent.repositories.structure import languages

if TYPE_CHECKING:
    from tree_sitter import Node

DEEPEST = 30
# What a grammar calls the name of a definition, where it has no field for it.
NAME_TYPES = frozenset(
    [
        *("identifier", "type_identifier", "simple_identifier", "property_identifier", "name"),
        *("constant", "message_name", "service_name", "enum_name", "rpc_name"),
    ]
)
FUNCTIONS = frozenset(
    [
        *("arrow_function", "function_expression", "function", "generator_function"),
        *("lambda_literal", "anonymous_function"),
    ]
)
# Definitions only where a function is what they hold.
VALUES = frozenset(["variable_declarator", "pair", "assignment_expression", "field_definition"])
VALUES |= {"public_field_definition"}
# Definitions of a line or two that say nothing alone: symbols, but no chunks of their own.
THIN = frozenset(
    [
        *("property_declaration", "public_field_definition", "field_definition", "type_item"),
        *("method_signature", "abstract_method_signature", "function_signature", "method_elem"),
        *("method_spec", "delegate_declaration", "type_alias", "preproc_function_def", "rpc"),
    ]
)
SHORT = 4
# Where a definition of Python begins that stands in no other.
MARGIN = re.compile(rb"^(?:@[^\n]*\n)*(?:class|def|async def)\b", re.MULTILINE)
WRAPPERS = frozenset(["decorated_definition", "export_statement", "template_declaration"])


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
    thin: bool = False
    """Whether it is read with what stands around it, as no chunk of its own."""


def definitions(source: bytes, language: str) -> list[Definition]:
    """The definitions of a source in the order of their lines, outer ones first.

    What a grammar cannot read is looked into for what it can.
    """
    root = languages.parser(language).parse(source).root_node
    broken = language == "python" and root.has_error
    found = list(_apart(source) if broken else _walk(root, language))
    return sorted(found, key=lambda each: (each.start_line, -each.end_line))


def _apart(source: bytes) -> Iterator[Definition]:
    """What stands at the margin, each read alone: an open bracket of one swallows no other."""
    starts = [0, *(match.start() for match in MARGIN.finditer(source)), len(source)]
    for start, end in pairwise(starts):
        row = source.count(b"\n", 0, start)
        root = languages.parser("python").parse(source[start:end]).root_node
        for each in _walk(root, "python"):
            first, last = each.start_line + row, each.end_line + row
            yield replace(each, start_line=first, end_line=last)


def _walk(root: Node, language: str) -> Iterator[Definition]:
    rules = languages.STRUCTURES[language]
    stack: list[tuple[Node, str, int]] = [(root, "", 0)]
    while stack:
        node, owner, depth = stack.pop()
        for child in node.named_children:
            kind = child.type
            holds = kind in rules.holders or _wraps_function(child)
            name = _name(child) if holds or kind in rules.units else ""
            if name and (holds or _is_unit(child)):
                above = ".".join(part for part in (owner, _owner(child)) if part)
                qualified = f"{above}.{name}" if above else name
                yield _definition(child, name, qualified, holds=holds)
                if holds and depth < DEEPEST:
                    body = child.child_by_field_name("body") or child
                    stack.append((body, qualified, depth + 1))
            elif depth < DEEPEST and (
                kind in rules.through or kind in rules.holders or kind in {"ERROR", *VALUES}
            ):
                stack.append((child, owner, depth + 1))


def _definition(node: Node, name: str, qualified: str, *, holds: bool) -> Definition:
    outer = node
    while outer.parent is not None and outer.parent.type in WRAPPERS:
        outer = outer.parent
    kind = "class" if holds and node.type not in VALUES else "function"
    if node.type.startswith(("type", "struct", "enum", "property", "delegate")):
        kind = "type"
    first = outer.start_point.row + 1
    last = max(_last_row(outer), outer.start_point.row) + 1
    thin = node.type in THIN and last - first + 1 < SHORT
    return Definition(name[:200], qualified[:300], kind, first, last, holds, thin=thin)


def _last_row(node: Node) -> int:
    """The row of the node's last character; some grammars end a node at the start of the next line."""
    row, column = node.end_point
    return row if column else row - 1


def _is_unit(node: Node) -> bool:
    """Whether a node is a definition; a variable, a pair or an assignment only is when it holds a function."""
    if node.type not in VALUES:
        return True
    value = _value(node)
    return value is not None and value.type in FUNCTIONS


def _wraps_function(node: Node) -> bool:
    """A name given to a call that takes a function, as stores and components are made."""
    if node.type != "variable_declarator":
        return False
    value = _value(node)
    if value is None or value.type != "call_expression":
        return False
    given = value.child_by_field_name("arguments")
    return given is not None and any(each.type in FUNCTIONS for each in given.named_children)


def _value(node: Node) -> Node | None:
    return node.child_by_field_name("value") or node.child_by_field_name("right")


def _name(node: Node) -> str:
    named = (
        node.child_by_field_name("name")
        or node.child_by_field_name("property")
        or node.child_by_field_name("key")
        or node.child_by_field_name("left")
        or _declared(node)
        or node.child_by_field_name("type")
        or next((child for child in node.named_children if child.type in NAME_TYPES), None)
        or next((c for c in node.named_children if c.type == "variable_declaration"), None)
    )
    if named is None or named.text is None:
        return ""
    words = re.findall(r"[\w$]+", re.split(r"[(:<]", _last_part(named.text))[0])
    return str(words[-1]) if words else ""


def _last_part(text: bytes) -> str:
    """`Order::cancel` is called cancel."""
    return text.decode(errors="replace").rpartition("::")[2]


def _owner(node: Node) -> str:
    """The type a function belongs to that stands outside it: a Go receiver, `Order::cancel`, a prototype."""
    receiver = node.child_by_field_name("receiver")
    if node.type == "method_declaration" and receiver is not None and receiver.text:
        words = re.findall(r"\w+", receiver.text.decode(errors="replace").partition("[")[0])
        return str(words[-1]) if words else ""
    declared = _declared(node) if node.type == "function_definition" else None
    if declared is not None and declared.text and b"::" in declared.text:
        words = re.findall(r"\w+", declared.text.decode(errors="replace").rpartition("::")[0])
        return str(words[-1]) if words else ""
    left = node.child_by_field_name("left") if node.type == "assignment_expression" else None
    if left is not None and left.text and b".prototype." in left.text:
        return left.text.decode(errors="replace").partition(".prototype.")[0].rpartition(".")[2]
    return ""


def _declared(node: Node) -> Node | None:
    """The innermost declarator of a C definition, where its name stands."""
    found = node.child_by_field_name("declarator")
    while found is not None and (inner := found.child_by_field_name("declarator")) is not None:
        found = inner
    return found
