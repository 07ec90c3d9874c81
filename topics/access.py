"""Which topics a person may see, and whose words in them: the topics' half of permission (C7, P9)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, TypedDict

from django.contrib.auth.models import Group
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from topics.models import Topic
from topics.models.shares import Share, ShareKind, ShareVisit

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
    """The topics a person may see: their own and those opened to them; an auditor's are all.

    `readable` are the repositories they may read now. Each topic's `withheld` says whether title
    and summary rest on others, so that a search can leave those out inside its query.
    """
    if user.is_active and user.reads_all:
        return _annotated(readable)
    return known_to(user, readable)


def known_to(user: Reader, readable: frozenset[int]) -> QuerySet[Visible]:
    """The topics a person may build on: their own and those opened to them, whatever their role.

    An auditor reads all, but what others keep to themselves is no part of an auditor's questions.
    """
    topics = _annotated(readable)
    if not user.is_active:
        return topics.none()
    return topics.filter(Q(owner=user.pk) | Q(pk__in=opened_to(user.pk).values("topic")))


def open_of(owner_id: int, readable: frozenset[int]) -> QuerySet[Visible]:
    """What a person has opened to the whole company: all that `@name` ever reaches (P9)."""
    return _annotated(readable).filter(owner=owner_id, pk__in=with_company().values("topic"))


def shared_with(user: Reader) -> Q:
    """As a filter on topics: others' that were opened to this person, not just to everyone."""
    meant = opened_to(user.pk).exclude(kind=ShareKind.COMPANY)
    return ~Q(owner=user.pk) & Q(pk__in=meant.values("topic"))


def open_to_company() -> Q:
    """As a filter on topics: those opened to everyone who may sign in."""
    return Q(pk__in=with_company().values("topic"))


def in_force() -> QuerySet[Share]:
    """The shares that open something now: not revoked, not expired.

    A link whose maker was deactivated opens nothing: nobody is left to answer for who has it.
    """
    held = Share.objects.filter(Q(expires_at=None) | Q(expires_at__gt=Now()), revoked_at=None)
    return held.exclude(kind=ShareKind.LINK, created_by__is_active=False)


def opened_to(person_id: int) -> QuerySet[Share]:
    """The shares in force that open their topic to this person, however they do."""
    visited = ShareVisit.objects.filter(share=OuterRef("pk"), person=person_id)
    return in_force().filter(
        Q(kind=ShareKind.COMPANY)
        | Q(kind=ShareKind.PERSON, person=person_id)
        | Q(kind=ShareKind.GROUP, group__in=_groups_of(person_id))
        | (Q(kind=ShareKind.LINK) & Exists(visited))
    )


def with_company() -> QuerySet[Share]:
    """The shares in force that open their topic to everyone who may sign in."""
    return in_force().filter(kind=ShareKind.COMPANY)


def opened_how(topic_ids: Iterable[int]) -> dict[int, set[str]]:
    """The kinds of the shares in force, by topic; those open to nobody are left out."""
    opened: dict[int, set[str]] = {}
    held = in_force().filter(topic__in=list(topic_ids))
    for topic_id, kind in held.values_list("topic", "kind"):
        opened.setdefault(topic_id, set()).add(kind)
    return opened


def entry_visible(sources: Iterable[int], readable: frozenset[int]) -> bool:
    """Whether words written from these repositories may be shown to someone who reads those."""
    return readable.issuperset(sources)


def _annotated(readable: frozenset[int]) -> QuerySet[Visible]:
    withheld = ExpressionWrapper(
        ~Q(sources__contained_by=sorted(readable)), output_field=BooleanField()
    )
    return Topic.objects.annotate(withheld=withheld)


def _groups_of(person_id: int) -> QuerySet[Group, int]:
    return Group.objects.filter(user=person_id).values_list("pk", flat=True)
