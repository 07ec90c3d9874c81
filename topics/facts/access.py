"""Which facts a person may see, and whose words in them (P10, C7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet

from topics.models.facts import Fact, FactStatus

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    from topics.access import Reader

    class _Withheld(TypedDict):
        withheld: bool

    VisibleFact = WithAnnotations[Fact, _Withheld]


def visible_to(
    user: Reader, *, readable: frozenset[int], prose: frozenset[int], reviews: bool
) -> QuerySet[VisibleFact]:
    """A person's own facts; accepted ones whose prose they may read; all they can check, for reviewers.

    `readable` are the repositories whose code they may read now, `prose` those whose prose. Each
    fact's `withheld` says whether its words rest on others, so that a search leaves those out.
    """
    told = Q(sources__contained_by=sorted(prose))
    facts = Fact.objects.annotate(withheld=ExpressionWrapper(~told, output_field=BooleanField()))
    if not user.is_active:
        return facts.none()
    if user.reads_all:
        return facts
    seen = Q(contributor=user.pk) | (Q(status=FactStatus.ACCEPTED) & told)
    if reviews:
        seen |= Q(sources__contained_by=sorted(readable))
    return facts.filter(seen)
