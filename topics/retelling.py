"""What a topic asked and was answered, read off its tape: the words that titles, summaries and recall are made of."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tapes import views
from topics import markers

if TYPE_CHECKING:
    from tapes.entries import Entry
    from topics.models import Topic, Turn

MOST_TURNS = 20
"""Turns that are retold: the first ones, which say what a topic is about."""
SENTENCE_CHARS = 300
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MARKUP = re.compile(r"\*\*|__|^\s*(?:#+|[-*>]|\d+\.)\s+", re.MULTILINE)
_QUOTES = (("「", "」"), ("“", "”"), ("『", "』"))
_PLACE = {"repository", "repository_id", "path", "start_line", "end_line"}
_END = re.compile(r"[。！？!?]+[”’」』)）\"']*|\.[”’\"')]*(?=\s|$)")


@dataclass(frozen=True, kw_only=True)
class Told:
    """One question of a topic, and what was answered."""

    question: str
    answer: str = ""
    """Whole, without evidence ids; empty when nothing was answered."""
    found: bool = True
    """Whether the code settled it, as far as the answer says."""
    places: tuple[dict[str, Any], ...] = ()
    """The citations that held: `repository_id`, `repository`, `path`, `start_line`, `end_line`."""
    language: str = "zh"
    sources: frozenset[int] = field(default_factory=frozenset)

    @property
    def said(self) -> str:
        """The answer's first sentence."""
        return first_sentence(self.answer)


def of(topic: Topic, *, readable: frozenset[int] | None = None) -> list[Told]:
    """The questions of a topic in order; with `readable`, only what its reader may read (C7)."""
    turns = list(topic.turns.order_by("pk")[:MOST_TURNS])
    seqs = {seq for turn in turns for seq in (turn.question_seq, turn.answer_seq) if seq}
    found = views.at((topic.tape_id, seq) for seq in sorted(seqs))
    said = {
        entry.seq: entry
        for entry in found
        if readable is None or readable.issuperset(entry.sources)
    }
    return [_told(turn, said) for turn in turns if turn.question_seq in said]


def first_sentence(text: str) -> str:
    """The first sentence of an answer, without markup, code and evidence ids."""
    plain = _MARKUP.sub("", markers.without(_FENCE.sub("", text))).strip()
    paragraph = " ".join(plain.split("\n\n", 1)[0].split())
    end = _END.search(paragraph)
    sentence = paragraph[: _whole(paragraph, end.end())] if end else paragraph
    if len(sentence) <= SENTENCE_CHARS:
        return sentence
    return sentence[: SENTENCE_CHARS - 1].rstrip() + "…"


def _whole(text: str, end: int) -> int:
    """The end of a sentence, moved to where a quotation that it ends in is closed."""
    for opened, closed in _QUOTES:
        if text.count(opened, 0, end) > text.count(closed, 0, end):
            place = text.find(closed, end)
            return place + 1 if place >= 0 else end
    return end


def _told(turn: Turn, said: dict[int, Entry]) -> Told:
    question = said[turn.question_seq]
    answer = said.get(turn.answer_seq or 0)
    meta = answer.meta if answer else {}
    cited = tuple(
        place
        for place in meta.get("citations") or ()
        if place.get("valid") and set(place) >= _PLACE
    )
    return Told(
        question=_content(question),
        answer=markers.without(_content(answer)) if answer else "",
        found=meta.get("found") is not False,
        places=cited,
        language=turn.language,
        sources=frozenset({*question.sources, *(answer.sources if answer else ())}),
    )


def _content(entry: Entry) -> str:
    content = entry.payload.get("content")
    return content.strip() if isinstance(content, str) else ""
