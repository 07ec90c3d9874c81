"""Reads off lines what their part of a file is called: headings, names set, what people call a class."""

from __future__ import annotations

import re
from itertools import pairwise

HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
UNDERLINE = re.compile(r"^([=\-~^\"*+#`'])\1{3,}\s*$")
# `verbose_name = _("Order")`, `__name__ = "sale.order"`; `title` only where a class itself sets it.
LABEL = re.compile(
    r"^(\s*)(verbose_name|verbose_name_plural|__name__|_description|_name|label|title|name)\s*(?::\s*\w+\s*)?="
    r"[^\"'\n]*[\"']([^\"'\n]{2,80})[\"']"
)
OF_META = ("verbose_name", "verbose_name_plural", "label")
DOCSTRING = re.compile(r'^\s*[rbuRBU]{0,2}("""|\'\'\'|")\s*([^"\n]{2,200})')
SET = re.compile(
    r"^(?:(?:export|default|const|let|var|static|final|public|private|val|type)\s+)*([A-Za-z_$][\w$]*)\s*(?::[^=]{1,60})?:?=(?!=)"
)
KEY = re.compile(r"""^(\s+)["']([\w.\- ]{2,60})["']\s*(?::|=>)""")
MOST_LABELS = 8
MOST_SET = 60


def headings(lines: list[str]) -> list[tuple[int, str]]:
    """(line, title) of Markdown headings outside fences."""
    found: list[tuple[int, str]] = []
    fenced = False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and (match := HEADING.match(line)):
            found.append((number, match[2]))
    return found


def underlined(lines: list[str]) -> list[tuple[int, str]]:
    """(line, title) of headings with a line of signs beneath, as reStructuredText writes them."""
    return [
        (number, line.strip())
        for number, (line, below) in enumerate(pairwise(lines), 1)
        if UNDERLINE.match(below) and line.strip() and not UNDERLINE.match(line)
    ]


def labels(lines: list[str]) -> tuple[str, ...]:
    """What people call a class, read off its lines; the first is where it is defined."""
    indent = len(lines[0]) - len(lines[0].lstrip())
    found: dict[str, None] = {}
    for line in lines[1:4]:
        if match := DOCSTRING.match(line):
            found[match[2].strip()] = None
            break
    for line in lines[1:]:
        if "=" in line and (match := LABEL.match(line)):
            deep = len(match[1]) - indent
            if deep <= 4 or (deep <= 8 and match[2] in OF_META):
                found[match[3]] = None
    return tuple(found)[:MOST_LABELS]


def set_here(lines: list[str]) -> str:
    """The names that lines between definitions set; within one long table, its keys."""
    names = [match[1] for line in lines if (match := SET.match(line))]
    if len(names) < 2:
        keys = [match for line in lines if (match := KEY.match(line))]
        outermost = min((len(key[1]) for key in keys), default=0)
        names += [key[2] for key in keys if len(key[1]) == outermost]
    return " ".join(dict.fromkeys(names[:MOST_SET]))
