"""What a person has opened to the whole company and what of it fits a question: all `@name` reaches (P9)."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from kb_agent.repositories import fact_matching
from topics import access as topic_access
from topics import finding_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.accounts.models import User
    from kb_agent.usecases.access import Access
    from topics.fact_models import Fact
    from topics.models import Topic

NEWEST = 500
"""Open topics of one person that are looked through."""
LEAST = 0.25
"""Of the question's words, the rarer the more, a topic has at least so much."""
MOST_FACTS = 50


def topics(access: Access, owner: User, question: str, *, limit: int) -> Sequence[Topic]:
    """The open topics of this person that fit, best first; of those whose every word may be read.

    Without a question the newest.
    """
    opened = topic_access.open_of(owner.pk, access.readable).filter(withheld=False)
    newest = list(opened.select_related("owner").order_by("-last_activity_at", "-pk")[:NEWEST])
    wanted = finding_words.of(question)
    if not wanted:
        return newest[:limit]
    has = {one.pk: finding_words.of(f"{one.title}\n{one.summary}") & wanted for one in newest}
    often = Counter(term for terms in has.values() for term in terms)
    weights = {term: math.log(1 + (len(newest) + 1) / (often[term] + 0.5)) for term in wanted}
    whole = sum(weights.values())
    scores = {pk: sum(weights[term] for term in terms) / whole for pk, terms in has.items()}
    fitting = [one for one in newest if scores[one.pk] >= LEAST]
    return sorted(fitting, key=lambda one: -scores[one.pk])[:limit]


def facts(access: Access, contributor: User, question: str, *, limit: int) -> list[Fact]:
    """The accepted, fresh facts of this person that fit, of those whose sources may be read."""
    found = fact_matching.about(question, readable=access.readable, limit=MOST_FACTS)
    theirs = [one.fact for one in found if one.fact.contributor_id == contributor.pk]
    return theirs[:limit]
