"""Reads translation catalogues and bilingual tables: the places where business words meet code's words."""

from __future__ import annotations

import html
import json
import re
import zlib
from collections.abc import Iterable, Iterator

from kb_agent.repositories.catalogues import exchange
from kb_agent.repositories.text import whole

HAN = re.compile(r"[\u3400-\u9fff]")
LATIN = re.compile(r"[A-Za-z]{2}")
LONGEST_TEXT = 400
MOST_TEXTS = 40_000
LONGEST_CELL = 60
LONGEST_OF_KEY = 20
WORDS = re.compile(r"[A-Za-z]{3}")
BILINGUAL = re.compile(r"\u4e2d\u6587|\u6c49\u8bed|\bchinese\b|\bzh\b", re.IGNORECASE)
CHINESE = re.compile(
    r"(?:^|[/._-])(?:zh|cn|chinese)(?:[-_]r?(?:hans|hant|cn|tw|hk|sg|mo)){0,2}(?=[/._-]|$)",
    re.IGNORECASE,
)
ENGLISH = re.compile(
    r"(?:^|[/._-])(?:en|english)(?:[-_]r?(?:us|gb|au))?(?=[/._-]|$)", re.IGNORECASE
)
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
    ".mjs": "script",
    ".arb": "json",
    ".php": "php",
    ".csv": "csv",
    ".xlf": "xliff",
    ".xliff": "xliff",
    ".resx": "resx",
    ".strings": "strings",
}
# Forms that are catalogues wherever they lie; the others are by their folder's or file's name.
ALWAYS = frozenset(["po", "xliff", "resx", "strings"])
# Forms in which a file says each message in both languages.
BESIDE = frozenset(["po", "xliff", "csv"])
# Forms whose file without a language in its name is the default one.
DEFAULTS = frozenset(["properties", "resx", "strings"])
# Languages whose translators' words tell which English words are used for one another (see `paraphrases`).
ELSEWHERE = ("de", "es", "fr", "it", "nl", "pl", "pt", "ru")
LOCALE = re.compile(
    r"(?:^|[/._-])([a-z]{2})(?:[_-]\w+)*(?:\.\w+)?(?:/LC_MESSAGES/[^/]*|/[^/]*)?\.po$"
)
PO_FIELD = re.compile(r'^(#~)?\s*(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d+)\])?)\s+"(.*)"\s*$')
PO_MORE = re.compile(r'^"(.*)"\s*$')
ESCAPES = {"n": "\n", "t": "\t"}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{[^{}]*\}|<[^>]+>")
# Between a message's context and its text, as gettext itself joins them.
JOINT = "\x04"
RESOURCES = re.compile(r"(^|/)(messages?|strings)([_-][\w-]+)?\.xml$", re.IGNORECASE)
SCRIPT_PAIR = re.compile(
    r"""^\s*["']?([\w.-]+)["']?\s*:\s*(["'`])(.*?)(?<!\\)\2\s*,?\s*(?://.*)?$"""
)
SCRIPT_OPEN = re.compile(r"""^\s*["']?([\w.-]+)["']?\s*:\s*\{\s*$""")
YAML_LINE = re.compile(r"""^(\s*)["']?([\w.-]+)["']?\s*:\s*(.*?)\s*$""")
TABLE_RULE = re.compile(r"^\s*\|(?:\s*:?-+:?\s*\|)+\s*$")
Texts = list[tuple[str, str]]


def reader(path: str) -> tuple[str, str]:
    """(format, language) of a catalogue path: zh, en, one of `ELSEWHERE` or other; ("", "") for other files."""
    if RESOURCES.search(path):
        return "xml", "zh" if CHINESE.search(path) else "en"
    form = _form(path)
    if not form:
        return "", ""
    if CHINESE.search(path):
        return form, "zh"
    if ENGLISH.search(path):
        return form, "en"
    return _elsewhere(path, form)


def _form(path: str) -> str:
    ending = re.search(r"\.\w+$", path)
    form = FORMATS.get(ending[0].lower(), "") if ending else ""
    named = FOLDERS.search(path) or re.search(r"messages|strings|i18n", path, re.IGNORECASE)
    return form if form in ALWAYS or named else ""


