"""Which topics and named views a person may see, and whose words in them: the topics' half of permission (C7, P9)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from topics.models import NamedView, Share, ShareKind, ShareVisit, Topic

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
    # EXISTS and not IN: one topic is then asked for by its own shares, not by everybody's.
    opened = Exists(opened_to(user.pk).filter(topic=OuterRef("pk")))
    return topics.filter(Q(owner=user.pk) | opened)


def open_of(owner_id: int, readable: frozenset[int]) -> QuerySet[Visible]:
    """What a person has opened to the whole company: all that `@name` ever reaches (P9)."""
    return _annotated(readable).filter(owner=owner_id, pk__in=_topics_of(with_company()))


def shared_with(user: Reader) -> Q:
    """As a filter on topics: others' that were opened to this person, not just to everyone."""
    meant = opened_to(user.pk).exclude(kind=ShareKind.COMPANY)
    return ~Q(owner=user.pk) & Q(pk__in=_topics_of(meant))


def open_to_company() -> Q:
    """As a filter on topics: those opened to everyone who may sign in."""
    return Q(pk__in=_topics_of(with_company()))


def views_visible_to(user: Reader) -> QuerySet[NamedView]:
    """The named views a person may see: their own and those opened to them; an auditor's are all.

    A view is a definition: who sees it sees in it only what they may see without it.
    """
    if user.is_active and user.reads_all:
        return NamedView.objects.all()
    return views_known_to(user)


def views_known_to(user: Reader) -> QuerySet[NamedView]:
    """The named views a person may build on, whatever their role: their own and those opened to them."""
    if not user.is_active:
        return NamedView.objects.none()
    opened = _views_of(opened_to(user.pk))
    return NamedView.objects.filter(Q(owner=user.pk) | Q(pk__in=opened))


def open_views_of(owner_id: int) -> QuerySet[NamedView]:
    """The views a person has opened to the whole company: those that `@name` reaches (P9)."""
    return NamedView.objects.filter(owner=owner_id, pk__in=_views_of(with_company()))


def shared_views(view_ids: Iterable[int]) -> frozenset[int]:
    """Those of these views that are open to somebody now."""
    held = in_force().filter(view__in=list(view_ids))
    return frozenset(held.values_list("view", flat=True))


def in_force() -> QuerySet[Share]:
    """The shares that open something now: not revoked, not expired.

    A link whose maker was deactivated opens nothing: nobody is left to answer for who has it.
    """
    held = Share.objects.filter(Q(expires_at=None) | Q(expires_at__gt=Now()), revoked_at=None)
    gone = get_user_model().objects.filter(is_active=False)
    return held.exclude(kind=ShareKind.LINK, created_by__in=gone.values("pk"))


def opened_to(person_id: int) -> QuerySet[Share]:
    """The shares in force that open their topic or view to this person, however they do."""
    visited = ShareVisit.objects.filter(share=OuterRef("pk"), person=person_id)
    return in_force().filter(
        Q(kind=ShareKind.COMPANY)
        | Q(kind=ShareKind.PERSON, person=person_id)
        | Q(kind=ShareKind.GROUP, group__in=_groups_of(person_id))
        | (Q(kind=ShareKind.LINK) & Exists(visited))
    )


def with_company() -> QuerySet[Share]:
    """The shares in force that open their topic or view to everyone who may sign in."""
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


def _topics_of(shares: QuerySet[Share]) -> QuerySet[Share, Any]:
    return shares.filter(topic__isnull=False).values("topic")


def _views_of(shares: QuerySet[Share]) -> QuerySet[Share, Any]:
    return shares.filter(view__isnull=False).values("view")


def _annotated(readable: frozenset[int]) -> QuerySet[Visible]:
    withheld = ExpressionWrapper(
        ~Q(sources__contained_by=sorted(readable)), output_field=BooleanField()
    )
    return Topic.objects.annotate(withheld=withheld)


def _groups_of(person_id: int) -> QuerySet[Group, int]:
    return Group.objects.filter(user=person_id).values_list("pk", flat=True)
