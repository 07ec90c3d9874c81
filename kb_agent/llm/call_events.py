"""What the events before and after a model call say of it, on whichever tape it stands (T18, P11)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.db import connection

from kb_agent.llm import prices
from kb_agent.llm.protocol import CallEnded, DeadlinePassed, ProviderError, StreamCut

if TYPE_CHECKING:
    from kb_agent.llm.models import Endpoint
    from kb_agent.llm.protocol import Usage


def new_id() -> str:
    """The id of a call, the same in its two events."""
    return uuid.uuid4().hex


def ended(
    call: str, endpoint: Endpoint, used: Usage | None, seconds: float, **more: Any
) -> dict[str, Any]:
    """The data of `model_call_ended`; `more` holds at least its `status`."""
    return {
        "call": call,
        "model": endpoint.model,
        **prices.told(endpoint, used),
        "seconds": round(seconds, 3),
        "finish_reason": None,
        **more,
    }


def failed(call: str, endpoint: Endpoint, error: Exception, seconds: float) -> dict[str, Any]:
    """The same for a call that brought no answer, with what it may have cost."""
    used = error.usage if isinstance(error, ProviderError | CallEnded) else None
    status = _status(error)
    said = {"code": getattr(error, "code", status), "message": str(error)}
    return ended(call, endpoint, used, seconds, status=status, error=said)


def give_back_connection() -> None:
    """While a provider answers no connection is held: others of the pool's users need it."""
    if not connection.in_atomic_block:
        connection.close()


def _status(error: Exception) -> str:
    if isinstance(error, DeadlinePassed | StreamCut):
        return "cut"
    return "stopped" if isinstance(error, CallEnded) else "failed"
