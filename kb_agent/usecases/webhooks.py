"""What a server of code may do, and an administrator with its address: announce pushes, open and close it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction

from kb_agent.accounts import audit
from kb_agent.llm import keys
from kb_agent.repositories.indexing import webhooks
from kb_agent.usecases import refusals, upkeep

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from kb_agent.repositories.models import Repository

PROVIDERS = ("github", "gitlab", "gitee")


@dataclass(frozen=True)
class Opened:
    """A webhook's address, by provider, and the secret that is shown this once."""

    url: str
    urls: dict[str, str]
    secret: str


def open_by(person: User, repository_id: int, *, base: str) -> Opened:
    """Let a repository's server announce pushes, with a new address and secret. Raises `Forbidden`, `NotFound`."""
    repository = upkeep.managed(person, repository_id)
    with transaction.atomic():
        key, secret = webhooks.open_for(repository)
        audit.note(person, "webhook_opened", f"repository:{repository.pk}")
    root = (settings.ENVIRONMENT.public_url or base).rstrip("/")
    urls = {provider: f"{root}/api/webhooks/{provider}/{key}" for provider in PROVIDERS}
    return Opened(urls[_likeliest(repository)], urls, secret)


def close_by(person: User, repository_id: int) -> None:
    """Let it announce nothing any more. Raises `Forbidden`, `NotFound`."""
    repository = upkeep.managed(person, repository_id)
    with transaction.atomic():
        if webhooks.close(repository):
            audit.note(person, "webhook_closed", f"repository:{repository.pk}")


def hear(key: str, message: webhooks.Message) -> webhooks.Heard:
    """Take in what a server announces. Raises `NotFound`, `Forbidden`, `Conflict`, `Invalid`."""
    heard = _heard(key, message)
    if heard.run is not None:
        upkeep.announce(heard.run)
    return heard


def _heard(key: str, message: webhooks.Message) -> webhooks.Heard:
    try:
        return webhooks.hear(key, message)
    except webhooks.UnknownWebhook as unknown:
        raise refusals.NotFound("webhook") from unknown
    except webhooks.NotSigned as unsigned:
        raise refusals.Forbidden(str(unsigned), code=unsigned.code) from unsigned
    except webhooks.Replayed as replayed:
        raise refusals.Conflict(str(replayed), code=replayed.code) from replayed
    except webhooks.Unreadable as unreadable:
        raise refusals.Invalid(str(unreadable), code=unreadable.code) from unreadable
    except keys.SealBroken as broken:
        raise refusals.Conflict(
            "The secret kept here cannot be read any more: SECRET_KEY has changed, make a new webhook.",
            code="secret_broken",
        ) from broken


def _likeliest(repository: Repository) -> str:
    """The provider that the source's host is named after; GitHub's form where none is."""
    source = repository.source
    host = urlsplit(source).hostname or source.partition(":")[0].rpartition("@")[2]
    return next((provider for provider in PROVIDERS if provider in host.lower()), PROVIDERS[0])
