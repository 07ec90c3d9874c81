"""Which topics a person may see, and whose words in them: the topics' half of permission (C7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, TypedDict

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet

from topics.models import Topic

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Withheld(TypedDict):
        withheld: bool

    Visible = WithAnnotations[Topic, _Withheld]


class Reader(Protocol):
    """What this policy needs to know of a person; `accounts.User` is one."""

    @property
    def pk(self) -> int:
        """The person's id."""

    @property
    def is_active(self) -> bool:
        """Whether they may still sign in."""

    @property
    def reads_all(self) -> bool:
        """Whether they hold the auditor's role."""


def visible_to(user: Reader, readable: frozenset[int]) -> QuerySet[Visible]:
    """The topics a person may see: their own; an auditor's are all.

    `readable` are the repositories they may read now. Each topic's `withheld` says whether title
    and summary rest on others, so that a search can leave those out inside its query.
    """
    withheld = ExpressionWrapper(
        ~Q(sources__contained_by=sorted(readable)), output_field=BooleanField()
    )
    topics = Topic.objects.annotate(withheld=withheld)
    if not user.is_active:
        return topics.none()
    if user.reads_all:
        return topics
    return topics.filter(owner=user.pk)


def entry_visible(sources: Iterable[int], readable: frozenset[int]) -> bool:
    """Whether words written from these repositories may be shown to someone who reads those."""
    return readable.issuperset(sources)
