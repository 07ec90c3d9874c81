"""Who has opened what to the whole company: the people whose knowledge one may build on (P9, P10)."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from kb_agent.accounts.models import User
from kb_agent.usecases.access import Access
from kb_agent.usecases.people import Person, person
from topics import access as topic_access
from topics import facts

MOST = 8


@dataclass(frozen=True)
class Opened:
    """A person, and how much of theirs everyone may build on who reads its code."""

    person: Person
    topic_count: int
    fact_count: int


def most(user: User) -> list[Opened]:
    """The people who have opened most, of what `user` may read; active ones."""
    access = Access(user)
    topics = access.known_topics().filter(topic_access.open_to_company(), Q(withheld=False))
    opened = dict(topics.order_by().values_list("owner").annotate(Count("pk")))
    known = access.facts().prefetch_related(None).select_related(None)
    known = known.filter(Q(withheld=False), pk__in=facts.fresh().values("pk"))
    accepted = dict(known.order_by().values_list("contributor").annotate(Count("pk")))
    people = User.objects.filter(pk__in={*opened, *accepted}, is_active=True).order_by("pk")
    found = [
        Opened(person(each), opened.get(each.pk, 0), accepted.get(each.pk, 0)) for each in people
    ]
    found.sort(key=lambda each: -(each.topic_count + each.fact_count))
    return found[:MOST]
