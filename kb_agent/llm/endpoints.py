"""Adds endpoints and chooses which of them serve a call: chat in order of use, embedding one alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction

from kb_agent.llm import keys
from kb_agent.llm.models import EVIDENCE, Endpoint

if TYPE_CHECKING:
    from decimal import Decimal

ENVIRONMENT = "environment"


class BadEndpoint(ValueError):
    """An endpoint's settings cannot be right; the message says which and why."""

    code = "bad_endpoint"


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What is known of an endpoint's model beyond its address: order, room, protocol, prices."""

    position: int = 100
    window: int | None = None
    max_tokens: int | None = None
    tools: str = Endpoint.Tools.NATIVE
    kind: str = Endpoint.Kind.CHAT
    inputs: str = Endpoint.Inputs.PLAIN
    input_price: Decimal | None = None
    cached_price: Decimal | None = None
    output_price: Decimal | None = None
    currency: str = "USD"


def add(
    name: str, *, base_url: str, model: str, key: str = "", terms: Terms | None = None
) -> Endpoint:
    """Add an endpoint, or replace the one of that name; the key is stored encrypted.

    An empty key keeps the one already stored under this name and address. Raises BadEndpoint.
    """
    name, model, terms = name.strip(), model.strip(), terms or Terms()
    if not name or not model:
        raise BadEndpoint("an endpoint needs a name and a model")
    if name in {ENVIRONMENT, EVIDENCE}:
        raise BadEndpoint(f"the name {name!r} is taken by the built-in endpoint")
    if terms.tools not in Endpoint.Tools.values:
        raise BadEndpoint(f"tools must be one of {', '.join(Endpoint.Tools.values)}")
    if terms.inputs not in Endpoint.Inputs.values:
        raise BadEndpoint(f"inputs must be one of {', '.join(Endpoint.Inputs.values)}")
    address = _checked_address(base_url)
    values: dict[str, object] = {
        "base_url": address,
        "model": model,
        "enabled": True,
        **vars(terms),
    }
    with transaction.atomic():
        known = Endpoint.objects.select_for_update().filter(name=name).first()
        keeps_key = not key and known is not None and known.base_url == address
        if not keeps_key:
            values["key_encrypted"] = keys.seal(key)
        endpoint, _ = Endpoint.objects.update_or_create(name=name, defaults=values)
    return endpoint


def retire(name: str) -> None:
    """Use an endpoint no longer and forget its key; its row stays for the prices. Raises BadEndpoint."""
    used = Endpoint.objects.filter(enabled=True)
    if not used.filter(name=name).update(enabled=False, key_encrypted=""):
        known = ", ".join(used.order_by("name").values_list("name", flat=True))
        raise BadEndpoint(f"no endpoint {name!r} is in use; in use: {known or 'none'}")


def _checked_address(base_url: str) -> str:
    address = base_url.strip().rstrip("/")
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise BadEndpoint(f"{base_url!r} is no http or https address")
    if parts.username or parts.password:
        raise BadEndpoint("give the key apart, not in the address")
    return address


def chosen() -> list[Endpoint]:
    """The endpoints that serve a chat call, best first: the rows, else the environment's.

    With neither it is the evidence model alone (A3).
    """
    rows = list(Endpoint.objects.filter(enabled=True, kind=Endpoint.Kind.CHAT))
    return rows or _from_environment() or [evidence()]


def embedding() -> Endpoint | None:
    """The endpoint whose vectors are wanted: the first row by position, newest first, else the environment's."""
    rows = Endpoint.objects.filter(enabled=True, kind=Endpoint.Kind.EMBEDDING)
    return rows.order_by("position", "-pk").first() or _embedding_from_environment()


def embedding_named(name: str) -> Endpoint | None:
    """An embedding endpoint in use by its name: what made vectors must read questions for them."""
    if name == ENVIRONMENT:
        return _embedding_from_environment()
    rows = Endpoint.objects.filter(enabled=True, kind=Endpoint.Kind.EMBEDDING)
    return rows.filter(name=name).first()


def evidence() -> Endpoint:
    """The built-in model that answers by rule; it is no row."""
    return Endpoint(name=EVIDENCE, base_url="", model=EVIDENCE, window=None)


def _from_environment() -> list[Endpoint]:
    if not settings.LLM_BASE_URL or not settings.LLM_MODEL:
        return []
    endpoint = Endpoint(
        name=ENVIRONMENT,
        # Not checked here: a wrong one is named by the call that fails, and by `doctor`.
        base_url=settings.LLM_BASE_URL.strip().rstrip("/"),
        model=settings.LLM_MODEL,
        key_encrypted=keys.seal(settings.LLM_API_KEY),
        window=settings.LLM_WINDOW,
    )
    return [endpoint]


def _embedding_from_environment() -> Endpoint | None:
    if not settings.EMBEDDING_BASE_URL or not settings.EMBEDDING_MODEL:
        return None
    return Endpoint(
        name=ENVIRONMENT,
        kind=Endpoint.Kind.EMBEDDING,
        base_url=settings.EMBEDDING_BASE_URL.strip().rstrip("/"),
        model=settings.EMBEDDING_MODEL,
        inputs=settings.EMBEDDING_INPUTS,
        key_encrypted=keys.seal(settings.EMBEDDING_API_KEY),
    )
