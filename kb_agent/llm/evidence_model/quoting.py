"""Chooses what to quote of a place: its own explanation, and the lines that carry the question."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from kb_agent.llm.evidence_model import narrowing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kb_agent.llm.evidence_model.places import Place

SAID_CHARS, LABEL_CHARS = 200, 16
LINE_CHARS = 100
# How far above the stretch that decides the code's own words about it may stand.
SAID_ABOVE = 20
# Of the question's words so much must be shared by a sentence for it to be an answer to it: two words, or three of many.
SAID_LEAST, SAID_LEAST_OF_MANY, MANY_WORDS = 3, 5, 8
CONSTANTS = 3
_BLOCK_EDGE = re.compile(r"\"\"\"|'''|/\*|\*/")
_CONSTANT = re.compile(
    r"^\s*(?:(?:public|private|static|final|const|int|long|export)\s+)*"
    r"([A-Z][A-Z0-9_]{2,})(?::[^=]{1,40})?\s*=\s*([^#;=][^#;]{0,60}?)\s*(?:[#;].*|//.*)?$"
)
_UNFINISHED = ("(", "[", "{", ",", "\\")
_NAME = re.compile(r"(?<![\w\"'])[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
_COMMENT = re.compile(
    r"^\s*(?:#+|//+|/\*+|\*+|--|;|\"\"\"|'''|<!--)\s*(.*?)\s*(?:\*/|\"\"\"|'''|-->)?\s*$"
)
_TRAILING = re.compile(r"\s(?:#|//)\s+(\S.*)$")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
# Quoted text must neither end the bold it stands in nor look like a citation.
_MARKUP = re.compile(r"\*+|\[e\d+\]")
# What only makes a line a comment: its words are quoted without it.
_COMMENT_MARKS = re.compile(
    r"^(?:#+(?=\s)|//+|/\*+|\*+(?=\s)|--(?=\s)|<!--|\"\"\"|''')\s*|\s*(?:\*/|-->|\"\"\"|''')$"
)
_CITATION = re.compile(r"\[e\d+\]")
_RULER = re.compile(
    r"[=\-~_#]{3,}|:(?:param|return|returns|rtype|type|raise|raises)\b[^:]*:|@(?:param|return)\b"
)
_CODE = re.compile(
    r"[;{}]\s*$|\w\(.*\)\s*$|\w\([^)]*\)\s*[:.{]|^\s*(if|return|for|raise|import|from|self)\b.*[:(=.]|==|:=|=>"
)
# What is said to translators, tools and later programmers, and what names an argument.
_FOR_OTHERS = re.compile(
    r"(Translators|TODO|FIXME|XXX|HACK|noqa|type: ignore|pylint|eslint|nosec)\b|\w*_\w*\s?:",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
_FIGURE_WEIGHT = 4
_CJK = re.compile(r"[\u3400-\u9fff]")
_LANGUAGES = {
    "py": "python", "js": "javascript", "jsx": "jsx", "ts": "typescript", "tsx": "tsx", "java": "java",
    "go": "go", "rb": "ruby", "rs": "rust", "php": "php", "cs": "csharp", "c": "c", "h": "c", "cpp": "cpp",
    "kt": "kotlin", "swift": "swift", "sql": "sql", "sh": "bash", "html": "html", "xml": "xml",
    "json": "json", "yml": "yaml", "yaml": "yaml", "toml": "toml", "css": "css", "vue": "vue",
}  # fmt: skip


def said(
    place: Place, start: int, end: int, asked: Sequence[str], *, measured: bool = False
) -> str:
    """The sentence about lines of a place, in its own words, that shares most with the question; or nothing.

    `measured`: the question asks how many or how long, so a sentence with a figure says more.
    """
    since = max(start - SAID_ABOVE, narrowing.function_of(place, start))
    texts = [
        [each for each in _SENTENCE_END.split(_clean(text)) if _is_sentence(each)]
        for number, text in _explanations(place.lines)
        if since <= number <= end
    ]

    def worth(sentence: str) -> int:
        figure = _FIGURE_WEIGHT * bool(measured and _FIGURE.search(sentence))
        return _shared(sentence, asked) + figure

    best = max((each for text in texts for each in text), key=worth, default="")
    latin = {word.lower() for word in asked if not _CJK.match(word)}
    many = len(latin) > MANY_WORDS and not any(map(_CJK.match, asked))
    if _shared(best, asked) < (SAID_LEAST_OF_MANY if many else SAID_LEAST):
        return ""
    whole = next(text for text in texts if best in text)
    return _shortened(_with_neighbour(best, whole, asked), SAID_CHARS)


def _with_neighbour(best: str, text: Sequence[str], asked: Sequence[str]) -> str:
    """A sentence with the one after it that goes on about the question; a mere label with the one it labels."""
    at = text.index(best)
    both = best
    if at + 1 < len(text) and _shared(text[at + 1], asked):
        both = f"{best} {text[at + 1]}"
    elif at and len(best) <= LABEL_CHARS:
        both = f"{text[at - 1]} {best}"
    return both if len(both) <= SAID_CHARS else best


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def telling_value(place: Place, start: int, end: int, asked: Sequence[str]) -> str:
    """The value set within lines whose name says most of what was asked; nothing when none says anything."""
    near = {number: line for number, line in place.lines.items() if start <= number <= end}
    found = [(_shared(_words(value), asked), value) for value in _constants(near)]
    best = max(found, key=lambda each: each[0], default=(0, ""))
    return _as_code(best[1]) if best[0] else ""


def telling_line(place: Place, asked: Sequence[str]) -> str:
    """The line of a place that says most about what was asked, as inline code."""
    lines = [line.strip() for _, line in sorted(place.lines.items()) if line.strip()]
    best = max(lines, key=lambda line: _shared(line, asked), default="")
    if not best or not _shared(best, asked):
        return ""
    return _shortened(_as_code(_COMMENT_MARKS.sub("", best)), LINE_CHARS)


def _as_code(line: str) -> str:
    """A line word for word, apart from what would end its inline code or look like a citation."""
    return _CITATION.sub("", line).replace("`", "'").strip()


def plain(text: str) -> str:
    """Text that neither ends the markup it stands in nor looks like a citation."""
    return _MARKUP.sub("", text).replace("`", "'").strip()


def _words(name: str) -> str:
    """`MAX_ATTEMPTS = 3` as words."""
    return name.replace("_", " ")


def _clean(text: str) -> str:
    """Words without what would act as markup, rulers and field marks."""
    return " ".join(_RULER.sub(" ", _MARKUP.sub("", text)).split())


def _is_sentence(text: str) -> bool:
    """Whether words say something: a heading, a mark or commented-out code does not."""
    long = len(text.split()) >= 4 or len(_CJK.findall(text)) >= 5
    return long and not _CODE.search(text) and not _FOR_OTHERS.match(text)


def _explanations(lines: Mapping[int, str]) -> list[tuple[int, str]]:
    """The comments and documentation in lines, each with its first line; those that follow each other are one text."""
    found: list[tuple[int, list[str]]] = []
    inside, going_on = False, False
    for number, line in sorted(lines.items()):
        match = _COMMENT.match(line) or _TRAILING.search(line)
        text = match[1] if match else line.strip().lstrip("* ") if inside else ""
        if text and going_on:
            found[-1][1].append(text.strip("\"' "))
        elif text:
            found.append((number, [text.strip("\"' ")]))
        going_on = bool(text)
        inside ^= len(_BLOCK_EDGE.findall(line)) % 2 == 1
    return [(number, " ".join(texts)) for number, texts in found]


def values_used(place: Place, start: int, end: int) -> list[str]:
    """The values a place sets that are set or used in some of its lines."""
    used = "\n".join(line for number, line in place.lines.items() if start <= number <= end)
    return [
        value
        for value in _constants(place.lines)
        if re.search(rf"(?<!\w){value.partition(' ')[0]}(?!\w)", used)
    ][:CONSTANTS]


def constants(place: Place) -> list[str]:
    """The named values a place sets, as `MAX_ATTEMPTS = 3`: what a reader asks for next."""
    return _constants(place.lines)[:CONSTANTS]


def _constants(lines: Mapping[int, str]) -> list[str]:
    found = (_CONSTANT.match(line) for _, line in sorted(lines.items()))
    whole = (match for match in found if match and not match[2].endswith(_UNFINISHED))
    return [f"{match[1]} = {match[2].strip()}" for match in whole]


def set_elsewhere(place: Place, lines: Mapping[int, str]) -> list[str]:
    """Names of values that some lines of a place use and that it does not set."""
    own = {constant.partition(" ")[0] for constant in _constants(place.lines)}
    used = (name for _, line in sorted(lines.items()) for name in _NAME.findall(line))
    return [name for name in dict.fromkeys(used) if name not in own][:CONSTANTS]


def _shared(text: str, asked: Sequence[str]) -> int:
    """How much of the question a line repeats: words, and pairs of Chinese characters."""
    folded = text.lower()
    score = 0
    for word in asked:
        if _CJK.match(word):
            score += sum(word[at : at + 2] in folded for at in range(len(word) - 1))
        elif len(word) > 2 and re.search(rf"(?<![a-z]){re.escape(word.lower())}", folded):
            score += 2
    return score


def fenced(place: Place, start: int, end: int) -> str:
    """Lines of a place as they stand, as a fenced block."""
    chosen = _trimmed(
        [line for number, line in sorted(place.lines.items()) if start <= number <= end]
    )
    if not chosen:
        return ""
    language = _LANGUAGES.get(PurePosixPath(place.path).suffix.lstrip(".").lower(), "")
    fence = "````" if any("```" in line for line in chosen) else "```"
    return "\n".join([f"{fence}{language}", *chosen, fence])


def _trimmed(lines: list[str]) -> list[str]:
    """Without empty lines at the ends and without common indentation."""
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    return [line[min(indents, default=0) :].rstrip() for line in lines]
