"""Reads the catalogues of particular tools: properties, resource files, XLIFF, .resx, .strings, PHP arrays, columns."""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Iterator

_UNIT = re.compile(r"<(?:trans-unit|segment|unit)\b.*?</(?:trans-unit|segment|unit)>", re.DOTALL)
_SOURCE = re.compile(r"<source\b[^>]*>(.*?)</source>", re.DOTALL)
_TARGET = re.compile(r"<target\b[^>]*>(.*?)</target>", re.DOTALL)
_DATA = re.compile(r"""<data\b[^>]*?\bname="([^"]+)"[^>]*>\s*<value>(.*?)</value>""", re.DOTALL)
_STRING = re.compile(r"""^\s*"((?:[^"\\]|\\.)+)"\s*=\s*"((?:[^"\\]|\\.)*)"\s*;""", re.MULTILINE)
_RESOURCE = re.compile(
    r"""<(?:string|record)\b[^>]*?\b(?:name|id)="([\w.]+)"[^>]*>\s*(?:<field name="text">)?([^<]+)<"""
)
_ENTRY = re.compile(
    r"""^\s*["']([\w. -]+)["']\s*=>\s*(?:(["'])((?:[^\\\n]|\\.)*?)\2\s*,?\s*(?://.*)?$|(\[|array\s*\()\s*$)"""
)
_CLOSES = re.compile(r"^\s*[\])]")
Pairs = Iterator[tuple[str, str]]


def xliff(text: str) -> Pairs:
    """(source, target) of its units."""
    for unit in _UNIT.findall(text):
        source, target = _SOURCE.search(unit), _TARGET.search(unit)
        if source and target:
            yield _said(source[1]), _said(target[1])


def resx(text: str) -> Pairs:
    """(name, value) of its data."""
    for name, value in _DATA.findall(text):
        yield name, _said(value)


def strings(text: str) -> Pairs:
    """(key, text) as Apple's tools write them."""
    for key, value in _STRING.findall(text):
        yield _plain(key), _plain(value)


def resources(text: str) -> Pairs:
    """Named texts of a resource file: `<string name="…">…</string>`, records with an id and a text."""
    for key, value in _RESOURCE.findall(text):
        if value.strip():
            yield key, html.unescape(value.strip())


def properties(text: str) -> Pairs:
    """(key, text) of a line each, escapes of characters undone."""
    for line in text.splitlines():
        if line.lstrip().startswith(("#", "!")):
            continue
        key, sign, value = line.partition("=")
        if sign:
            yield (
                key.strip(),
                re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), value.strip()),
            )


def php(text: str) -> Pairs:
    """(key, text) of arrays that hold an entry a line, keys of nested ones joined by dots."""
    trail: list[str] = []
    for line in text.split("\n"):
        if found := _ENTRY.match(line):
            if found[4]:
                trail.append(found[1])
            else:
                yield ".".join([*trail, found[1]]), _plain(found[3])
        elif _CLOSES.match(line) and trail:
            trail.pop()


def columns(text: str) -> Pairs:
    """(first, second) of rows that have two texts."""
    try:
        for row in csv.reader(text.splitlines()):
            if len(row) >= 2:
                yield row[0].strip(), row[1].strip()
    except csv.Error:
        return


def _said(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", text)).strip()


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
