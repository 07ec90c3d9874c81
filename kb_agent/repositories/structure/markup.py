"""Finds the named parts of markup: elements with ids, blocks, forms and scripts of pages."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kb_agent.repositories.structure import parsing
from kb_agent.repositories.structure.parsing import Definition

_ATTRIBUTES = r"""(?:[^<>"']|"[^"]*"|'[^']*')*?"""
_ELEMENT = re.compile(
    rf"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<(?P<close>/?)(?P<tag>[\w:.-]+)(?P<attributes>{_ATTRIBUTES})(?P<empty>/?)>",
    re.DOTALL,
)
_NAMED = re.compile(
    r"""(?<![\w:.-])(id|name|t-name|android:name|key)\s*=\s*["']([^"'<>\n]{1,120})["']"""
)
_SPACE = re.compile(r"""\bnamespace\s*=\s*["']([\w.]+)["']""")
# An element deeper than this belongs to the one above it that has a name.
DEEPEST_ELEMENT = 5
LONG_ELEMENT = 60
# What opens and closes a part of a page: Django, Jinja and Twig blocks and macros, forms, tables, dialogs, fragments.
_PAGE = re.compile(
    r"<!--.*?-->|\{%[-+]?\s*(?P<end>end)?(?P<block>block|macro|partialdef)\b\s*(?P<of>[\w.-]+)?[^%]*%\}"
    rf"|<(?P<close>/?)(?P<tag>(?:[\w-]+[:-])?(?:form|dialog|drawer|modal|table|tab-pane|fieldset|template|script|style))(?![\w-])(?P<attributes>{_ATTRIBUTES})(?P<empty>/?)>"
    rf"|<(?P<fragment>\w+)(?P<said>\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*?\bth:fragment\s*=\s*[\"'][^\"']+[\"']{_ATTRIBUTES})>",
    re.DOTALL,
)
_CALLED = re.compile(
    r"""(?<![\w-])(th:fragment|id|name|ref|title|:title|label|modelAttribute|th:object|:model|action|th:action|v-slot:(?P<slot>\w+))"""
    r"""(?:\s*=\s*["']([^"'\n]{1,120})["'])?"""
)
_WORDS = re.compile(r"[\w\u3400-\u9fff-]+")
_CODE_SCRIPT = re.compile(
    r"""\btype\s*=\s*["'](?!module|text/(?:java|type)script|text/babel)[^"']+["']"""
)


@dataclass
class _Open:
    """A tag that is not closed yet; `name` is empty for one that is no part."""

    tag: str
    name: str
    first: int
    kind: str = "section"


class _Rows:
    """The line on which an offset of a text lies, from 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def of(self, offset: int) -> int:
        return bisect_right(self._starts, offset)


def elements(text: str) -> list[Definition]:
    """Elements of an XML file that have an id or a name: statements of a mapper, beans, records, texts."""
    rows = _Rows(text)
    stack: list[_Open] = []
    found: list[Definition] = []
    space = ""
    for match in _ELEMENT.finditer(text):
        tag = match["tag"]
        if tag is None:
            continue
        row = rows.of(match.start())
        if match["close"]:
            found += _closed(stack, tag, row)
            continue
        if not stack and (named := _SPACE.search(match["attributes"])):
            space = named[1].rpartition(".")[2]
        called = _NAMED.search(match["attributes"]) if len(stack) <= DEEPEST_ELEMENT else None
        name = called[2] if called and stack else ""
        if match["empty"]:
            found += [_part(name, "element", row, rows.of(match.end() - 1))] if name else []
        else:
            stack.append(_Open(tag, name, row, "element"))
    last = text.count("\n") + 1
    found += [_part(each.name, each.kind, each.first, last) for each in stack if each.name]
    return [
        replace(each, qualified=f"{space}.{each.name}") if space else each
        for each in _outermost(found)
    ]


def _closed(stack: list[_Open], tag: str, row: int) -> Iterator[Definition]:
    """The part that a closing tag ends, and those within it that were never closed."""
    at = next((i for i in reversed(range(len(stack))) if stack[i].tag == tag), None)
    if at is not None:
        yield from (
            _part(each.name, each.kind, each.first, row) for each in stack[at:] if each.name
        )
        del stack[at:]


def _part(name: str, kind: str, first: int, last: int) -> Definition:
    return Definition(name[:200], name[:300], kind, first, last)


def _outermost(found: list[Definition]) -> Iterator[Definition]:
    """Parts in order without those inside another, unless that one is long."""
    until = 0
    for part in sorted(found, key=lambda each: (each.start_line, -each.end_line)):
        if part.end_line > until or part.start_line > until:
            yield part
            if part.end_line - part.start_line < LONG_ELEMENT:
                until = part.end_line


def page(text: str, language: str) -> list[Definition]:
    """The blocks, forms, tables, dialogs and fragments of a page, and the functions of its scripts.

    A part of kind "code" is a stretch of script between functions; of kind "text" a style. They are no symbols.
    """
    rows = _Rows(text)
    stack: list[_Open] = []
    found: list[Definition] = []
    scripts: list[tuple[int, int]] = []
    for match in _PAGE.finditer(text):
        row = rows.of(match.start())
        if match["fragment"]:
            last = rows.of(_end_of(match["fragment"], text, match.end()))
            found.append(_part(_called(match["said"]), "section", row, last))
        elif (opened := _opened(match, row, language)) is not None:
            stack.append(opened)
        elif tag := match["block"] or match["tag"]:
            closed = list(_closed(stack, tag, row))
            scripts += [(each.start_line, row) for each in closed if each.kind == "code"]
            found += closed
    found += _functions(text, scripts, language)
    return sorted(found, key=lambda each: (each.start_line, -each.end_line))


def _end_of(tag: str, text: str, start: int) -> int:
    """Where the element whose opening tag ends at `start` is closed."""
    deep = 1
    for match in re.finditer(rf"<(/?){tag}(?![\w-])[^<>]*>", text[start:]):
        deep += -1 if match[1] else not match[0].endswith("/>")
        if deep == 0:
            return start + match.start()
    return start


def _opened(match: re.Match[str], row: int, language: str) -> _Open | None:
    if match["block"] and not match["end"]:
        return _Open(match["block"], match["of"] or "", row)
    tag = match["tag"]
    if tag is None or match["close"] or match["empty"]:
        return None
    if tag == "script":
        code = _CODE_SCRIPT.search(match["attributes"]) is None
        return _Open(tag, tag, row, "code" if code else "text")
    if tag == "style":
        return _Open(tag, tag, row, "text")
    if tag == "template" and language == "vue" and not match["attributes"].strip():
        return _Open(tag, "", row)
    return _Open(tag, _called(match["attributes"]), row)


def _called(attributes: str) -> str:
    """What a part is called by its attributes, the last words of a path or an expression."""
    for match in _CALLED.finditer(attributes):
        said = match["slot"] or match[3] or ""
        words = _WORDS.findall(re.sub(r"\{[%{].*?[%}]\}|\?.*|\(.*", " ", said))
        if words:
            return " ".join(words[-3:])
    return ""


def _functions(text: str, scripts: list[tuple[int, int]], language: str) -> Iterator[Definition]:
    """The definitions of a page's scripts; everything else is blanked so that lines stay."""
    if not scripts or (language == "html" and "function" not in text and "=>" not in text):
        return
    lines = text.split("\n")
    kept = [""] * len(lines)
    for first, last in scripts:
        if last > first:
            kept[first : last - 1] = lines[first : last - 1]
        else:  # all on one line
            kept[first - 1] = re.sub(r"^.*<script[^>]*>|</script.*$", "", lines[first - 1])
    if any(line.strip() for line in kept):
        grammar = "typescript" if language == "vue" else "javascript"
        yield from parsing.definitions("\n".join(kept).encode(), grammar)
