"""Reads translation catalogues and bilingual tables: the places where business words meet code's words."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Iterator

import polib

HAN = re.compile(r"[\u3400-\u9fff]")
LATIN = re.compile(r"[A-Za-z]{2}")
LONGEST_TEXT = 400
MOST_TEXTS = 40_000
LONGEST_CELL = 60
BILINGUAL = re.compile(r"\u4e2d\u6587|\u6c49\u8bed|\bchinese\b|\bzh\b", re.IGNORECASE)
CHINESE = re.compile(
    r"(?:^|[/._-])(?:zh|cn|chinese)(?:[-_](?:hans|hant|cn|tw|hk|sg|mo)){0,2}(?=[/._-]|$)",
    re.IGNORECASE,
)
ENGLISH = re.compile(r"(?:^|[/._-])(?:en|english)(?:[-_](?:us|gb|au))?(?=[/._-]|$)", re.IGNORECASE)
OTHER = re.compile(
    r"(?:^|[/._-])[a-z]{2,3}(?:[-_][a-z]{2,4})?(?=\.\w+$|/LC_MESSAGES/)", re.IGNORECASE
)
FOLDERS = re.compile(
    r"(^|/)(locales?|i18n|l10n|lang|langs|languages|translations?|messages|LC_MESSAGES|nls)/",
    re.IGNORECASE,
)
FORMATS = {
    ".po": "po",
    ".pot": "po",
    ".json": "json",
    ".properties": "properties",
    ".yml": "yaml",
    ".yaml": "yaml",
    ".ts": "script",
    ".js": "script",
}
SCRIPT_PAIR = re.compile(
    r"""^\s*["']?([\w.-]+)["']?\s*:\s*(["'`])(.*?)(?<!\\)\2\s*,?\s*(?://.*)?$"""
)
SCRIPT_OPEN = re.compile(r"""^\s*["']?([\w.-]+)["']?\s*:\s*\{\s*$""")
YAML_LINE = re.compile(r"""^(\s*)["']?([\w.-]+)["']?\s*:\s*(.*?)\s*$""")
TABLE_RULE = re.compile(r"^\s*\|(?:\s*:?-+:?\s*\|)+\s*$")
Texts = list[tuple[str, str]]


def reader(path: str) -> tuple[str, str]:
    """(format, language) of a catalogue path: language is zh, en or other; ("", "") for other files."""
    ending = re.search(r"\.\w+$", path)
    form = FORMATS.get(ending[0].lower(), "") if ending else ""
    in_folder = bool(FOLDERS.search(path))
    if not form or (
        form != "po"
        and not in_folder
        and not re.search(r"messages|strings|i18n", path, re.IGNORECASE)
    ):
        return "", ""
    if CHINESE.search(path):
        return form, "zh"
    if ENGLISH.search(path):
        return form, "en"
    if form == "po" or (in_folder and OTHER.search(path) and form in {"json", "properties"}):
        return form, "other"
    return ("properties", "en") if form == "properties" else ("", "")


def family(path: str) -> str:
    """The path with its language taken out: zh and en files of one family are aligned by key."""
    return ENGLISH.sub("", CHINESE.sub("", path))


def read(text: str, form: str) -> Texts:
    """(key, text) of a catalogue; for .po (msgid, msgstr). A broken file gives what could be read."""
    readers = {
        "po": _po,
        "json": _json,
        "properties": _properties,
        "yaml": _yaml,
        "script": _script,
    }
    found: Texts = []
    for key, value in readers[form](text):
        if value and len(value) <= LONGEST_TEXT and len(found) < MOST_TEXTS:
            found.append((key, value))
    return found


def pairs(zh: Texts, en: Texts | None) -> Iterator[tuple[str, str]]:
    """(Chinese, English) of aligned catalogues; without `en` the keys themselves are English (.po)."""
    other = dict(en) if en is not None else {}
    for key, chinese in zh:
        english = other.get(key, "") if en is not None else key
        if HAN.search(chinese) and LATIN.search(english) and not HAN.search(english):
            yield chinese, english


def tables(lines: Iterable[str]) -> Texts:
    """(English, Chinese) of the rows of Markdown tables whose head names a language; the words stand in the first cells."""
    found: Texts = []
    head: list[str] = []
    bilingual = False
    for line in lines:
        if not line.lstrip().startswith("|"):
            head, bilingual = [], False
        elif TABLE_RULE.match(line):
            bilingual = any(BILINGUAL.search(cell) for cell in head)
        else:
            cells = [cell.strip(" `*") for cell in line.strip().strip("|").split("|")]
            if bilingual:
                found += _row(cells)
            head = cells
    return found


def _row(cells: list[str]) -> Texts:
    if len(cells) < 2 or max(len(cell) for cell in cells[:2]) > LONGEST_CELL:
        return []
    first, second = cells[0], cells[1]
    if HAN.search(first):
        first, second = second, first
    both = HAN.search(second) and LATIN.search(first) and not HAN.search(first)
    return [(first, second)] if both else []


def pack(texts: Texts) -> bytes:
    """Texts as compressed JSON; nothing for none."""
    return zlib.compress(json.dumps(texts, ensure_ascii=False).encode(), 6) if texts else b""


def unpack(packed: bytes) -> Texts:
    """The inverse of `pack`."""
    return [(key, value) for key, value in json.loads(zlib.decompress(packed))] if packed else []


def _po(text: str) -> Iterator[tuple[str, str]]:
    try:
        # The leading line break keeps polib from taking a text that names a file for that file (C1).
        entries = polib.pofile("\n" + text)
    except (OSError, ValueError, UnicodeError):  # polib raises OSError for a syntax error
        return
    for entry in entries:
        if not entry.obsolete and "fuzzy" not in entry.flags:
            english = (
                entry.msgid if HAN.search(entry.msgstr) else (entry.msgid_plural or entry.msgid)
            )
            yield english, entry.msgstr or next(iter(entry.msgstr_plural.values()), "")


def _json(text: str) -> Iterator[tuple[str, str]]:
    try:
        root = json.loads(text)
    except (ValueError, RecursionError):
        return
    stack: list[tuple[str, object]] = [("", root)]
    while stack:
        key, value = stack.pop()
        if isinstance(value, dict):
            stack += [(f"{key}.{name}", inner) for name, inner in value.items()]
        elif isinstance(value, str):
            yield key, value


def _properties(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if line.lstrip().startswith(("#", "!")):
            continue
        key, sign, value = line.partition("=")
        if sign:
            yield (
                key.strip(),
                re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), value.strip()),
            )


def _yaml(text: str) -> Iterator[tuple[str, str]]:
    """Keys by indentation; enough for catalogues, which are plain trees of texts. The root names the language."""
    trail: list[tuple[int, str]] = []
    for line in text.splitlines():
        match = YAML_LINE.match(line)
        if match is None or line.lstrip().startswith("#"):
            continue
        indent, key, value = len(match[1]), match[2], match[3].strip("'\"")
        trail = [(depth, name) for depth, name in trail if depth < indent]
        if value:
            yield ".".join([name for _, name in trail[1:]] + [key]), value
        else:
            trail.append((indent, key))


def _script(text: str) -> Iterator[tuple[str, str]]:
    """Key and text pairs of an object literal, a line each, as message files are written."""
    trail: list[str] = []
    for line in text.splitlines():
        if match := SCRIPT_OPEN.match(line):
            trail.append(match[1])
        elif match := SCRIPT_PAIR.match(line):
            yield ".".join([*trail, match[1]]), match[3]
        elif line.strip().startswith("}") and trail:
            trail.pop()
