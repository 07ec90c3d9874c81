"""Takes a recalled topic out of what later calls are shown, and brings it back; each an event (P7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tapes import entries, store, views
from tapes.models import Anchor, Entry
from tapes.renderers import v3
from topics import acts, continuing, locks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.db.models import QuerySet

    from tapes.entries import Entry as TapeEntry
    from topics.models import Topic


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """A topic as a recall notes it."""

    seq: int
    topic: int
    tape: int
    range: tuple[int, int]
    score: float | None
    """None for the one that is continued."""
    dismissed: bool


class NotRecalled(Exception):
    """The topic was not recalled here."""

    code = "not_recalled"


def recalled(topic: Topic) -> list[Recalled]:
    """The topics recalled in a topic, the best first, each once."""
    noted = _noted(topic)
    gone = v3.dismissed(_changes(topic))
    found: dict[int, Recalled] = {}
    for seq, place in noted:
        first, last = place["range"]
        one = Recalled(
            seq=seq,
            topic=place["topic"],
            tape=place["tape"],
            range=(first, last),
            score=place.get("score"),
            dismissed=place["topic"] in gone.get(seq, ()),
        )
        found.setdefault(one.topic, one)
    return list(found.values())


@acts.act
def dismiss(topic: Topic, recalled_id: int, *, actor: str) -> None:
    """Leave a recalled topic out from now on; done already, nothing changes. Raises NotRecalled."""
    _change(topic, recalled_id, v3.DISMISSED, actor=actor)


@acts.act
def restore(topic: Topic, recalled_id: int, *, actor: str) -> None:
    """Take a dismissal back. Raises NotRecalled."""
    _change(topic, recalled_id, v3.RESTORED, actor=actor)


def events_of(tape_id: int, topic_id: int) -> list[TapeEntry]:
    """What dismissed recalled topics in a topic, and what brought them back, in order."""
    return views.entries(_rows(tape_id, topic_id))


def _change(topic: Topic, recalled_id: int, name: str, *, actor: str) -> None:
    locks.tape(topic.tape_id)
    seqs = [seq for seq, place in _noted(topic) if place["topic"] == recalled_id]
    if not seqs:
        raise NotRecalled(f"topic {recalled_id} was not recalled in topic {topic.pk}")
    gone = v3.dismissed(_changes(topic))
    wanted = name == v3.DISMISSED
    changed = [seq for seq in seqs if (recalled_id in gone.get(seq, ())) != wanted]
    new = [entries.event(name, {"seq": seq, "topic": recalled_id}, actor=actor) for seq in changed]
    if new:
        store.append(topic.tape_id, [replace(event, topic_id=topic.pk) for event in new])


def _noted(topic: Topic) -> list[tuple[int, dict[str, Any]]]:
    """The recalled places of a topic's anchors, oldest anchor first."""
    own = Entry.objects.filter(tape_id=topic.tape_id, topic_id=topic.pk, kind="anchor")
    anchors = Anchor.objects.filter(
        tape_id=topic.tape_id, name=continuing.RECALL, seq__in=own.values("seq")
    )
    return list(_places(anchors.order_by("seq").values_list("seq", "state")))


def _places(anchors: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    for seq, state in anchors:
        # What the asker named was not recalled: it is theirs to leave out of the question.
        recalls = isinstance(state, dict) and "references" not in state
        places = state.get("topics") if recalls else None
        for place in places if isinstance(places, Sequence) else ():
            if isinstance(place, dict) and isinstance(place.get("topic"), int):
                yield seq, place


def _changes(topic: Topic) -> list[Any]:
    return list(_rows(topic.tape_id, topic.pk))


def _rows(tape_id: int, topic_id: int) -> QuerySet[Entry]:
    names = [v3.DISMISSED, v3.RESTORED]
    found = Entry.objects.filter(
        tape_id=tape_id, topic_id=topic_id, kind="event", payload__name__in=names
    )
    return found.order_by("seq")
