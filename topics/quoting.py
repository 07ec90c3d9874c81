"""Which other topics an entry quotes: their words leave with the right to see them (C7, P9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from topics import continuing
from topics.models import Topic

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tapes.entries import Entry

META = "topics"
"""The key in an entry's meta: ids of the topics whose words its tools gave back."""


class Quotes:
    """Whether one person may see the topics that entries quote; each topic is looked up once."""

    def __init__(self, visible: QuerySet[Topic]) -> None:
        """For someone who sees these topics."""
        self._visible = visible
        self._known: dict[int, bool] = {}

    @classmethod
    def of_nobody(cls) -> Quotes:
        """Of someone who sees no other topic."""
        return cls(Topic.objects.none())

    def shown(self, entry: Entry) -> bool:
        """Whether every topic this entry quotes may be seen."""
        return not self.hidden([entry])

    def sees(self, topic_id: int) -> bool:
        """Whether this one topic may be seen."""
        self._look_up({topic_id} - self._known.keys())
        return self._known[topic_id]

    def hidden(self, found: Iterable[Entry]) -> frozenset[int]:
        """The seqs of those entries of a tape that quote a topic which may not be seen."""
        by_seq = {entry.seq: names for entry in found if (names := quoted(entry))}
        self._look_up(set().union(*by_seq.values()) - self._known.keys())
        return frozenset(
            seq for seq, names in by_seq.items() if not all(self._known[one] for one in names)
        )

    def _look_up(self, topic_ids: set[int]) -> None:
        if topic_ids:
            seen = set(self._visible.filter(pk__in=topic_ids).values_list("pk", flat=True))
            self._known |= {one: one in seen for one in topic_ids}


def quoted(entry: Entry) -> frozenset[int]:
    """The topics whose words this entry repeats, besides its own."""
    named = set(_ids(entry.meta.get(META)))
    if entry.kind == "anchor" and entry.payload.get("name") == continuing.RECALL:
        state = entry.payload.get("state") or {}
        places = state.get("topics") if isinstance(state, Mapping) else ()
        named |= set(_ids(place.get("topic") for place in _mappings(places)))
    return frozenset(named - {entry.topic_id})


def all_quoted(found: Iterable[Entry]) -> frozenset[int]:
    """The topics whose words are given back with these entries: their own, and those they quote."""
    of = {topic for entry in found for topic in (entry.topic_id, *quoted(entry))}
    return frozenset(topic for topic in of if topic is not None)


def _mappings(found: Any) -> Iterator[Mapping[str, Any]]:
    yield from (one for one in found or () if isinstance(one, Mapping))


def _ids(found: Any) -> Iterator[int]:
    if isinstance(found, Iterable) and not isinstance(found, str | bytes):
        yield from (one for one in found if type(one) is int)
