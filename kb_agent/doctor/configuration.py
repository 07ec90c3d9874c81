"""Settings that contradict each other, are unsafe, or are misspelt."""

from __future__ import annotations

import os
from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings

from kb_agent.doctor.finding import Finding, failed, ok, warning
from kb_agent.environment import Environment

PREFIX = "KB_AGENT_"
# Read by the front end's development server and by the browser tests, not by Django.
READ_ELSEWHERE = {"KB_AGENT_DEV_SERVER", "KB_AGENT_CHROMIUM"}


def look() -> Iterator[Finding]:
    """Everything below."""
    yield _names()
    yield _debug()
    yield _secret()
    yield _lease()
    yield _address()


def known_names() -> set[str]:
    """Every variable the environment class reads."""
    return {
        str(field.validation_alias or PREFIX + name.upper())
        for name, field in Environment.model_fields.items()
    }


def _names() -> Finding:
    named = {name for name in os.environ if name.startswith(PREFIX)}
    unknown = sorted(named - known_names() - READ_ELSEWHERE)
    if unknown:
        return warning(
            "variables",
            f"unknown: {', '.join(unknown)}",
            "See docs/settings.md for the right names.",
        )
    return ok("variables", ", ".join(sorted(named)) or "all defaults")


def _debug() -> Finding:
    if settings.DEBUG:
        return warning("debug", "on: errors show code and settings", "Unset KB_AGENT_DEBUG.")
    return ok("debug", "off")


def _secret() -> Finding:
    if len(settings.SECRET_KEY) < 40:
        return failed("secret key", "too short", "Use at least 40 random characters.")
    where = (
        "from KB_AGENT_SECRET_KEY" if settings.ENVIRONMENT.secret_key else "kept in var/secret-key"
    )
    return ok("secret key", where)


def _lease() -> Finding:
    lease, beat = settings.TURN_LEASE_SECONDS, settings.TURN_HEARTBEAT_SECONDS
    said = f"{lease} s, renewed every {beat} s"
    if beat * 2 >= lease:
        return failed(
            "turn lease",
            said,
            "Make the lease more than twice the heartbeat, or one lost beat ends it.",
        )
    return ok("turn lease", said)


def _address() -> Finding:
    host = urlsplit(settings.PUBLIC_URL).hostname or ""
    local = host in {"127.0.0.1", "localhost", "::1"}
    if settings.PUBLIC_URL.startswith("http:") and not local:
        return warning(
            "address", f"{settings.PUBLIC_URL} is not encrypted", "Put a proxy with TLS in front."
        )
    if settings.ENVIRONMENT.host not in {"127.0.0.1", "localhost", "::1"} and local:
        return warning(
            "address",
            f"listens on {settings.ENVIRONMENT.host}, and calls itself {settings.PUBLIC_URL}",
            "Set KB_AGENT_PUBLIC_URL to the address people type.",
        )
    return ok("address", settings.PUBLIC_URL)
