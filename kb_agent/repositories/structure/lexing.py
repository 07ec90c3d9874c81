"""Takes a stretch of source apart: comments, texts in quotes, names, and how much it decides."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

LONGEST_TEXT = 400
_NAME = r"(?P<name>[A-Za-z_\u00c0-\uffff$][\w$]*)|(?P<number>\d[\d_.]*)|(?P<sign>&&|\|\|)"
_TRIPLE = r'(?P<block>[rbfuRBFU]{0,2}(?:"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'))|'
_TEXT = r"""(?P<text>[rbfuRBFU@$]{0,2}"(?:[^"\\\n]|\\.)*"|[rbfuRBFU]{0,2}'(?:[^'\\\n]|\\.)*')|"""
_BACKTICK = r"(?P<template>`(?:[^`\\]|\\.)*`)|"
_HASH = re.compile(r"(?P<comment>#[^\n]*)|" + _TRIPLE + _TEXT + _NAME, re.DOTALL)
_SLASH = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*\*[ /][^\n]*)|"
    + _TRIPLE
    + _TEXT
    + _BACKTICK
    + _NAME,
    re.DOTALL | re.MULTILINE,
)
_BOTH = re.compile(
    r"(?P<comment>//[^\n]*|#[^\n\[][^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*\*[ /][^\n]*)|" + _TEXT + _NAME,
    re.DOTALL | re.MULTILINE,
)
_DASH = re.compile(r"(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))|" + _TEXT + _NAME, re.DOTALL)
_TAG = re.compile(r"<[^>]*>", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_\u00c0-\uffff]\w*")
_OPENING = re.compile(r"^[rbfuRBFU@$]*(?:\"\"\"|'''|[\"'`])")
FORMS: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(("python", "ruby", "bash", "yaml", "toml", "ini", "properties"), _HASH),
    **dict.fromkeys(("php",), _BOTH),
    **dict.fromkeys(("sql", "lua"), _DASH),
}
MARKUP = frozenset(("html", "xml"))
PROSE = frozenset(("markdown", "text"))
# Words that branch, refuse or answer.
DECIDING = frozenset(
    [
        *("if", "elif", "elsif", "unless", "case", "when", "switch", "raise", "throw"),
        *("and", "or", "not", "assert", "return", "require", "guard"),
    ]
)


@dataclass
class Lexed:
    """What a stretch says, by how it says it."""

    comments: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    decisions: int = 0


def lex(source: str, language: str, keywords: frozenset[str]) -> Lexed:
    """The comments, texts and names of a stretch; `keywords` are no names."""
    if language in PROSE or language in MARKUP:
        return _markup(source) if language in MARKUP else Lexed(comments=[source])
    found = Lexed()
    for match in FORMS.get(language, _SLASH).finditer(source):
        kind, value = match.lastgroup, match.group()
        if kind == "name":
            _take_name(found, value, keywords)
        elif kind == "number" and len(value) > 1:
            found.names.append(value)
        elif kind == "comment":
            found.comments.append(value.strip("#/*!- \t"))
        elif kind in {"sign", "number"}:
            found.decisions += kind == "sign"
        else:
            _take_text(found, source, match)
    return found


def _take_name(found: Lexed, name: str, keywords: frozenset[str]) -> None:
    lowered = name.lower()
    found.decisions += lowered in DECIDING
    if lowered not in keywords:
        found.names.append(name)


def _take_text(found: Lexed, source: str, match: re.Match[str]) -> None:
    """A text in quotes; one that begins its line in three quotes explains like a comment."""
    value = match.group()
    opening = _OPENING.match(value)
    quote = 3 if match.lastgroup == "block" else 1
    inner = value[opening.end() if opening else 1 : len(value) - quote]
    begins = not source[source.rfind("\n", 0, match.start()) + 1 : match.start()].strip()
    if match.lastgroup == "block" and begins:
        found.comments.append(inner)
    elif len(inner) > 1:
        found.texts.append(inner)


def _markup(source: str) -> Lexed:
    """What is shown is text; tags and what they hold are names."""
    tags = _TAG.findall(source)
    return Lexed(texts=[_TAG.sub(" ", source)], names=_WORD.findall(" ".join(tags)))
