"""What a continued topic is told of the one it continues, so that "and how often?" has its context (P5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapes import entries, store, views
from tapes.views import View
from topics import markers
from topics.models import Topic

if TYPE_CHECKING:
    from tapes.entries import Entry, NewEntry
    from topics.models import Turn

RECALL = "recall_anchor"
MAX_BYTES = 4_800
"""1,200 tokens, at four bytes of UTF-8 each."""
_SUMMARY_BYTES = 1_200
_QUESTION_BYTES = 1_200
_ELLIPSIS = "…"


def note(topic_id: int) -> NewEntry:
    """The anchor that recalls a finished topic: its place, title, summary, last question and answer.

    Its sources are those of all it quotes, so that who may not read them sees it withheld (C7).
    Raises Topic.DoesNotExist.
    """
    topic = Topic.objects.get(pk=topic_id)
    said = last_said(topic)
    place = {
        "topic": topic.pk,
        "tape": topic.tape_id,
        "range": reach(topic),
        "title": topic.title,
        "summary": topic.summary,
    }
    return entries.anchor(
        RECALL,
        {"text": _text(topic, said), "topics": [place]},
        actor="system",
        why=f"continues topic {topic.pk}",
        sources=sorted({*topic.sources, *(source for one in said for source in one.sources)}),
    )


def last_said(topic: Topic) -> list[Entry]:
    """The newest question that was answered, and its answer; without any, the newest question."""
    turns = topic.turns.order_by("-pk")
    turn = turns.filter(answer_seq__isnull=False).first() or turns.first()
    if turn is None:
        return []
    seqs = _seqs(turn)
    said = views.read(topic.tape_id, View.of_turns([turn.pk]).only(entries.MESSAGE))
    return [entry for entry in said if entry.seq in seqs]


def _seqs(turn: Turn) -> set[int | None]:
    return {turn.question_seq, turn.answer_seq}


def reach(topic: Topic) -> list[int]:
    """First and last seq of a topic; of one that goes on, as far as its tape has come."""
    return [topic.initial_seq, topic.finalized_seq or store.get(topic.tape_id).head]


def _text(topic: Topic, said: list[Entry]) -> str:
    first, last = reach(topic)
    lines = [
        f"This topic continues topic {topic.pk} (tape {topic.tape_id}, entries"
        f" {first} to {last}): {topic.title}",
    ]
    if topic.summary:
        lines.append(f"Summary: {_one_line(topic.summary, _SUMMARY_BYTES)}")
    for entry in said:
        if entry.payload["role"] == "user":
            lines.append(f"Last question: {_one_line(_words(entry), _QUESTION_BYTES)}")
        else:
            lines.append("Last answer, whose evidence must be opened anew to be cited:")
            lines.append(markers.without(_words(entry)))
    return cut("\n".join(lines), MAX_BYTES)


def _words(entry: Entry) -> str:
    content = entry.payload["content"]
    return content.strip() if isinstance(content, str) else ""


def _one_line(text: str, most: int) -> str:
    return cut(" ".join(text.split()), most)


def cut(text: str, most: int) -> str:
    """The beginning of a text in at most `most` bytes of UTF-8, marked when it was cut."""
    raw = text.encode()
    if len(raw) <= most:
        return text
    room = most - len(_ELLIPSIS.encode())
    return raw[:room].decode(errors="ignore").rstrip() + _ELLIPSIS
