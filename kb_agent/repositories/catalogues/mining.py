"""Reads off code what its names are called in Chinese: labels, choices and enums, comments beside names (C5)."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from kb_agent.repositories.catalogues import HAN, commenting

SOURCES = ("catalogue", "label", "enum", "comment")
LONGEST = 40
MOST = 5000
MARKED = frozenset(["html", "xml", "markdown", "text"])
TAGGED = frozenset(["html", "vue", "xml", "tsx", "javascript"])
_GIVEN = re.compile(r"^\s*\w+=[^=].*[,)]\s*$")
# Names that say how a text is used, not what it is called.
SAYS_NOTHING = frozenset(
    [
        "label",
        "title",
        "name",
        "text",
        "value",
        "message",
        "msg",
        "description",
        "desc",
        "placeholder",
        "return",
        "default",
        "case",
        "else",
        "if",
        "this",
        "self",
        "tip",
        "tips",
        "content",
        "remark",
        "error",
        "err",
        "info",
        "key",
        "code",
        "type",
        "summary",
        "notes",
        "help_text",
        "verbose_name",
        "comment",
        "string",
        "str",
        "data",
        "res",
        "result",
        "const",
        "subtitle",
        "header",
        "prompt",
        "hint",
        "oktext",
        "canceltext",
        "status",
        "rules",
        "log",
        "tags",
        "example",
        "examples",
        "sample",
        "samples",
        "var",
        "let",
        "s",
        "print",
        "raise",
        "throw",
        "confirm",
        "alert",
        "id",
        "question",
        "questions",
        "answer",
        "answers",
        "query",
        "queries",
        "word",
        "words",
        "sentence",
        "zh",
        "en",
        "cn",
        "zh_cn",
        "zh_hans",
        "zh_hant",
        "chinese",
        "english",
    ]
)
_NAME = r"[A-Za-z_$][\w$.-]*"
_SAID = r"""(?P<quote>["'`])(?P<said>[^"'`\n]*?[\u3400-\u9fff][^"'`\n]*)(?P=quote)"""
_ASSIGNED = re.compile(
    rf"""^\s*(?:[\w<>\[\],?]+\s+){{0,5}}?(?:\w+::)?["'\[]?(?P<name>{_NAME})["'\]]?\s*(?::\s*[\w.\[\]<>| ]+)?(?::=|=>|->|=|:)\s*(?P<rest>.*)$"""
)
_OF_MODEL = re.compile(r"\b(?:verbose_name|help_text|label|string|comment|description|title)\s*=")
_FIRST_TEXT = re.compile(rf"""^[\w.\[\]]*\(?\s*(?:[rfu]?_?\w*\()?\s*{_SAID}""")
_CONSTANT = re.compile(rf"^\s*(?:case\s+)?(?P<name>[A-Z][\w]*)\s*\(([^()]*?){_SAID}")
_CONSTANTS = re.compile(rf"\b(?P<name>[A-Z]\w*)\s*\(([^()]*?){_SAID}")
_CLASS = re.compile(r"^\s*class\s+(?P<name>\w+)\s*[(:]")
_CHOICE = re.compile(rf"""^\s*[(\[]\s*["']?(?P<name>{_NAME})["']?\s*,\s*(?:\w*\()?{_SAID}""")
_VALUED = re.compile(
    rf"""^\s*(?P<name>[A-Za-z_]\w*)\s*=\s*["']?[\w.-]+["']?\s*,\s*(?:\w*\()?{_SAID}"""
)
_ANNOTATION = re.compile(rf"""^\s*[@\[]\s*(?P<of>[A-Z]\w*)\s*\([^\u3400-\u9fff]*?{_SAID}""")
_OPTION = re.compile(r"\{[^{}]*[\u3400-\u9fff][^{}]*\}")
_SHOWN = re.compile(rf"\b(?:label|title|text|name|header|headerName)['\"]?\s*:\s*(?:\w+\()?{_SAID}")
_MEANT = re.compile(
    rf"""\b(?P<of>value|prop|dataIndex|field|key|code|id|model)['"]?\s*:\s*["']?(?P<name>{_NAME})"""
)
_TAG = re.compile(r"""<[\w:.-]+(?:[^<>"']|"[^"]*"|'[^']*')*>""", re.DOTALL)
_TAG_SAYS = re.compile(
    r"""(?<![\w-])(?P<of>:?label|title|placeholder|header|data-label)\s*=\s*["'](?P<said>[^"']*[\u3400-\u9fff][^"']*)["']"""
)
_TAG_MEANS = re.compile(
    r"""(?<![\w-])(?:prop|v-model(?:[.:\w]*)|name|id|data-field|for|formControlName|path|th:field|dataIndex|ref)\s*=\s*["'][*$#{]*([\w.$-]+)\}?["']"""
)
_LABEL = re.compile(
    r"""<label[^>]*\bfor\s*=\s*["'](?P<name>[\w.-]+)["'][^>]*>\s*(?P<said>[^<]*[\u3400-\u9fff][^<]*)<"""
)
_ASKS = re.compile(
    r"^(?:\u53ef\u9009|\u5fc5\u586b|\u9009\u586b|\u5fc5\u987b|\u5fc5\u4f20)[\uff0c,\u3001:\uff1a ]*|^(?:\u8bf7|\u8acb)(?:\u8f93\u5165|\u8f38\u5165|\u9009\u62e9|\u9078\u64c7|\u586b\u5199|\u586b\u5beb|\u4e0a\u4f20|\u5148)|(?:\u4e0d\u80fd|\u4e0d\u53ef|\u4e0d\u5f97)\u4e3a\u7a7a.*$|(?:\u662f)?\u5fc5\u586b.*$"
)
_QUESTION = re.compile(r"[?\uff1f]\s*$|[\u5417\u5462][?\uff1f\u3002\s]*$")
_KANA = re.compile(r"[\u3040-\u30ff]")
# Japanese, forms of dates, and lists that a program takes apart.
_OTHER = re.compile(r"[\u3040-\u30ff_]|YYYY")
_STOPS = re.compile(r"[\uff0c\u3002\uff1b\uff1a\uff08\uff01\uff1f\n;:!?(\[{<%|]|,\s|\s-{1,2}\s")


@dataclass(frozen=True)
class Mined:
    """What a name of the code is called; `code` is the name as it is spelt, `line` where the text stands."""

    kind: str
    code: str
    text: str
    line: int


def read(lines: list[str], language: str) -> list[Mined]:
    """The pairs of a file, in the order of its lines; a name and a text are one pair once."""
    speaking = [line for line in lines if HAN.search(line)]
    if not speaking or sum(bool(_KANA.search(line)) for line in speaking) * 5 > len(speaking):
        return []
    found: dict[tuple[str, str], Mined] = {}
    for kind, code, said, line in _all(lines, language):
        name = code.strip("$_.-").rpartition(".")[2]
        text = _clean(said.strip().removeprefix(name))
        plain = kind == "comment" or _tells(name)
        if text and len(name) > 1 and plain and not HAN.search(name):
            found.setdefault((name, text), Mined(kind, name, text, line))
    return sorted(found.values(), key=lambda each: each.line)[:MOST]


def pack(found: list[Mined]) -> bytes:
    """Rows of (code, text, kind), compressed; nothing for none."""
    rows = [(each.code, each.text, each.kind) for each in found]
    return zlib.compress(json.dumps(rows, ensure_ascii=False).encode(), 6) if rows else b""


def unpack(packed: bytes) -> list[tuple[str, str, str]]:
    """The inverse of `pack`; rows of tables of words have no kind of their own."""
    rows = json.loads(zlib.decompress(packed)) if packed else []
    return [(row[0], row[1], row[2] if len(row) > 2 else "catalogue") for row in rows]


def _all(lines: list[str], language: str) -> Iterator[tuple[str, str, str, int]]:
    if language in TAGGED:
        yield from _tags("\n".join(lines))
    name, since, of = "", 0, ""
    for number, line in enumerate(lines, 1):
        if found := _CLASS.match(line):
            of = found["name"] if found["name"] != "Meta" else of
        elif (assigned := _ASSIGNED.match(line)) and _sets(assigned, line):
            name, since = assigned["name"], number
        if HAN.search(line) and len(line) < 1000:
            yield from _annotations(lines, number)
            if language not in MARKED and not line.lstrip().startswith("<"):
                yield from _values(line, number)
                yield from _labels(line, number, name if number - since <= 8 else "", of)
    yield from commenting.read(lines, language)


def _sets(assigned: re.Match[str], line: str) -> bool:
    """Whether a line sets a name that may be called something, and is no argument of a call."""
    return _tells(assigned["name"]) and not _GIVEN.match(line)


def _annotations(lines: list[str], number: int) -> Iterator[tuple[str, str, str, int]]:
    if (found := _ANNOTATION.match(lines[number - 1])) and (name := _annotated(lines, number)):
        yield "label", name, found["said"], number


def _values(line: str, number: int) -> Iterator[tuple[str, str, str, int]]:
    """Choices, constants of an enum, options of a list."""
    for option in _OPTION.findall(line):
        yield from _option(option, number)
    for pattern in (_VALUED, _CHOICE):
        if found := pattern.match(line):
            yield "enum", found["name"], found["said"], number
    if _CONSTANT.match(line):
        for found in _CONSTANTS.finditer(line):
            yield "enum", found["name"], found["said"], number


def _labels(line: str, number: int, assigned: str, of: str) -> Iterator[tuple[str, str, str, int]]:
    """A name that a text is set to; what a field, of the name set last, or a class calls itself."""
    own = _ASSIGNED.match(line)
    if own and _tells(own["name"]):
        if said := _FIRST_TEXT.match(own["rest"]):
            plain = own["rest"].lstrip().startswith(("'", '"', "`"))
            yield (
                ("enum" if plain or own["name"].isupper() else "label"),
                own["name"],
                said["said"],
                number,
            )
            return
    elif own and own["name"] in {"verbose_name", "_description"} and of and not _GIVEN.match(line):
        assigned = of
    marked = _OF_MODEL.search(line)
    said = re.search(_SAID, line[marked.end() :]) if marked and assigned else None
    if said:
        yield "label", assigned, said["said"], number


def _option(option: str, number: int) -> Iterator[tuple[str, str, str, int]]:
    """`{label: '已支付', value: 'paid'}` is a choice, `{title: '金额', dataIndex: 'amount'}` a label."""
    shown = _SHOWN.search(option)
    meant = next((m for m in _MEANT.finditer(option) if _tells(m["name"])), None)
    if shown and meant:
        kind = "enum" if meant["of"] in {"value", "code", "id", "key"} else "label"
        yield kind, meant["name"], shown["said"], number


def _annotated(lines: list[str], number: int) -> str:
    """The name declared below an annotation, other annotations and comments between left aside."""
    for line in lines[number : number + 8]:
        if re.match(r"\s*(?:[@\[*/]|$)", line):
            continue
        return commenting.declared(line)
    return ""


def _tags(text: str) -> Iterator[tuple[str, str, str, int]]:
    """Labels of fields and columns: in one tag, or of a label and the field after it."""
    waiting = ("", 0)
    for tag in _TAG.finditer(text):
        says = _TAG_SAYS.search(tag[0])
        means = _TAG_MEANS.search(tag[0])
        if says is None and means is None:
            continue
        number = text.count("\n", 0, tag.start()) + 1
        if says and means:
            yield "label", means[1], says["said"], number
        elif says:
            waiting = (says["said"], number)
        elif means and waiting[0] and number - waiting[1] <= 2:
            yield "label", means[1], waiting[0], waiting[1]
            waiting = ("", 0)
    for label in _LABEL.finditer(text):
        yield "label", label["name"], label["said"], text.count("\n", 0, label.start()) + 1


def _tells(name: str) -> bool:
    """Whether a name tells what it holds."""
    return name.lower() not in SAYS_NOTHING


def _clean(said: str) -> str:
    """What is said up to the first stop, without what only asks for it; a question is what nothing is called."""
    if _QUESTION.search(said):
        return ""
    text = _STOPS.split(_ASKS.sub("", said.strip()), maxsplit=1)[0].strip(" \t*#/-\"'`.\u3001")
    return text if HAN.search(text) and len(text) <= LONGEST and not _OTHER.search(text) else ""
