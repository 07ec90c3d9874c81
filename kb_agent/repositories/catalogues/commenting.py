"""Ties comments in Chinese to the names they stand beside or above: fields, functions, columns, keys (C5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_agent.repositories.catalogues import HAN

Found = tuple[str, str, str, int]
COMMENT = "comment"
_NAME = r"[A-Za-z_$][\w$]*"
_TRAILING = re.compile(
    r"""^(?P<code>[^\u3400-\u9fff]*?[;,{}\w)"'`\]>]\s*)(?://+|/\*+|#+|--)\s*(?P<said>[^*/\n]*[\u3400-\u9fff][^\n]*?)(?:\*/)?\s*$"""
)
_ABOVE = re.compile(
    r"^\s*(?://+|/\*+|\*+|#+|--+|<!--)\s*(?:<summary>|@(?:var|type|desc\w*|brief)\b\s*(?:[\w|\\\[\]]+\s+)?)?\s*(?P<said>[^\n]*?[\u3400-\u9fff][^\n]*?)\s*(?:\*/|-->|</summary>)?\s*$"
)
_BLANK_COMMENT = re.compile(
    r"^\s*(?://+|/\*+|\*+/?|#+|--+)\s*(?:</?\w+>)?\s*(?:@\w+.*)?\s*(?:\*/)?\s*$|^\s*[@\[]"
)
_PARAMETER = re.compile(
    rf"(?:[:@]param(?:eter)?|\\param|<param name=\")\s*(?:\{{[^}}]*\}}\s*|[\w.\[\]]+\s+(?={_NAME}\s*:))?[$`]?(?P<name>{_NAME})[`\">]*\s*[:\uff1a-]?\s*(?P<said>[^\n]*[\u3400-\u9fff][^\n]*)"
)
_COLUMN = re.compile(
    r"""^\s*["`\[]?(?P<name>\w+)["`\]]?\s+\w+[^\n]*?\bCOMMENT\s*=?\s*'(?P<said>[^'\n]*[\u3400-\u9fff][^'\n]*)'""",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"""^\s*\).*?COMMENT\s*=?\s*'(?P<said>[^'\n]*[\u3400-\u9fff][^'\n]*)'""", re.IGNORECASE
)
_TABLE_NAME = re.compile(
    r"^\s*CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?P<name>[\w.`\"\[\]]+)", re.IGNORECASE
)
_COMMENT_ON = re.compile(
    r"""COMMENT\s+ON\s+\w+\s+(?P<name>[\w."]+)\s+IS\s+'(?P<said>[^'\n]*[\u3400-\u9fff][^'\n]*)'""",
    re.IGNORECASE,
)
_DOCSTRING = re.compile(r'^\s*(?:[rRuU]?("""|\'\'\'|"))\s*(?P<said>[^"\n]*[\u3400-\u9fff][^"\n]*)')
_DEFINES = re.compile(rf"^\s*(?:async\s+)?(?:def|class)\s+(?P<name>{_NAME})")
_MODIFIER = r"(?:public|private|protected|static|final|readonly|export|default|async|abstract|override|virtual|internal|open|data|suspend|const|let|var|val|required|optional|repeated|pub)"
_DECLARES = (
    re.compile(
        rf"\b(?:function|func|fun|fn|def|class|interface|enum|struct|trait|record|message|service|rpc|type|module|object)\s+(?:\([^)]*\)\s*)?(?P<name>{_NAME})"
    ),
    re.compile(
        r"^\s*CREATE\s+(?:OR\s+REPLACE\s+)?\w+\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:[`\"\[]?\w+[`\"\]]?\.)?[`\"\[]?(?P<name>\w+)",
        re.IGNORECASE,
    ),
    re.compile(r"""^\s*<\w[\w:.-]*[^>]*?\b(?:id|name)\s*=\s*["'](?P<name>[\w.-]+)["']"""),
    re.compile(rf"^\s*(?:{_MODIFIER}\s+)*(?:[\w.<>\[\],?*&]+\s+)?(?P<name>{_NAME})\s*[?!]?\s*\("),
    re.compile(
        rf"^\s*(?:{_MODIFIER}\s+)*(?:[\w.<>\[\],?*&]+\s+)?[\"'$]?(?P<name>{_NAME})[\"']?\s*[?!]?\s*(?::=|[=:;,{{])"
    ),
    re.compile(r"^\s*(?P<name>[A-Z]\w*)\s+[\w.*\[\]]+(?:\s+`[^`]*`)?\s*$"),
    re.compile(r"^\s*(?P<name>[\w.-]+)\s*[=:]"),
    re.compile(r"^\s*(?P<name>[A-Z][A-Z0-9_]+)\s*[,;]?\s*$"),
)
# What begins a line that declares nothing.
_DOES = re.compile(
    r"^\s*(?:if|else|elif|for|while|switch|case(?!\s+\w+\s*=)|return|try|catch|finally|throw|raise|import|from|package|using|use|await|new|super|this\.|self\.|break|continue|with|assert|print|log|delete|yield|require|include|end|do|SELECT|FROM|WHERE|AND|OR)\b|^\s*[}\])]|^\s*[\w.$]+\.\w+\("
)


