"""What a person can do to open a topic to others: share it, see who has it, take it back; come by a link.

`by` None is the operator at the command line. Sharing shows a topic and widens no grant: what rests
on code a reader may not read stays withheld from them (P9, C7).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth.models import Group
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
from topics.models import Topic
from topics.models.shares import Share, ShareKind
from topics.sharing import Opening

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet


MOST = 200
"""Openings of one topic that are in force at once; a company has groups for more."""


@dataclass(frozen=True)
class PersonName(Person):
    """A person to pick; `mention` is what stands behind `@` for this person and nobody else."""

    mention: str


@dataclass(frozen=True)
class ShownShare:
    """One opening of a topic that is in force, as its owner sees it."""

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


def page(by: User | None, topic_id: int) -> list[ShownShare]:
    """Who has a topic, oldest opening first. Its owner may know, and an auditor."""
    topic = _topic(by, topic_id)
    return [_shown(row) for row in _rows(topic.pk)]


def share(
    by: User | None,
    topic_id: int,
    *,
    kind: str,
    person_id: int | None = None,
    group_id: int | None = None,
    expires_at: datetime | None = None,
) -> NewShare:
    """Open one's own topic; opened so already, only the time it ends is set anew.

    Raises `NotFound` for people and groups one cannot name, `Invalid` for a time that is over.
    """
    topic = _own(by, topic_id)
    if expires_at is not None and expires_at <= timezone.now():
        raise refusals.Invalid("That time is over.", code="expired")
    opening = Opening(
        kind=kind,
        actor=_actor(by),
        by=by.pk if by else None,
        person=_person(topic, person_id) if kind == ShareKind.PERSON else None,
        group=_group(by, group_id) if kind == ShareKind.GROUP else None,
        expires_at=expires_at,
    )
    if _rows(topic.pk).count() >= MOST:
        raise refusals.Conflict(f"A topic can be open in {MOST} ways at most.", code="too_many")
    opened = sharing.share(topic.pk, opening)
    _note(by, sharing.SHARED, opened.share)
    return NewShare(**vars(_shown(_rows(topic.pk).get(pk=opened.share.pk))), token=opened.token)


def revoke(by: User | None, topic_id: int, share_id: int) -> None:
    """Take an opening back at once. Raises `NotFound` for one this topic does not have."""
    topic = _own(by, topic_id)
    found = Share.objects.filter(pk=share_id, topic=topic.pk, revoked_at=None).first()
    if found is None:
        raise refusals.NotFound("share")
    _note(by, sharing.UNSHARED, sharing.revoke(found.pk, actor=_actor(by)))


def follow(user: User, token: str) -> int:
    """Come by a link: from now on, and while it holds, this person sees its topic; returns its id.

    Revoked, expired or never made look alike: `NotFound`.
    """
    found = sharing.follow(token, person_id=user.pk)
    if found is None:
        raise refusals.NotFound("link")
    _note(user, "link_followed", found)
    return found.topic_id


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
    """The groups one may open a topic to: one's own; an administrator's are all."""
    return [Named(one.pk, one.name) for one in _groups(user).order_by("name")]


def _topic(by: User | None, topic_id: int) -> Topic:
    if by is None:
        return _any(topic_id)
    access = Access(by)
    return access.topic(topic_id) if access.by_role else access.own_topic(topic_id)


def _own(by: User | None, topic_id: int) -> Topic:
    return Access(by).own_topic(topic_id) if by else _any(topic_id)


def _any(topic_id: int) -> Topic:
    found = Topic.objects.filter(pk=topic_id).first()
    if found is None:
        raise refusals.NotFound("topic")
    return found


def _rows(topic_id: int) -> QuerySet[Share]:
    held = topic_access.in_force().filter(topic=topic_id)
    return held.select_related("person", "group").annotate(came=Count("visits")).order_by("pk")


def _person(topic: Topic, person_id: int | None) -> int:
    if person_id == topic.owner_id:
        raise refusals.Invalid("It is this person's own topic.", code="own_topic")
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
    audit.note(by, action, f"topic:{told.topic_id}", details=said)
