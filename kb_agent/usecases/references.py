"""What a question names, looked up with its asker's rights and noted beside it (P9).

`topic:12#4-40` brings that topic's words, `@name` what that person has opened to the whole company
and fits the question. What may not be seen is named as withheld, whether or not it exists.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from kb_agent.usecases import mentions, opened_by
from kb_agent.usecases.access import Access
from kb_agent.usecases.people import Person, person
from tapes import entries, views
from tapes.views import View
from topics import continuing, markers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.accounts.models import User
    from kb_agent.usecases.mentions import NamedPerson, NamedTopic
    from tapes.entries import Entry, NewEntry
    from topics.models import Topic

WHY = "named in the question"
MOST = 8
"""Names looked up in one question."""
LONGEST_NUMBER = 16
MOST_ENTRIES = 200
"""Entries of a range that are looked through for what was said."""
TOPICS_A_PERSON = 3
FACTS_A_PERSON = 3
VIEWS_A_PERSON = 3
_HEAD = "Named in the question; what follows was true when it was written."
_WITHHELD = "(a passage is withheld here)"
_SUMMARY_BYTES = 800
_SPEAKERS = {
    "user": "Last question",
    "assistant": "Last answer, whose evidence must be opened anew to be cited",
}


@dataclass(frozen=True)
class TopicName:
    """A topic to name in a question."""

    topic: int
    title: str
    owner: Person
    mine: bool


@dataclass
class _Found:
    """What one name came to: its words, and what they rest on."""

    shown: dict[str, Any]
    lines: list[str] = field(default_factory=list)
    topics: Sequence[Topic] = field(default_factory=list)
    sources: set[int] = field(default_factory=set)


def notes(access: Access, question: str) -> list[NewEntry]:
    """The anchor that stands right after a question which names something; none for all others.

    Its text has 1,200 tokens at most, its sources are those of all it repeats.
    """
    named: list[NamedTopic | NamedPerson] = [
        *mentions.topics(question),
        *mentions.people(question),
    ]
    if not named:
        return []
    found = [_looked_up(access, one, question) for one in named[:MOST]]
    topics = {topic.pk: topic for one in found for topic in one.topics}
    state = {
        "text": _text(found),
        "topics": [_place(topic) for topic in topics.values()],
        "references": [one.shown for one in found],
    }
    sources = {source for one in found for source in one.sources}
    return [
        entries.anchor(
            continuing.RECALL, state, actor="system", why=WHY, sources=tuple(sorted(sources))
        )
    ]


def complete(user: User, q: str = "", *, limit: int = 8) -> list[TopicName]:
    """The topics one may name whose number or title goes on so, newest activity first."""
    access = Access(user)
    readable = sorted(access.prose_readable)
    found = access.known_topics().select_related("owner").filter(sources__contained_by=readable)
    for word in q.split():
        by_number = Q(pk=int(word)) if word.isdecimal() and len(word) < LONGEST_NUMBER else Q()
        found = found.filter(by_number | Q(title__icontains=word))
    rows = found.order_by("-last_activity_at", "-pk")[:limit]
    return [
        TopicName(one.pk, one.title, person(one.owner), one.owner_id == user.pk) for one in rows
    ]


def _looked_up(access: Access, named: NamedTopic | NamedPerson, question: str) -> _Found:
    if isinstance(named, mentions.NamedTopic):
        return _topic(access, named)
    return _person(access, named, question)


def _topic(access: Access, named: NamedTopic) -> _Found:
    shown: dict[str, Any] = {"kind": "topic", "written": named.written, "shown": False}
    topic = access.known_topics().select_related("owner").filter(pk=named.topic).first()
    if topic is None:
        return _Found(shown, [f"{named.written} is not open to the asker."])
    found = _Found({**shown, "shown": True, "topic": topic.pk, "withheld": 0}, topics=[topic])
    found.lines = [
        f"Of {topic.owner.shown_name}, tape {topic.tape_id}: {_title(access, topic, found)}"
    ]
    for entry in _said(topic, named):
        if access.shows_entry(entry):
            found.sources |= set(entry.sources)
            found.lines.append(f"{_SPEAKERS[entry.payload['role']]}: {_words(entry)}")
        else:
            found.shown["withheld"] += 1
            found.lines.append(_WITHHELD)
    return found


def _title(access: Access, topic: Topic, found: _Found) -> str:
    if not access.shows(topic.sources):
        found.shown["withheld"] += 1
        return _WITHHELD
    found.sources |= set(topic.sources)
    found.shown["title"] = topic.title
    summary = " ".join(topic.summary.split())
    return topic.title + (
        f"\nSummary: {continuing.cut(summary, _SUMMARY_BYTES)}" if summary else ""
    )


def _said(topic: Topic, named: NamedTopic) -> list[Entry]:
    """The questions and answers of a range; of a whole topic the last of each."""
    if named.first is None:
        return continuing.last_said(topic)
    view = View.seqs(named.first, named.last).only(entries.MESSAGE).limit(MOST_ENTRIES)
    return [
        entry
        for entry in views.read(topic.tape_id, view)
        if entry.topic_id == topic.pk and entry.payload["role"] in _SPEAKERS
    ]


def _person(access: Access, named: NamedPerson, question: str) -> _Found:
    shown: dict[str, Any] = {"kind": "person", "written": f"@{named.name}", "shown": False}
    if len(named.people) > 1:
        return _Found({**shown, "several": True}, ["Several people have this name."])
    return _opened_by(access, named.people[0], question, shown)


def _opened_by(access: Access, owner: User, question: str, shown: dict[str, Any]) -> _Found:
    words = _without_names(question)
    topics = opened_by.topics(access, owner, words, limit=TOPICS_A_PERSON)
    facts = opened_by.facts(access, owner, words, limit=FACTS_A_PERSON)
    named = opened_by.views(owner, words, limit=VIEWS_A_PERSON)
    anything = bool(topics or facts or named)
    told = {"person": owner.pk, "name": owner.shown_name, "shown": anything}
    found = _Found({**shown, **told}, topics=topics)
    if not anything:
        found.lines = [f"Nothing that {owner.shown_name} has opened fits this question."]
        return found
    found.shown["topics"] = [{"topic": one.pk, "title": one.title} for one in topics]
    found.shown["facts"] = [
        {"fact": one.pk, "version": one.version, "text": one.text} for one in facts
    ]
    # By their numbers: a name written here would outlive the share.
    found.shown["views"] = [{"view": one.pk} for one in named]
    found.lines = [f"Open view {one.pk}: open_view shows it by this number." for one in named]
    for topic in topics:
        found.sources |= set(topic.sources)
        summary = " ".join(topic.summary.split())
        told_of = f": {continuing.cut(summary, _SUMMARY_BYTES)}" if summary else ""
        found.lines.append(f"Open topic {topic.pk}, {topic.title}{told_of}")
    for fact in facts:
        found.sources |= set(fact.sources)
        found.lines.append(f"Accepted fact: {fact.text}")
    return found


def _without_names(question: str) -> str:
    """The question's own words: names are looked up, never looked for."""
    text = mentions.TOPIC.sub(" ", question)
    for one in mentions.people(text):
        text = text.replace(f"@{one.name}", " ")
    return text


def _text(found: Sequence[_Found]) -> str:
    """What the model is shown; each name has its part of the room, and what one leaves the next has."""
    parts = [_HEAD]
    left = continuing.MAX_BYTES - len(_HEAD.encode())
    for place, one in enumerate(found):
        said = f"\nNamed: {one.shown['written']}\n" + "\n".join(one.lines)
        part = continuing.cut(said, max(left // (len(found) - place) - 1, 0))
        left -= len(part.encode()) + 1
        parts.append(part.strip("\n"))
    return "\n".join(parts)


def _place(topic: Topic) -> dict[str, Any]:
    return {
        "topic": topic.pk,
        "tape": topic.tape_id,
        "range": continuing.reach(topic),
        "title": topic.title,
    }


def _words(entry: Entry) -> str:
    said = markers.without(str(entry.payload["content"] or "").strip())
    return " ".join(said.split()) if entry.payload["role"] == "user" else "\n" + said
