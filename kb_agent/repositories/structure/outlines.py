"""Finds the named parts of files that are read line by line: SQL statements, YAML keys, groups of settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from kb_agent.repositories.structure.parsing import Definition

_NAME = r"(?:[\w$]+|\"[^\"\n]+\"|`[^`\n]+`|\[[^\]\n]+\])"
_PATH = rf"(?P<name>{_NAME}(?:\s*\.\s*{_NAME})*)"
_OPENS = re.compile(
    rf"^\s*(?:CREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:[\w=@`'.]+\s+){{0,4}}?(?P<what>TABLE|VIEW|PROCEDURE|PROC|FUNCTION|TRIGGER|PACKAGE(?:\s+BODY)?|TYPE|INDEX|SEQUENCE|EVENT)"
    rf"|(?P<change>ALTER\s+(?:TABLE|VIEW|PROCEDURE|FUNCTION)|INSERT\s+(?:IGNORE\s+)?INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|DROP\s+\w+|TRUNCATE\s+TABLE|COMMENT\s+ON\s+\w+))"
    rf"\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:CONCURRENTLY\s+)?{_PATH}",
    re.IGNORECASE,
)
_QUERY = re.compile(r"^\s*(?:SELECT|WITH|CALL|EXEC|GRANT|DECLARE|BEGIN|SET|USE)\b", re.IGNORECASE)
_MEMBER = re.compile(rf"^\s+(?P<what>PROCEDURE|FUNCTION)\s+{_PATH}", re.IGNORECASE)
_ROUTINES = frozenset(["PROCEDURE", "PROC", "FUNCTION", "TRIGGER", "PACKAGE", "EVENT"])
_ROUTINE_ENDS = re.compile(
    r"^(?:/|GO|//|;;|DELIMITER\b.*)\s*;?\s*$|^END\b[^;]*(?:;\s*)?(?://|\$\$|;)\s*$",
    re.IGNORECASE,
)
_DOLLARS = re.compile(r"\$\w*\$")
_SQL_COMMENT = re.compile(r"--[^\n]*$|/\*.*?\*/")
TYPES = frozenset(["TABLE", "VIEW", "TYPE"])

_YAML_KEY = re.compile(r"""^(\s*)(?:-\s+)?["']?([\w.$/{}*-][\w .$/{}*:-]*?)["']?\s*:(?:\s|$)""")
_KUBERNETES = re.compile(r"^(?:kind:\s*(?P<kind>\w+)|  name:\s*(?P<name>[\w.-]+))\s*$")
LONG_KEY = 40
_SETTING = re.compile(r"^\s*([\w-]+(?:\.[\w\[\]-]+)*)\s*[=:]")
_HEADER = re.compile(r"^\s*\[+\s*([\w .\"':/-]+?)\s*\]+\s*(?:[#;].*)?$")


def statements(lines: list[str]) -> list[Definition]:
    """The statements of an SQL file by the name they make or change; routines end where their body does."""
    found: list[Definition] = []
    row = 0
    while row < len(lines):
        opens = _OPENS.match(lines[row])
        if opens is None and not _QUERY.match(lines[row]):
            row += 1
            continue
        what = re.sub(r"\s.*", "", (opens["what"] or "") if opens else "").upper()
        end = _routine_end(lines, row) if what in _ROUTINES else _statement_end(lines, row)
        if opens is not None:
            name = _last_name(opens["name"])
            kind = "type" if what in TYPES else "statement"
            kind = "function" if what in _ROUTINES else kind
            found.append(Definition(name, name, kind, row + 1, end, holds=what == "PACKAGE"))
            if what == "PACKAGE":
                found += _members(lines, row + 1, end, name)
        row = end
    return found


def _statement_end(lines: list[str], row: int) -> int:
    """The line (from 1) that ends in a semicolon, or before the next statement that begins at the margin."""
    for number in range(row, len(lines)):
        said = _SQL_COMMENT.sub("", lines[number]).rstrip()
        if said.endswith(";") or said.strip().upper() in {"GO", "/"}:
            return number + 1
        if number > row and lines[number][:1].isalpha() and _OPENS.match(lines[number]):
            return number
    return len(lines)


def _routine_end(lines: list[str], row: int) -> int:
    """The line (from 1) on which a routine's body ends; a one-line routine ends at its semicolon."""
    begun = False
    quotes = 0  # a body between $$ and $$ ends on the line of the second
    for number in range(row, len(lines)):
        line = lines[number]
        quotes += len(_DOLLARS.findall(line))
        if number > row and line[:1].isalpha() and re.match(r"CREATE\b", line, re.IGNORECASE):
            return number
        begun = begun or re.search(r"\b(BEGIN|AS|IS)\b|\$\w*\$", line, re.IGNORECASE) is not None
        if quotes % 2 == 0 and ((number > row and _ROUTINE_ENDS.search(line)) or quotes):
            return number + 1
        if not begun and line.rstrip().endswith(";"):
            return number + 1
    return len(lines)


def _members(lines: list[str], first: int, last: int, package: str) -> Iterator[Definition]:
    """The procedures and functions of a package's body, each until the next."""
    starts = [
        (row, match)
        for row in range(first, last)
        if (match := _MEMBER.match(lines[row])) and not lines[row].rstrip().endswith(";")
    ]
    for index, (row, match) in enumerate(starts):
        end = starts[index + 1][0] if index + 1 < len(starts) else last - 1
        name = _last_name(match["name"])
        yield Definition(name, f"{package}.{name}", "function", row + 1, max(row + 1, end))


def _last_name(path: str) -> str:
    return re.split(r"\s*\.\s*", path)[-1].strip('"`[]')[:200]


def keys(lines: list[str]) -> list[Definition]:
    """The top keys of YAML documents; those within a long one; a document of Kubernetes by its kind and name."""
    found: list[Definition] = []
    bounds = [-1, *(row for row, line in enumerate(lines) if line.startswith("---")), len(lines)]
    for before, after in pairwise(bounds):
        rows = range(before + 1, after)
        named = [match for row in rows if (match := _KUBERNETES.match(lines[row]))]
        kind = next((match["kind"] for match in named if match["kind"]), "")
        name = next((match["name"] for match in named if match["name"]), "")
        if kind and name:
            called = f"{kind} {name}"
            found.append(Definition(name, called, "section", before + 2, after))
        else:
            found += _keys_within(lines, rows, "")
    return found


def _keys_within(lines: list[str], rows: range, owner: str) -> Iterator[Definition]:
    """Keys of the least indentation among `rows`, each until the next."""
    matches = [(row, match) for row in rows if (match := _YAML_KEY.match(lines[row]))]
    least = min((len(match[1]) for _, match in matches), default=0)
    tops = [(row, match[2].strip()) for row, match in matches if len(match[1]) == least]
    for index, (row, name) in enumerate(tops):
        end = tops[index + 1][0] if index + 1 < len(tops) else rows.stop
        qualified = f"{owner}.{name}" if owner else name
        yield Definition(name[:200], qualified[:300], "section", row + 1, end)
        if end - row > LONG_KEY and not owner:
            yield from _keys_within(lines, range(row + 1, end), qualified)


def settings(lines: list[str]) -> list[Definition]:
    """Sections of an ini or toml file, else groups of settings that share a prefix; a long group by the next part too."""
    heads = [(row, match[1]) for row, line in enumerate(lines) if (match := _HEADER.match(line))]
    if heads:
        return list(_spans(heads, len(lines)))
    parts = [
        (row, match[1].split("."))
        for row, line in enumerate(lines)
        if (match := _SETTING.match(line))
    ]
    counts: dict[str, int] = {}
    for _, names in parts:
        counts[names[0]] = counts.get(names[0], 0) + 1
    starts: list[tuple[int, str]] = []
    for row, names in parts:
        depth = 2 if counts[names[0]] > LONG_KEY and len(names) > 2 else 1
        prefix = ".".join(names[:depth])
        if not starts or starts[-1][1] != prefix:
            starts.append((row, prefix))
    return list(_spans(starts, len(lines)))


def _spans(starts: list[tuple[int, str]], last: int) -> Iterator[Definition]:
    """Each start as a part that ends before the next."""
    for index, (row, name) in enumerate(starts):
        end = starts[index + 1][0] if index + 1 < len(starts) else last
        yield Definition(name[:200], name[:300], "section", row + 1, end)
