"""What a person can do to open a topic or a named view to others: share it, see who has it, take it back; come by a link.

`by` None is the operator at the command line. Sharing widens no grant: what rests on code a reader
may not read stays withheld from them, and a view opens none of the topics it names (P9, C7).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from kb_agent.accounts import audit, roles
from kb_agent.accounts.models import User
from kb_agent.usecases import mentions, refusals
from kb_agent.usecases.access import Access
from kb_agent.usecases.evidence import Named
from kb_agent.usecases.people import OPERATOR, Person, person
from topics import access as topic_access
from topics import sharing
from topics.models import NamedView, Share, ShareKind, Topic
from topics.sharing import Opening

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.db.models import QuerySet


MOST = 200
"""Openings of one thing that are in force at once; a company has groups for more."""
VIEW_SHARED = "view_shared"
VIEW_UNSHARED = "view_unshared"


@dataclass(frozen=True)
class Subject:
    """What is opened to others: a topic or a named view, by its id."""

    kind: str
    """`topic` or `view`."""
    id: int


@dataclass(frozen=True)
class PersonName(Person):
    """A person to pick; `mention` is what stands behind `@` for this person and nobody else."""

    mention: str


@dataclass(frozen=True)
class ShownShare:
    """One opening that is in force, as the owner of what it opens sees it."""

    id: int
    kind: str
    person: Person | None
    group: Named | None
    created_at: datetime
    expires_at: datetime | None
    visits: int
    """How many people came by this link."""


@dataclass(frozen=True)
class NewShare(ShownShare):
    """An opening just made; `token` is a new link's, told once and kept nowhere."""

    token: str


def page(by: User | None, subject: Subject) -> list[ShownShare]:
    """Who has it, oldest opening first. Its owner may know, and an auditor."""
    _seen(by, subject)
    return [_shown(row) for row in _rows(subject)]


def share(
    by: User | None,
    subject: Subject,
    *,
    kind: str,
    person_id: int | None = None,
    group_id: int | None = None,
    expires_at: datetime | None = None,
) -> NewShare:
    """Open one's own topic or view; opened so already, only the time it ends is set anew.

    Raises `NotFound` for people and groups one cannot name, `Invalid` for a time that is over.
    """
    owned = _own(by, subject)
    if expires_at is not None and expires_at <= timezone.now():
        raise refusals.Invalid("That time is over.", code="expired")
    opening = Opening(
        kind=kind,
        actor=_actor(by),
        by=by.pk if by else None,
        person=_person(owned, person_id) if kind == ShareKind.PERSON else None,
        group=_group(by, group_id) if kind == ShareKind.GROUP else None,
        expires_at=expires_at,
    )
    if _rows(subject).count() >= MOST:
        raise refusals.Conflict(f"It can be open in {MOST} ways at most.", code="too_many")
    opens, action = _OPENS[subject.kind]
    with transaction.atomic():
        opened = opens(subject.id, opening)
        _note(by, action, opened.share)
    return NewShare(**vars(_shown(_rows(subject).get(pk=opened.share.pk))), token=opened.token)


def revoke(by: User | None, subject: Subject, share_id: int) -> None:
    """Take an opening back at once. Raises `NotFound` for one that this topic or view does not have."""
    _own(by, subject)
    found = _of(Share.objects.filter(pk=share_id, revoked_at=None), subject).first()
    if found is None:
        raise refusals.NotFound("share")
    action = VIEW_UNSHARED if subject.kind == "view" else sharing.UNSHARED
    with transaction.atomic():
        _note(by, action, sharing.revoke(found.pk, actor=_actor(by)))


def follow(user: User, token: str) -> Subject:
    """Come by a link: from now on, and while it holds, this person sees what it opens; returns that.

    Revoked, expired or never made look alike: `NotFound`.
    """
    with transaction.atomic():
        found = sharing.follow(token, person_id=user.pk)
        if found is None:
            raise refusals.NotFound("link")
        _note(user, "link_followed", found)
    kinds = (("topic", found.topic_id), ("view", found.view_id))
    return next(Subject(kind, pk) for kind, pk in kinds if pk is not None)


def people(user: User, q: str = "", *, limit: int = 10) -> list[PersonName]:
    """Others by the beginning or a part of their names: names and nothing else."""
    words = q.strip()
    found = User.objects.filter(is_active=True).exclude(pk=user.pk).exclude(username=OPERATOR)
    if words:
        found = found.filter(Q(display_name__icontains=words) | Q(username__icontains=words))
    rows = list(found.order_by("display_name", "username")[: 5 * limit])
    rows.sort(key=lambda one: not one.shown_name.casefold().startswith(words.casefold()))
    return [PersonName(one.pk, one.shown_name, mentions.written(one)) for one in rows[:limit]]


def groups(user: User) -> list[Named]:
    """The groups one may open something to: one's own; an administrator's are all."""
    return [Named(one.pk, one.name) for one in _groups(user).order_by("name")]


_OPENS: dict[str, tuple[Callable[[int, Opening], sharing.Opened], str]] = {
    "topic": (sharing.share, sharing.SHARED),
    "view": (sharing.share_view, VIEW_SHARED),
}


def _seen(by: User | None, subject: Subject) -> Topic | NamedView:
    """What is the person's own, or an auditor's to read."""
    if by is None or not Access(by).by_role:
        return _own(by, subject)
    access = Access(by)
    return access.view(subject.id) if subject.kind == "view" else access.topic(subject.id)


def _own(by: User | None, subject: Subject) -> Topic | NamedView:
    if by is None:
        return _any(subject)
    access = Access(by)
    return access.own_view(subject.id) if subject.kind == "view" else access.own_topic(subject.id)


def _any(subject: Subject) -> Topic | NamedView:
    rows = NamedView.objects if subject.kind == "view" else Topic.objects
    found = rows.filter(pk=subject.id).first()
    if found is None:
        raise refusals.NotFound(subject.kind)
    return found


def _rows(subject: Subject) -> QuerySet[Share]:
    held = _of(topic_access.in_force(), subject)
    return held.select_related("person", "group").annotate(came=Count("visits")).order_by("pk")


def _of(shares: QuerySet[Share], subject: Subject) -> QuerySet[Share]:
    return shares.filter(**{subject.kind: subject.id})


def _person(owned: Topic | NamedView, person_id: int | None) -> int:
    if person_id == owned.owner_id:
        raise refusals.Invalid("It is this person's own already.", code="own_already")
    if not User.objects.filter(pk=person_id or 0, is_active=True).exists():
        raise refusals.NotFound("person")
    return int(person_id or 0)


def _group(by: User | None, group_id: int | None) -> Group:
    found = _groups(by).filter(pk=group_id or 0).first()
    if found is None:
        raise refusals.NotFound("group")
    return found


def _groups(by: User | None) -> QuerySet[Group]:
    everyone = by is None or roles.has(by, "administrator")
    return Group.objects.all() if everyone else Group.objects.filter(user=by)


def _shown(row: Share) -> ShownShare:
    return ShownShare(
        id=row.pk,
        kind=row.kind,
        person=person(row.person) if row.person else None,
        group=Named(row.group.pk, row.group.name) if row.group else None,
        created_at=row.created_at,
        expires_at=row.expires_at,
        visits=getattr(row, "came", 0),
    )


def _actor(by: User | None) -> str:
    return f"person:{by.pk}" if by else "system"


def _note(by: User | None, action: str, told: Share) -> None:
    details = {"share": told.pk, "kind": told.kind}
    whom = {"person": told.person_id, "group": told.group_id}
    said = details | {name: value for name, value in whom.items() if value}
    audit.note(by, action, told.subject, details=said)
