"""Names what went wrong with a provider, in our words, without ever repeating a key."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from kb_agent.llm import overflow, plain_text
from kb_agent.llm.protocol import (
    BadKey,
    ContentFiltered,
    ContextExceeded,
    ModelUnknown,
    ProviderBusy,
    ProviderDown,
    ProviderError,
    RequestRefused,
    StreamCut,
)

if TYPE_CHECKING:
    import openai

_FILTERED = re.compile(r"content.?filter|content.?policy|data_inspection_failed", re.IGNORECASE)
_TAGS = re.compile(r"<(style|script)\b.*?</\1>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_PAGE_CHARS = 4_000
_KEY_LIKE = re.compile(r"\b(?:sk|pk|key|gsk|xai)-[\w*-]{4,}")
_BUSY_CODES = {"429", "rate_limit_exceeded", "insufficient_quota", "rate_limit_error"}


def named(error: Exception, key: str, *, begun: bool) -> ProviderError:
    """The named error for what the client library or the network raised.

    `begun` is true once the provider had started to answer: a lost connection is then a cut.
    """
    import openai  # noqa: PLC0415 -- heavy, and only wanted by a process that calls a provider

    if isinstance(error, openai.APIStatusError):
        return _by_status(error, key)
    if isinstance(error, openai.APIConnectionError):
        return _lost(error, key, begun=begun)
    if isinstance(error, openai.APIError):
        return _in_stream(error, key)
    if isinstance(error, json.JSONDecodeError):
        return StreamCut("the stream carried something that is no JSON")
    if begun:
        return StreamCut(f"the connection broke: {_said(error, key)}")
    return ProviderDown(f"the provider cannot be asked: {_said(error, key)}")


def _lost(error: openai.APIConnectionError, key: str, *, begun: bool) -> ProviderError:
    """No connection, or none any more."""
    import openai  # noqa: PLC0415

    if isinstance(error, openai.APITimeoutError):
        return ProviderDown("the provider was silent for too long")
    said = _said(error.__cause__, key)
    if begun:
        return StreamCut(f"the connection broke: {said}")
    return ProviderDown(f"the provider cannot be reached: {said}")


def _by_status(error: openai.APIStatusError, key: str) -> ProviderError:
    status, said = error.status_code, _said(error, key)
    if status in {401, 403}:
        return BadKey(f"the provider refused the key ({status}): {said}")
    if overflow.is_refusal(status, _facts(error)):
        # Before the status: some gateways answer 429 or 500 to what is too long.
        return _too_long(error, said)
    if status == 429:
        return ProviderBusy(f"the provider is busy (429): {said}", retry_after=_wait(error))
    if status in {408, 409, 425} or status >= 500:
        return ProviderDown(f"the provider failed ({status}): {said}", retry_after=_wait(error))
    if status == 404:
        return ModelUnknown(f"the endpoint does not know this model or address (404): {said}")
    return _refusal(error, said)


def _refusal(error: openai.APIStatusError, said: str) -> ProviderError:
    """Why a request as such was refused, from the words that providers use for it."""
    if _FILTERED.search(_facts(error)):
        return ContentFiltered(f"the provider's content filter refused the question: {said}")
    return RequestRefused(f"the provider refused the request ({error.status_code}): {said}")


def _in_stream(error: openai.APIError, key: str) -> ProviderError:
    """An error object sent inside a stream that had begun with 200."""
    facts, said = _facts(error), _said(error, key)
    if overflow.is_refusal(0, facts):
        return _too_long(error, said)
    if _FILTERED.search(facts):
        return ContentFiltered(f"the provider's content filter ended the answer: {said}")
    if error.code in _BUSY_CODES or error.type in _BUSY_CODES:
        return ProviderBusy(f"the provider is busy: {said}")
    return ProviderDown(f"the provider failed while answering: {said}")


def _facts(error: openai.APIError) -> str:
    """All a provider says of an error: gateways hide the reason in different places."""
    return f"{error.code} {error.type} {error.message} {error.body or ''}"


def _too_long(error: openai.APIError, said: str) -> ContextExceeded:
    exceeded = ContextExceeded(f"the messages do not fit the model's window: {said}")
    exceeded.limit = overflow.limit(_facts(error))
    return exceeded


def _wait(error: openai.APIStatusError) -> float | None:
    """Seconds asked for by Retry-After, as a number or a date."""
    stated: Any = error.response.headers.get("retry-after")
    if not stated:
        return None
    try:
        return max(0.0, float(stated))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(stated) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None


def _said(error: BaseException | None, key: str) -> str:
    stated = plain_text.storable(str(error or "no reason given"))
    body = getattr(error, "body", None)
    if isinstance(body, str):
        # No JSON: a proxy's page perhaps, whose words are told without its tags.
        stated = f"{stated} - {_TAGS.sub(' ', plain_text.storable(body[:_PAGE_CHARS]))}"
    text = re.sub(r"^Error code: \d+ - ", "", " ".join(stated.split()))
    if key:
        text = text.replace(key, "[key]")
    return _KEY_LIKE.sub("[key]", text)[:300]
