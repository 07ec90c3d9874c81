"""Where the two policies of permission meet: every row a person reaches is reached through here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef

from kb_agent.accounts import audit, roles
from kb_agent.repositories import access as code_access
from kb_agent.usecases import refusals
from tapes import browsing
from topics import access as topic_access
from topics import quoting
from topics.facts import access as fact_access
from topics.models import NamedView, Topic, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import QuerySet

    from kb_agent.accounts.models import User
    from kb_agent.repositories.models import Repository
    from tapes.entries import Entry
    from tapes.store import Tape
    from topics.models.facts import Fact


def personal(person_id: int) -> str:
    """How the names of a person's tapes begin."""
    return f"person/{person_id}/"


@dataclass(frozen=True)
class Access:
    """What one person may reach now; made anew for every request, so that a grant taken is gone."""

    person: User

    @cached_property
    def readable(self) -> frozenset[int]:
        """The repositories whose code this person may read (C7)."""
        return code_access.readable_ids(self.person)

    @cached_property
    def prose_readable(self) -> frozenset[int]:
        """Those, and the repositories whose prose the whole company may read: titles, answers, summaries.

        Never lines of code, names of places, words or routing: for these ask `readable`.
        """
        return self.readable | (code_access.company_ids() if self.person.is_active else frozenset())

    @cached_property
    def by_role(self) -> bool:
        """Whether this person reads what is nobody's to open to them: an auditor, on the record (C10)."""
        return self.person.reads_all

    @cached_property
    def quotes(self) -> quoting.Quotes:
        """What entries repeat of topics that this person may see, or may not."""
        return quoting.Quotes(self.topics())

    def repositories(self) -> QuerySet[Repository]:
        """The repositories this person may read."""
        return code_access.readable(self.person)

    def topics(self) -> QuerySet[Topic]:
        """The topics this person may see."""
        return topic_access.visible_to(self.person, self.prose_readable)

    def known_topics(self) -> QuerySet[Topic]:
        """The topics this person may build on: their own and those opened to them, by no role."""
        return topic_access.known_to(self.person, self.prose_readable)

    def known(self, topic_ids: Iterable[int]) -> frozenset[int]:
        """Those of these visible topics that this person may build on: all, but for a role's."""
        if not self.by_role:
            return frozenset(topic_ids)
        found = self.known_topics().filter(pk__in=list(topic_ids))
        return frozenset(found.values_list("pk", flat=True))

    def topic(self, topic_id: int) -> Topic:
        """One topic that this person may see, or `NotFound`."""
        found = self.topics().select_related("owner").filter(pk=topic_id).first()
        if found is None:
            raise refusals.NotFound("topic")
        self.note_reading([found])
        return found

    def note_reading(self, topics: Iterable[Topic]) -> None:
        """Leave an audit line for each topic that is read by right of a role (C10)."""
        for topic in topics:
            if topic.owner_id != self.person.pk and self.by_role:
                audit.note(self.person, "topic_read", f"topic:{topic.pk}")

    def note_listing(self, topics: Iterable[Topic]) -> None:
        """Leave one audit line for a page of them."""
        read = [topic.pk for topic in topics if topic.owner_id != self.person.pk]
        if read and self.by_role:
            audit.note(self.person, "topics_listed", "topics", details={"topics": read})

    def own_topic(self, topic_id: int) -> Topic:
        """One topic that this person may act on: `Forbidden` where they may only read it."""
        found = self.topic(topic_id)
        if found.owner_id != self.person.pk:
            raise refusals.Forbidden("Only its owner may do this with a topic.")
        return found

    def turn(self, turn_id: int) -> Turn:
        """One turn of a topic that this person may see, or `NotFound`."""
        found = Turn.objects.select_related("asker").filter(pk=turn_id).first()
        topic = self.topics().filter(pk=found.topic_id).first() if found else None
        if found is None or topic is None:
            raise refusals.NotFound("turn")
        self.note_reading([topic])
        return found

    def views(self) -> QuerySet[NamedView]:
        """The named views this person may see; what one shows, they may see without it."""
        return topic_access.views_visible_to(self.person).select_related("owner")

    def view(self, view_id: int) -> NamedView:
        """One named view that this person may see, or `NotFound`."""
        found = self.views().filter(pk=view_id).first()
        if found is None:
            raise refusals.NotFound("view")
        if found.owner_id != self.person.pk and self.by_role:
            audit.note(self.person, "view_read", f"view:{found.pk}")
        return found

    def own_view(self, view_id: int) -> NamedView:
        """One named view that this person may act on: `Forbidden` where they may only read it."""
        found = self.view(view_id)
        if found.owner_id != self.person.pk:
            raise refusals.Forbidden("Only its owner may do this with a view.")
        return found

    @cached_property
    def reviews(self) -> bool:
        """Whether this person reviews facts, the vocabulary and evaluations (C10)."""
        return bool({"reviewer", "administrator"} & set(roles.of(self.person)))

    def facts(self) -> QuerySet[Fact]:
        """The facts this person may see, each with its contributor, versions, places and topics."""
        found = fact_access.visible_to(
            self.person,
            readable=self.readable,
            prose=self.prose_readable,
            reviews=self.reviews,
        )
        people = found.select_related("contributor", "decided_by", "topic")
        return people.prefetch_related("versions", "places", "drawn_from")

    def fact(self, fact_id: int) -> Fact:
        """One fact that this person may see, or `NotFound`."""
        found: Fact | None = self.facts().filter(pk=fact_id).first()
        if found is None:
            raise refusals.NotFound("fact")
        return found

    def tapes(self) -> QuerySet[Tape]:
        """The tapes this person may see: their own, and those of topics they may see; newest first."""
        if not self.person.is_active:
            return browsing.every().none()
        if self.by_role:
            return browsing.every()
        # EXISTS and not IN: one tape is then asked for by its own topics, not by all one may see.
        opened = Exists(self.topics().filter(tape=OuterRef("pk")))
        return browsing.of_person(personal(self.person.pk), opened)

    def tape(self, tape_id: int) -> Tape:
        """One tape that this person may see, or `NotFound`."""
        found = self.tapes().filter(pk=tape_id).first()
        if found is None:
            raise refusals.NotFound("tape")
        if self.by_role and not self.owns(found):
            audit.note(self.person, "tape_read", f"tape:{found.pk}")
        return found

    def own_tape(self, tape_id: int) -> Tape:
        """One tape that this person may write on: `Forbidden` where they may only read it."""
        found = self.tape(tape_id)
        if not self.owns(found):
            raise refusals.Forbidden("Only its owner may do this with a tape.")
        return found

    def owns(self, tape: Tape) -> bool:
        """Whether a tape is this person's: by its name, or because their topics stand on it."""
        return tape.pk in self.owned([tape])

    def owned(self, tapes: Sequence[Tape]) -> frozenset[int]:
        """Those of these tapes that are this person's; in one query, however many they are."""
        named = {tape.pk for tape in tapes if tape.name.startswith(personal(self.person.pk))}
        rest = [tape.pk for tape in tapes if tape.pk not in named]
        if not rest:
            return frozenset(named)
        theirs = self.topics().filter(owner=self.person.pk, tape__in=rest)
        return frozenset(named.union(theirs.values_list("tape_id", flat=True)))

    def topics_on(self, tape: Tape) -> list[int] | None:
        """The topics on a tape whose entries this person may see; None means the whole tape."""
        return self.topics_on_each([tape])[tape.pk]

    def topics_on_each(self, tapes: Sequence[Tape]) -> dict[int, list[int] | None]:
        """The same of many tapes, by their ids; in two queries, however many they are."""
        whole: dict[int, list[int] | None] = {tape.pk: None for tape in tapes}
        if self.by_role:
            return whole
        partly: dict[int, list[int]] = {pk: [] for pk in whole.keys() - self.owned(tapes)}
        if partly:
            there = self.topics().filter(tape__in=partly)
            for topic_id, tape_id in there.values_list("pk", "tape_id"):
                partly[tape_id].append(topic_id)
        return whole | partly

    def shows_entry(self, entry: Entry) -> bool:
        """Whether an entry's words may be shown: whose it is, what it was written from, whom it quotes."""
        return self.shows(entry.sources) and self.reaches(entry) and self.quotes.shown(entry)

    def reaches(self, entry: Entry) -> bool:
        """Whether an entry is of a topic this person may see, or of a tape that is theirs."""
        of_topic = entry.topic_id is not None and self.quotes.sees(entry.topic_id)
        return of_topic or self.whole(entry.tape_id)

    def whole(self, tape_id: int) -> bool:
        """Whether this person may see all of a tape, and not just some topics on it."""
        if tape_id not in self._whole:
            tape = self.tapes().filter(pk=tape_id).first()
            self._whole[tape_id] = tape is not None and (self.by_role or self.owns(tape))
        return self._whole[tape_id]

    @cached_property
    def _whole(self) -> dict[int, bool]:
        return {}

    def shows(self, sources: tuple[int, ...] | list[int]) -> bool:
        """Whether words written from these repositories may be shown to this person."""
        return topic_access.entry_visible(sources, self.readable)

    def shows_prose(self, sources: tuple[int, ...] | list[int]) -> bool:
        """Whether the prose of such words may be shown: `prose` says what that is."""
        return topic_access.entry_visible(sources, self.prose_readable)