def read(lines: list[str], language: str) -> Iterator[Found]:
    """(kind, name, text, line) of the comments of a file."""
    table = ""
    for number, line in enumerate(lines, 1):
        if language == "sql" and (made := _TABLE_NAME.match(line)):
            table = made["name"].rpartition(".")[2].strip('`"[]')
        if not HAN.search(line) or len(line) > 500:
            continue
        if language == "sql" or "COMMENT" in line:
            yield from _sql(line, number, table)
        yield from _comments(lines, number)


def _comments(lines: list[str], number: int) -> Iterator[Found]:
    line = lines[number - 1]
    for found in _PARAMETER.finditer(line):
        yield COMMENT, found["name"], found["said"], number
    if trailing := _TRAILING.match(line):
        if name := declared(trailing["code"]):
            yield COMMENT, name, trailing["said"], number
    elif (above := _ABOVE.match(line)) and (name := _below(lines, number)):
        yield COMMENT, name, above["said"], number
    elif (said := _DOCSTRING.match(line)) and (name := _documented(lines, number)):
        yield COMMENT, name, said["said"], number


def _sql(line: str, number: int, table: str) -> Iterator[Found]:
    if found := _COMMENT_ON.search(line):
        yield COMMENT, found["name"].replace('"', "").rpartition(".")[2], found["said"], number
    elif found := _TABLE.match(line):
        if table:
            yield COMMENT, table, found["said"], number
    elif found := _COLUMN.match(line):
        yield COMMENT, found["name"], found["said"], number


def declared(code: str) -> str:
    """The name that a line of code declares, or an empty string."""
    if _DOES.match(code):
        return ""
    for pattern in _DECLARES:
        if found := pattern.search(code):
            return str(found["name"])
    return ""


def _below(lines: list[str], number: int) -> str:
    """The name declared on the line below a comment that begins here; the rest of the comment is passed over.

    A comment whose lines above are already in Chinese says more about the same name, not another name.
    """
    before = lines[number - 2] if number > 1 else ""
    if HAN.search(before) and _ABOVE.match(before):
        return ""
    for line in lines[number : number + 12]:
        if _BLANK_COMMENT.match(line) or (_ABOVE.match(line)) or re.match(r"\s*\*", line):
            continue
        return declared(line)
    return ""


def _documented(lines: list[str], number: int) -> str:
    """The function or class whose docstring begins here, or on the line above."""
    for line in reversed(lines[max(0, number - 6) : number - 1]):
        if found := _DEFINES.match(line):
            return str(found["name"])
        if line.strip() and not re.search(r'["\')\],:]\s*$|^\s*\w+.*,\s*$', line):
            return ""
    return ""
