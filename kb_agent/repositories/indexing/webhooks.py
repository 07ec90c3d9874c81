"""Hears from servers of code that something was pushed: checks who speaks, reads which branch, once (C2).

Payloads and signatures as GitHub, GitLab and Gitee document them. Nothing of a message is believed but which branch or
tag moved: what there is to index is asked of the repository's own source.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from kb_agent.llm import keys
from kb_agent.repositories import indexing, text
from kb_agent.repositories.models.webhooks import Delivery, Webhook

if TYPE_CHECKING:
    from kb_agent.repositories.models import IndexRun, Repository

LARGEST = 5_000_000
# Gitee signs the time, and says itself that an hour is the most it may be off.
GITEE_TOLERANCE_SECONDS = 3600
# A message that was kept for longer than this is not known again.
KEPT = timedelta(days=7)
PUSHES = {
    "github": {"push"},
    "gitlab": {"Push Hook", "Tag Push Hook"},
    "gitee": {"Push Hook", "Tag Push Hook"},
}


class UnknownWebhook(Exception):
    """No repository listens under this key."""

    code = "not_found"


class NotSigned(Exception):
    """The message does not prove that it comes from the repository's server."""

    code = "bad_signature"


class Replayed(Exception):
    """The very message was taken before."""

    code = "replayed"


class Unreadable(Exception):
    """The message is no push as the server's documentation has it."""

    code = "unreadable"


@dataclass(frozen=True)
class Message:
    """What a server sent: the headers by name in small letters, and the body as it came."""

    provider: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Heard:
    """What became of a message: the run it queued, or why none was needed."""

    run: IndexRun | None
    reason: str


def open_for(repository: Repository) -> tuple[str, str]:
    """(key, secret) of a repository's webhook, both new: an earlier pair is not answered any more."""
    key, secret = secrets.token_urlsafe(24), secrets.token_urlsafe(32)
    with transaction.atomic():
        Webhook.objects.filter(repository=repository).delete()
        Webhook.objects.create(repository=repository, key=key, sealed=keys.seal(secret))
    return key, secret


def close(repository: Repository) -> bool:
    """Stop listening; says whether it did."""
    return bool(Webhook.objects.filter(repository=repository).delete()[0])


def hear(key: str, message: Message) -> Heard:
    """Take a message in. Raises `UnknownWebhook`, `NotSigned`, `Replayed`, `Unreadable`, `keys.SealBroken`."""
    webhook = Webhook.objects.select_related("repository").filter(key=key).first()
    if webhook is None:
        raise UnknownWebhook("Nothing listens at this address.")
    CHECKS[message.provider](keys.unseal(webhook.sealed), message)
    event = message.headers.get(f"x-{message.provider}-event", "")
    if event not in PUSHES[message.provider]:
        return Heard(None, "ping" if event == "ping" else "other_event")
    moved = _reference(message)
    with transaction.atomic():
        _take(webhook, message)
        if not _follows(webhook.repository, moved):
            return Heard(None, "not_followed")
        return Heard(indexing.moved(webhook.repository), "queued")


def _github(secret: str, message: Message) -> None:
    """The body's HMAC, in hexadecimal after `sha256=`."""
    expected = "sha256=" + hmac.new(secret.encode(), message.body, hashlib.sha256).hexdigest()
    _compare(message.headers.get("x-hub-signature-256", ""), expected)


def _gitlab(secret: str, message: Message) -> None:
    """The secret itself."""
    _compare(message.headers.get("x-gitlab-token", ""), secret)


def _gitee(secret: str, message: Message) -> None:
    """The secret itself, or the HMAC of time and secret in base64, which some of its servers quote for addresses."""
    given = message.headers.get("x-gitee-token", "")
    stamp = message.headers.get("x-gitee-timestamp", "")
    if hmac.compare_digest(given.encode(), secret.encode()):
        return
    signed = hmac.new(secret.encode(), f"{stamp}\n{secret}".encode(), hashlib.sha256).digest()
    _compare(unquote(given), base64.b64encode(signed).decode())
    late = abs(time.time() - int(stamp) / 1000) if stamp.isdecimal() else GITEE_TOLERANCE_SECONDS
    if late >= GITEE_TOLERANCE_SECONDS:
        raise NotSigned("The message was signed at another time: more than an hour ago or ahead.")


CHECKS: dict[str, Callable[[str, Message], None]] = {
    "github": _github,
    "gitlab": _gitlab,
    "gitee": _gitee,
}


def _compare(given: str, expected: str) -> None:
    """Compare in a time that tells nothing of how much is right."""
    if not given:
        raise NotSigned("The message carries no signature or token.")
    if not hmac.compare_digest(given.encode(), expected.encode()):
        raise NotSigned("The signature or token is not the one that was agreed on.")


def _take(webhook: Webhook, message: Message) -> None:
    """Note the message as taken. Raises `Replayed` for one that was."""
    # GitHub signs the body alone, which tells when it was pushed; the others' bodies may be alike.
    once = message.headers.get("x-gitlab-event-uuid", "") + message.headers.get(
        "x-gitee-timestamp", ""
    )
    if message.provider == "github":
        once = ""
    digest = hashlib.sha256(once.encode() + b"\0" + message.body).hexdigest()
    Delivery.objects.filter(webhook=webhook, at__lt=Now() - KEPT).delete()
    try:
        with transaction.atomic():
            Delivery.objects.create(webhook=webhook, digest=digest)
    except IntegrityError:
        raise Replayed("This message was taken before.") from None
    Webhook.objects.filter(pk=webhook.pk).update(heard_at=Now())


def _reference(message: Message) -> str:
    """The full name of the branch or tag that moved, came or went."""
    payload = _payload(message)
    reference = payload.get("ref") if isinstance(payload, dict) else None
    if not isinstance(reference, str) or not reference.startswith(("refs/heads/", "refs/tags/")):
        raise Unreadable("The message names no branch or tag in `ref`.")
    if reference != text.whole(reference):
        raise Unreadable("The name in `ref` holds what no name can hold.")
    return reference


def _payload(message: Message) -> Any:
    body = message.body
    try:
        if message.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            return json.loads(parse_qs(body.decode(), strict_parsing=True)["payload"][0])
        return json.loads(body)
    except (ValueError, KeyError, RecursionError) as wrong:
        raise Unreadable("The body is no JSON.") from wrong


def _follows(repository: Repository, reference: str) -> bool:
    """Whether this branch or tag is followed; one that a repository is still to choose may be any."""
    name = reference.split("/", 2)[2]
    return not repository.default_branch or repository.branches.filter(name=name).exists()
