"""Opens topics and named views to others and closes them again: the only writer of shares (P9)."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models.functions import Now

from tapes import entries, store
from topics import access, acts, locks
from topics.models import NamedView, Share, ShareKind, ShareVisit, Topic

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import Group

SHARED = "topic_shared"
UNSHARED = "topic_unshared"
TOKEN_BYTES = 24


@dataclass(frozen=True, kw_only=True)
class Opening:
    """To whom something is opened, until when, by whom; a link has neither person nor group."""

    kind: str
    actor: str
    by: int | None = None
    """The person who opens it; None for the command line."""
    person: int | None = None
    group: Group | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True)
class Opened:
    """A share; of a new link also its token, which is kept nowhere."""

    share: Share
    token: str = ""


@acts.act
def share(topic_id: int, opening: Opening) -> Opened:
    """Open a topic; opened so already, only the time it ends is set anew. Each link is a new one.

    The event names with whom, never a link's token. Raises Topic.DoesNotExist.
    """
    topic = _locked(topic_id)
    opened, changed = _open({"topic": topic}, opening)
    if changed:
        until = {"until": opening.expires_at.isoformat()} if opening.expires_at else {}
        _tell(topic, SHARED, opened.share, actor=opening.actor, more=until)
    return opened


@acts.act
def share_view(view_id: int, opening: Opening) -> Opened:
    """Open a named view, likewise; it stands on no tape, so only the row says so.

    Raises NamedView.DoesNotExist, also for one that is being forgotten.
    """
    view = NamedView.objects.select_for_update().get(pk=view_id)
    return _open({"view": view}, opening)[0]


@acts.act
def revoke(share_id: int, *, actor: str) -> Share:
    """Take one opening back at once; taken back before, nothing changes. Raises Share.DoesNotExist."""
    topic_id = Share.objects.get(pk=share_id).topic_id
    topic = None if topic_id is None else _locked(topic_id)
    found = Share.objects.select_related("group").get(pk=share_id)
    if found.revoked_at is not None:
        return found
    Share.objects.filter(pk=share_id).update(revoked_at=Now())
    if topic is not None:
        _tell(topic, UNSHARED, found, actor=actor, more={})
    found.refresh_from_db()
    return found


def follow(token: str, *, person_id: int) -> Share | None:
    """Note that a person came by a link, and return its share; None where no link in force has it."""
    links = access.in_force().filter(kind=ShareKind.LINK)
    found = links.filter(token_hash=hashed(token)).first()
    if found is None:
        return None
    with transaction.atomic():
        ShareVisit.objects.get_or_create(share=found, person_id=person_id)
    return found


def hashed(token: str) -> str:
    """What is kept of a token: it is random and long, so a plain digest gives nothing away."""
    return hashlib.sha256(token.encode()).hexdigest()


def _open(of: dict[str, Any], opening: Opening) -> tuple[Opened, bool]:
    """Make the share of what is locked, or find it; and whether anything changed."""
    token = secrets.token_urlsafe(TOKEN_BYTES) if opening.kind == ShareKind.LINK else ""
    known = None if token else _known(of, opening)
    if known is not None and known.expires_at == opening.expires_at:
        return Opened(known), False
    if known is not None:
        known.expires_at = opening.expires_at
        known.save(update_fields=["expires_at"])
    made = known or Share.objects.create(
        **of,
        kind=ShareKind(opening.kind),
        person_id=opening.person,
        group=opening.group,
        token_hash=hashed(token) if token else "",
        created_by_id=opening.by,
        expires_at=opening.expires_at,
    )
    return Opened(made, token), True


def _known(of: dict[str, Any], opening: Opening) -> Share | None:
    same = {"kind": opening.kind, "person": opening.person, "group": opening.group}
    return Share.objects.filter(**of, revoked_at=None, **same).first()


def _locked(topic_id: int) -> Topic:
    topic = Topic.objects.get(pk=topic_id)
    locks.tape(topic.tape_id)
    return topic


def _tell(topic: Topic, name: str, told: Share, *, actor: str, more: dict[str, Any]) -> None:
    """Note it on the tape. A closed tape takes no more, and must keep nobody from closing a topic."""
    if store.get(topic.tape_id).archived_at is not None:
        return
    whom: dict[str, Any] = {"share": told.pk, "kind": str(told.kind)}
    if told.person_id:
        whom["person"] = told.person_id
    if told.group:
        whom |= {"group": told.group_id, "name": told.group.name}
    event = entries.event(name, whom | more, actor=actor, topic_id=topic.pk)
    store.append(topic.tape_id, [event])
