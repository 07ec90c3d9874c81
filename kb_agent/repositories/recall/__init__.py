"""Finds the earlier topics that a question is near to, among those its asker may build on now (P7, C7)."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from kb_agent.repositories import search, secrets
from kb_agent.repositories.recall import recollecting, spaces
from kb_agent.repositories.vocabulary import corrections, questions
from topics import access, recalling
from topics.recalling import Asked, Near

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from kb_agent.accounts.models import User
    from kb_agent.llm.account import Account
    from topics.models import Topic

MOST_TOPICS = 5
# Chosen on the half of docs/bench/recall that is for choosing.
LEAST = 0.24
# How many places of code are compared with those that topics cite; what other words for a word count.
PLACES, OTHER_WORDS = 30, 0.3


def recall(
    question: str,
    *,
    asker: User,
    readable: frozenset[int],
    leave_out: Collection[int] = (),
    account: Account | None = None,
    least: float = LEAST,
) -> list[Near]:
    """The nearest finished topics, best first: the asker's own and those opened to them.

    A topic that rests on a repository outside `readable` takes no part, whatever was opened.
    """
    topics = recalling.recallable(access.known_to(asker, readable), readable)
    topics = topics.exclude(pk__in=list(leave_out))
    if not topics.exists():
        return []
    masked = secrets.mask(question).text
    meant = spaces.meant(masked, topics, account=account) if account else {}
    asked = _asked(masked, readable, meant)
    return recalling.near(topics, asked, least=least, limit=MOST_TOPICS)


def among(question: str, topics: QuerySet[Topic], *, readable: frozenset[int]) -> list[Near]:
    """The nearest of these topics by words and places, without asking for a vector."""
    found = recalling.recallable(topics, readable)
    if not found.exists():
        return []
    asked = _asked(secrets.mask(question).text, readable, {})
    return recalling.near(found, asked, least=LEAST, limit=MOST_TOPICS)


def _asked(question: str, readable: frozenset[int], meant: dict[int, float]) -> Asked:
    allowed = sorted(readable)
    said = corrections.applied(questions.concepts(question, allowed), question, allowed)
    hits = search.search(question, readable=readable, limit=PLACES).hits
    return Asked(
        words=[
            (
                concept.weight,
                {term: weight * OTHER_WORDS for term, weight in concept.beside}
                | dict(concept.terms),
            )
            for concept in said
        ],
        landed=recollecting.landed_in(hits),
        places=[(hit.repository_id, hit.path, hit.start_line, hit.end_line) for hit in hits],
        meant=meant,
    )