def _elsewhere(path: str, form: str) -> tuple[str, str]:
    """A catalogue that is neither Chinese nor English by its path."""
    if form == "po":
        found = LOCALE.search(path)
        return form, found[1] if found and found[1] in ELSEWHERE else "other"
    if (
        FOLDERS.search(path)
        and OTHER.search(path)
        and form in {"json", "properties", "resx", "strings", "xliff"}
    ):
        return form, "other"
    if form == "xliff":
        return form, "zh"  # it says its languages itself
    return (form, "en") if form in DEFAULTS else ("", "")


def family(path: str) -> str:
    """The path with its language taken out: zh and en files of one family are aligned by key."""
    return ENGLISH.sub("", CHINESE.sub("", path))


def read(text: str, form: str) -> Texts:
    """(key, text) of a catalogue; for .po (msgid, msgstr). A broken file gives what could be read."""
    readers = {
        "po": _po,
        "json": _json,
        "properties": exchange.properties,
        "yaml": _yaml,
        "script": _script,
        "xml": exchange.resources,
        "php": exchange.php,
        "csv": exchange.columns,
        "xliff": exchange.xliff,
        "resx": exchange.resx,
        "strings": exchange.strings,
    }
    found: Texts = []
    for key, value in readers[form](text):
        if value and len(value) <= LONGEST_TEXT and len(found) < MOST_TEXTS:
            found.append((whole(key), whole(value)))
    return found


def pairs(zh: Texts, en: Iterable[tuple[str, str]] | None) -> Iterator[tuple[str, str]]:
    """(Chinese, English) of aligned catalogues; without `en` the keys say the same in the other language (.po)."""
    other = dict(en) if en is not None else {}
    for key, text in zh:
        against = other.get(key, "") if en is not None else source(key)
        for chinese, english in ((text, against), (against, text)):
            if HAN.search(chinese) and LATIN.search(english) and not HAN.search(english):
                yield plain(chinese), plain(english)


def by_key(texts: Texts) -> Iterator[tuple[str, str]]:
    """(Chinese, English) of one family's texts, whichever file they stand in; with no English ones, the keys' own words."""
    chinese = [(key, text) for key, text in texts if HAN.search(text)]
    english = {key: text for key, text in texts if not HAN.search(text)}
    if english:
        yield from pairs(chinese, english.items())
        return
    for key, text in chinese:
        name = key.rpartition(".")[2]
        if len(text) <= LONGEST_OF_KEY and WORDS.search(name):
            yield plain(text), name


def context(key: str) -> str:
    """The context of a .po message, or an empty string."""
    return key.partition(JOINT)[0] if JOINT in key else ""


def source(key: str) -> str:
    """The text of a .po message in its source language."""
    return key.rpartition(JOINT)[2]


def plain(text: str) -> str:
    """A message without placeholders and tags."""
    return html.unescape(PLACEHOLDER.sub(" ", text)).replace("\xa0", " ")


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
    """Translated, current, certain messages; read by hand, which is ten times as fast as a parser of the whole format."""
    for block in re.split(r"\n\s*\n", text):
        got = _message(block)
        if got.get("msgid") and got.get("msgstr"):
            clear = {name: _unescaped(value) for name, value in got.items()}
            key = clear["msgid"]
            yield (
                (f"{clear['msgctxt']}{JOINT}{key}" if "msgctxt" in clear else key),
                clear["msgstr"],
            )


def _message(block: str) -> dict[str, str]:
    """The raw fields of one entry; none for one that is fuzzy or obsolete."""
    got: dict[str, str] = {}
    at = ""
    for line in block.splitlines():
        if line.startswith("#,") and "fuzzy" in line:
            return {}
        if found := PO_FIELD.match(line):
            if found[1]:
                return {}
            at = "msgstr" if found[3] == "0" else found[2]
            got[at] = found[4]
        elif at and (more := PO_MORE.match(line)):
            got[at] += more[1]
    return got


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), text)


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
