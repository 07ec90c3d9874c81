"""Chooses what to quote of a place: its own explanation, and the lines that carry the question."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.llm.evidence_model.reading import Place

QUOTED_LINES = 12
SAID_CHARS = 160
CONSTANTS = 3
_BLOCK_EDGE = re.compile(r"\"\"\"|'''|/\*|\*/")
_CONSTANT = re.compile(
    r"^\s*(?:(?:public|private|static|final|const|int|long|export)\s+)*"
    r"([A-Z][A-Z0-9_]{2,})\s*=\s*([^#;=/]{1,60}?)\s*(?:[#;].*|//.*)?$"
)
_COMMENT = re.compile(
    r"^\s*(?:#+|//+|/\*+|\*+|--|;|\"\"\"|'''|<!--)\s*(.*?)\s*(?:\*/|\"\"\"|'''|-->)?\s*$"
)
_TRAILING = re.compile(r"\s(?:#|//)\s+(\S.*)$")
_WEIGHTY = re.compile(
    r"\b(if|return|raise|throw|elif|case|when|max|min|limit)\b|[<>]=?|[A-Z]{3,}.*=|\d",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3400-\u9fff]")
_LANGUAGES = {
    "py": "python", "js": "javascript", "jsx": "jsx", "ts": "typescript", "tsx": "tsx", "java": "java",
    "go": "go", "rb": "ruby", "rs": "rust", "php": "php", "cs": "csharp", "c": "c", "h": "c", "cpp": "cpp",
    "kt": "kotlin", "swift": "swift", "sql": "sql", "sh": "bash", "html": "html", "xml": "xml",
    "json": "json", "yml": "yaml", "yaml": "yaml", "toml": "toml", "css": "css", "vue": "vue",
}  # fmt: skip


def said(place: Place, asked: Sequence[str]) -> str:
    """The place's own sentence about itself that shares most with the question, or nothing."""
    sentences = [text for text in _explanations(place) if len(text) > 5]
    if not sentences:
        return ""
    best = max(sentences, key=lambda text: (_shared(text, asked), -sentences.index(text)))
    if not _shared(best, asked):
        return ""
    return best if len(best) <= SAID_CHARS else best[: SAID_CHARS - 1] + "…"


def _explanations(place: Place) -> list[str]:
    """The comments and documentation in a place, a sentence or line each."""
    found: list[str] = []
    inside = False
    for _, line in sorted(place.lines.items()):
        match = _COMMENT.match(line) or _TRAILING.search(line)
        text = match[1] if match else line.strip().lstrip("* ") if inside else ""
        if text:
            found.append(text.strip("\"' "))
        inside ^= len(_BLOCK_EDGE.findall(line)) % 2 == 1
    return found


def constants(place: Place) -> list[str]:
    """The named values a place sets, as `MAX_ATTEMPTS = 3`: what a reader asks for next."""
    found = (_CONSTANT.match(line) for _, line in sorted(place.lines.items()))
    return [f"{match[1]} = {match[2].strip()}" for match in found if match][:CONSTANTS]


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
    span = min(QUOTED_LINES, len(lines))
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
