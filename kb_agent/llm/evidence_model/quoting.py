"""Chooses what to quote of a place: its own explanation, and the lines that carry the question."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.llm.evidence_model.reading import Place

QUOTED_LINES = 12
WHOLE_LINES = 18
SAID_CHARS = 160
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
_WEIGHTY = re.compile(
    r"\b(if|return|raise|throw|elif|case|when|max|min|limit)\b|[<>]=?|[A-Z]{3,}.*=|\d",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
# Quoted text must neither end the bold it stands in nor look like a citation.
_MARKUP = re.compile(r"\*+|\[e\d+\]|[{}]")
_FIGURE = re.compile(r"\d|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
_FIGURE_WEIGHT = 4
_CJK = re.compile(r"[\u3400-\u9fff]")
_LANGUAGES = {
    "py": "python", "js": "javascript", "jsx": "jsx", "ts": "typescript", "tsx": "tsx", "java": "java",
    "go": "go", "rb": "ruby", "rs": "rust", "php": "php", "cs": "csharp", "c": "c", "h": "c", "cpp": "cpp",
    "kt": "kotlin", "swift": "swift", "sql": "sql", "sh": "bash", "html": "html", "xml": "xml",
    "json": "json", "yml": "yaml", "yaml": "yaml", "toml": "toml", "css": "css", "vue": "vue",
}  # fmt: skip


def said(place: Place, asked: Sequence[str], *, measured: bool = False) -> str:
    """The place's own sentence about itself that shares most with the question, or nothing.

    `measured`: the question asks how many or how long, so a sentence with a figure says more.
    """
    sentences = [text for text in _sentences(place) if len(text) > 5]
    if not sentences:
        return ""
    figures = {text: _FIGURE_WEIGHT * bool(measured and _FIGURE.search(text)) for text in sentences}
    best = max(
        sentences,
        key=lambda text: (_shared(text, asked) + figures[text], -sentences.index(text)),
    )
    if not _shared(best, asked):
        return ""
    return best if len(best) <= SAID_CHARS else best[: SAID_CHARS - 1] + "…"


def _sentences(place: Place) -> list[str]:
    """What the place says of itself, a sentence each, without what would act as markup."""
    texts = (_MARKUP.sub("", text).strip() for text in _explanations(place))
    return [sentence for text in texts for sentence in _SENTENCE_END.split(text) if sentence]


def _explanations(place: Place) -> list[str]:
    """The comments and documentation in a place; lines that follow each other are one text."""
    found: list[list[str]] = [[]]
    inside = False
    for _, line in sorted(place.lines.items()):
        match = _COMMENT.match(line) or _TRAILING.search(line)
        text = match[1] if match else line.strip().lstrip("* ") if inside else ""
        if text:
            found[-1].append(text.strip("\"' "))
        elif found[-1]:
            found.append([])
        inside ^= len(_BLOCK_EDGE.findall(line)) % 2 == 1
    return [" ".join(lines) for lines in found]


def constants(place: Place) -> list[str]:
    """The named values a place sets, as `MAX_ATTEMPTS = 3`: what a reader asks for next."""
    found = (_CONSTANT.match(line) for _, line in sorted(place.lines.items()))
    whole = (match for match in found if match and not match[2].endswith(_UNFINISHED))
    return [f"{match[1]} = {match[2].strip()}" for match in whole][:CONSTANTS]


def set_elsewhere(place: Place) -> list[str]:
    """Names of values that a place uses and does not set."""
    own = {constant.partition(" ")[0] for constant in constants(place)}
    used = (name for _, line in sorted(place.lines.items()) for name in _NAME.findall(line))
    return [name for name in dict.fromkeys(used) if name not in own][:CONSTANTS]


def _shared(text: str, asked: Sequence[str]) -> int:
    """How much of the question a line repeats: words, and pairs of Chinese characters."""
    folded = text.lower()
    score = 0
    for word in asked:
        if _CJK.match(word):
            score += sum(word[at : at + 2] in folded for at in range(len(word) - 1))
        elif len(word) > 2 and word.lower() in folded:
            score += 2
    return score


def fenced(place: Place, asked: Sequence[str]) -> str:
    """The dozen lines of a place that say most about the question, as a fenced block."""
    lines = sorted(place.lines.items())
    if not lines:
        return ""
    weights = [_shared(line, asked) + bool(_WEIGHTY.search(line)) for _, line in lines]
    span = len(lines) if len(lines) <= WHOLE_LINES else QUOTED_LINES
    start = max(range(len(lines) - span + 1), key=lambda at: (sum(weights[at : at + span]), -at))
    chosen = _trimmed([line for _, line in lines[start : start + span]])
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
