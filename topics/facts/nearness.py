"""Whether a conclusion is a fact that is known already: the same lines, said in nearly the same words (P10)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, utils

from topics import facts
from topics.models.facts import Fact, FactStatus

if TYPE_CHECKING:
    from topics.facts import Draft

ALIKE = 75
"""Of 100: the same statement in other word order or with other small words; other numbers are another fact."""
LOOKED_AT = 200


def propose_or_join(draft: Draft) -> Fact | None:
    """Propose a fact, or join the one that says the same; None where reviewers have rejected that one.

    Raises FactRefused.
    """
    known = nearest(draft.text, [place.content_hash for place in draft.evidence])
    if known is None or known.topic_id == draft.topic_id:
        return facts.propose(draft) if known is None else known
    if known.status == FactStatus.REJECTED:
        return None
    return facts.join(known.pk, draft)


def nearest(text: str, hashes: Iterable[str]) -> Fact | None:
    """The fact that rests on one of the same contents and says nearly the same; none that was withdrawn."""
    facts_there = Fact.objects.filter(places__content_hash__in=set(hashes)).distinct()
    living = facts_there.exclude(status=FactStatus.WITHDRAWN).order_by("-pk")[:LOOKED_AT]
    alike = [(_alike(text, fact.text), fact) for fact in living]
    near = [(score, -fact.pk, fact) for score, fact in alike if score >= ALIKE]
    return max(near, key=lambda each: each[:2])[2] if near else None


def _alike(one: str, other: str) -> float:
    """Of 100; 0 where the numbers in them differ."""
    if _numbers(one) != _numbers(other):
        return 0.0
    return fuzz.ratio(one, other, processor=utils.default_process)


def _numbers(text: str) -> set[str]:
    return {word for word in utils.default_process(_spaced(text)).split() if word.isdigit()}


def _spaced(text: str) -> str:
    return "".join(character if character.isascii() else " " for character in text)
