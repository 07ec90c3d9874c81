"""Whether a conclusion is a fact that is known already: lines in common, said in nearly the same words (P10)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from django.db.models import Q
from rapidfuzz import fuzz, utils

from topics import facts
from topics.models.facts import Fact, FactStatus

if TYPE_CHECKING:
    from topics.facts import Cited, Draft

ALIKE = 75
"""Of 100: the same statement in other word order or with other small words; other numbers are another fact."""
LOOKED_AT = 200


def propose_or_join(draft: Draft) -> Fact | None:
    """Propose a fact, or join the one that says the same; None where reviewers have rejected that one.

    Raises FactRefused.
    """
    known = nearest(draft.text, draft.evidence)
    if known is None or known.topic_id == draft.topic_id:
        return facts.propose(draft) if known is None else known
    if known.status == FactStatus.REJECTED:
        return None
    return facts.join(known.pk, draft)


def nearest(text: str, evidence: Iterable[Cited]) -> Fact | None:
    """The fact that rests on lines in common and says nearly the same; none that was withdrawn."""
    shared = reduce(or_, (_shares(place) for place in evidence), Q(pk=None))
    facts_there = Fact.objects.filter(shared).distinct()
    living = facts_there.exclude(status=FactStatus.WITHDRAWN).order_by("-pk")[:LOOKED_AT]
    alike = [(_alike(text, fact.text), fact) for fact in living]
    near = [(score, -fact.pk, fact) for score, fact in alike if score >= ALIKE]
    return max(near, key=lambda each: each[:2])[2] if near else None


def _shares(place: Cited) -> Q:
    """The same content wherever it stands, or lines in common at one commit."""
    lines = Q(
        places__repository=place.repository,
        places__commit=place.commit,
        places__path=place.path,
        places__start_line__lte=place.end_line,
        places__end_line__gte=place.start_line,
    )
    return Q(places__content_hash=place.content_hash) | lines


def _alike(one: str, other: str) -> float:
    """Of 100; 0 where the numbers in them differ."""
    if _numbers(one) != _numbers(other):
        return 0.0
    return fuzz.ratio(one, other, processor=utils.default_process)


def _numbers(text: str) -> set[str]:
    return {word for word in utils.default_process(_spaced(text)).split() if word.isdigit()}


def _spaced(text: str) -> str:
    return "".join(character if character.isascii() else " " for character in text)
