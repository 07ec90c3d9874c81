"""The words spoken with every language model: a request goes in, text and one completion come out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

Message = dict[str, Any]
ToolSchema = dict[str, Any]
ToolChoice = Literal["auto", "none"]


class MissingAccount(ValueError):
    """A model call without a purpose or a payer is refused (P11)."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """One question to a model: the exact messages, the tools offered, and who it is for.

    `messages` are OpenAI chat messages, `tools` OpenAI function schemas. `purpose` is a word such
    as "answer" or "title"; `payer` is a person's id, or a word for who pays when no person asked.
    """

    messages: Sequence[Message]
    purpose: str
    payer: int | str
    tools: Sequence[ToolSchema] = ()
    tool_choice: ToolChoice = "auto"
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        """Refuse a call that no one would be seen to have paid for."""
        if not self.purpose or not self.payer:
            raise MissingAccount("a model call needs a purpose and a payer")


@dataclass(frozen=True)
class TextDelta:
    """A piece of the answer; `offset` counts characters from the answer's beginning."""

    offset: int
    text: str


@dataclass(frozen=True)
class Call:
    """A tool call exactly as the model wrote it; `arguments` is JSON text and may be malformed."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Usage:
    """Tokens of one call in disjoint counts: the four add up to the total."""

    input: int = 0
    cached: int = 0
    output: int = 0
    reasoning: int = 0

    @property
    def total(self) -> int:
        """Every token of the call."""
        return self.input + self.cached + self.output + self.reasoning

    def as_dict(self) -> dict[str, int]:
        """The shape kept on the tape."""
        return {
            "input": self.input,
            "cached": self.cached,
            "output": self.output,
            "reasoning": self.reasoning,
        }


@dataclass(frozen=True)
class Completed:
    """A whole answer of a model. `usage` is None when the provider sent none (unknown, not zero)."""

    content: str
    calls: tuple[Call, ...]
    usage: Usage | None
    finish_reason: str
    model: str

    @property
    def truncated(self) -> bool:
        """The model ran out of room: nothing it wrote last may be executed."""
        return self.finish_reason == "length"


Piece = TextDelta | Completed


class Signal(Protocol):
    """What tells a running call to let go: a `threading.Event` will do."""

    def is_set(self) -> bool:
        """True as soon as the call should end."""
        ...


class ProviderError(Exception):
    """A model call that ended without an answer.

    `partial` is the text that had arrived, `usage` what was reported until then, `retry_after`
    the seconds a provider asked to wait.
    """

    code = "provider_error"
    retryable = False
    falls_back = True

    def __init__(
        self,
        message: str,
        *,
        partial: str = "",
        usage: Usage | None = None,
        retry_after: float | None = None,
    ) -> None:
        """Keep what is known of the failure."""
        super().__init__(message)
        self.message = message
        self.partial = partial
        self.usage = usage
        self.retry_after = retry_after


class ProviderBusy(ProviderError):
    """429: too many requests, or the quota is used up for now."""

    code = "provider_busy"
    retryable = True


class ProviderDown(ProviderError):
    """5xx, no connection, or silence for too long."""

    code = "provider_down"
    retryable = True


class StreamCut(ProviderError):
    """The stream broke off, or carried something that is no chunk, before it was finished."""

    code = "stream_cut"
    retryable = True


class EmptyAnswer(ProviderError):
    """The model finished with neither text nor a call."""

    code = "empty_answer"
    retryable = True


class BadKey(ProviderError):
    """401 or 403: the key is wrong or may not use this model."""

    code = "bad_key"


class ModelUnknown(ProviderError):
    """404: the endpoint has no such model, or the base URL is wrong."""

    code = "model_unknown"


class RequestRefused(ProviderError):
    """Any other refusal of the request as such."""

    code = "request_refused"


class ContextExceeded(ProviderError):
    """The messages do not fit the model's window; `limit` is its size, where the refusal names it."""

    code = "context_exceeded"
    limit: int | None = None


class ContentFiltered(ProviderError):
    """The provider's content filter withheld the answer; another endpoint is not asked instead."""

    code = "content_filtered"
    falls_back = False


class CallEnded(Exception):
    """Our own side ended the call: no fault of the provider."""

    def __init__(self, partial: str = "", usage: Usage | None = None) -> None:
        """Keep the text that had arrived."""
        super().__init__(partial)
        self.partial = partial
        self.usage = usage


class Interrupted(CallEnded):
    """A stop was asked while the model was answering."""


class DeadlinePassed(CallEnded):
    """The turn's time was over before the model had finished."""


class BudgetReached(CallEnded):
    """The call would pass a budget: it was not made, and nothing was paid.

    `budget` is the budget's id, `scope` what it limits (`person`, `group`, `model`, `company`),
    `unit` its currency or `tokens`.
    """

    code = "budget_reached"

    def __init__(self, *, budget: int, scope: str, unit: str) -> None:
        """Name the budget that stands in the way."""
        super().__init__()
        self.budget = budget
        self.scope = scope
        self.unit = unit
