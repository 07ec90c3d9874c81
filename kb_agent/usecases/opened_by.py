"""What of a person's open knowledge fits a question: all that `@name` ever reaches (P9)."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from kb_agent.repositories import recall
from kb_agent.repositories.facts import matching
from topics import access as topic_access
from topics import finding_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.accounts.models import User
    from kb_agent.usecases.access import Access
    from topics.models import NamedView, Topic
    from topics.models.facts import Fact

NEWEST = 500
"""Open topics of one person whose words are looked through."""
LEAST = 0.25
"""Of the question's words, the rarer the more, a topic has at least so much."""
MOST_FACTS = 50
HALF = 0.5
"""Of a view's name, so much stands in the question: a view has no other words of its own."""


def topics(access: Access, owner: User, question: str, *, limit: int) -> list[Topic]:
    """The open topics of this person that fit, best first; of those whose every word may be read.

    Finished ones are found as recall finds them, across languages too; those that go on by their
    words. Without a question they are the newest.
    """
    opened = topic_access.open_of(owner.pk, access.readable).filter(withheld=False)
    newest = list(opened.select_related("owner").order_by("-last_activity_at", "-pk")[:NEWEST])
    wanted = finding_words.of(question)
    if not wanted or not newest:
        return list(newest[:limit])
    near = recall.among(question, opened, readable=access.readable)
    by_words = [topic for topic, score in _scored(newest, wanted) if score >= LEAST]
    best = {one.pk: one for one in [*(each.topic for each in near), *by_words]}
    return list(best.values())[:limit]


def views(owner: User, question: str, *, limit: int) -> list[NamedView]:
    """The open named views of this person whose names fit, the newest first; without a question all do.

    What one shows is composed for whoever opens it: here it is only found.
    """
    opened = topic_access.open_views_of(owner.pk).order_by("-pk")[:NEWEST]
    wanted = finding_words.of(question)
    if not wanted:
        return list(opened[:limit])
    named = [(one, finding_words.of(one.name)) for one in opened]
    return [one for one, has in named if has and len(has & wanted) >= HALF * len(has)][:limit]


def facts(access: Access, contributor: User, question: str, *, limit: int) -> list[Fact]:
    """The accepted, fresh facts of this person that fit, of those whose sources may be read."""
    found = matching.about(question, readable=access.readable, limit=MOST_FACTS)
    theirs = [one.fact for one in found if one.fact.contributor_id == contributor.pk]
    return theirs[:limit]


def _scored(found: Sequence[Topic], wanted: set[str]) -> list[tuple[Topic, float]]:
    """The share of the question's words that each has, best first."""
    has = {one.pk: finding_words.of(f"{one.title}\n{one.summary}") & wanted for one in found}
    often = Counter(term for terms in has.values() for term in terms)
    weights = {term: math.log(1 + (len(found) + 1) / (often[term] + 0.5)) for term in wanted}
    whole = sum(weights.values())
    scored = [(one, sum(weights[term] for term in has[one.pk]) / whole) for one in found]
    return sorted(scored, key=lambda one: -one[1])
