"""What a person can see of another: the facts they contributed and the topics they opened to all (P10, P9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.accounts.models import User
from kb_agent.usecases import fact_showing, refusals
from kb_agent.usecases import topics as topic_cases
from kb_agent.usecases.access import Access
from kb_agent.usecases.people import Person, person
from topics import access as topic_access
from topics import facts

if TYPE_CHECKING:
    from kb_agent.usecases.fact_showing import ShownFact
    from kb_agent.usecases.topics import ShownTopic

MOST = 50


@dataclass(frozen=True)
class Contributor:
    """A person, with what they know that everyone may build on; the newest of each."""

    person: Person
    facts: list[ShownFact]
    fact_count: int
    topics: list[ShownTopic]
    topic_count: int
    me: bool


def show(user: User, person_id: int) -> Contributor:
    """The accepted, fresh facts and open topics of a person, of those `user` may read. Raises `NotFound`."""
    access = Access(user)
    found = User.objects.filter(pk=person_id).first()
    if found is None:
        raise refusals.NotFound("person")
    known = facts.open_of(found.pk).values("pk")
    accepted = access.facts().filter(pk__in=known, withheld=False).order_by("-changed_at", "-pk")
    opened = topic_access.open_of(found.pk, access.prose_readable).filter(withheld=False)
    topics = opened.select_related("owner").order_by("-last_activity_at", "-pk")
    return Contributor(
        person=person(found),
        facts=fact_showing.shown(access, list(accepted[:MOST])),
        fact_count=accepted.count(),
        topics=topic_cases.shown(access, list(topics[:MOST])),
        topic_count=topics.count(),
        me=found.pk == user.pk,
    )
