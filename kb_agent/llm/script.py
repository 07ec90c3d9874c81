"""The script of a scripted model: its answers in order, written in a few words of the domain.

[calls("search_code", queries=["rate"]).in_pieces(3), refuses(429), says("Three percent. [e1]")]
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator

Chunk = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """An HTTP error instead of an answer."""

    status: int
    message: str
    code: str = ""
    retry_after: str = ""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One streamed answer, and everything odd about how a provider sends it."""

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    """Name and argument text of each call."""
    piece_size: int = 12
    usage: Chunk | None = None
    usage_in_every_chunk: bool = False
    finish: str = ""
    """Empty: `tool_calls` or `stop`, as fits."""
    ids: bool = True
    indexes: bool = True
    cut_after: int | None = None
    """Chunks after which the connection breaks."""
    garbage_after: int | None = None
    """Chunks after which something that is no JSON is sent."""
    error_after: tuple[int, Chunk] | None = None
    """Chunks after which an error object is sent inside the stream."""
    seconds: float = 0.0
    """Silence before the first chunk."""
    seconds_between: float = 0.0
    awaited: threading.Event | None = None
    """Silence until this has happened."""

    def in_pieces(self, size: int) -> Reply:
        """Text and arguments in pieces of so many characters."""
        return replace(self, piece_size=size)

    def using(self, prompt: int, completion: int, **more: Any) -> Reply:
        """Usage in the last chunk: `cached=`, `reasoning=` as details, the rest as it stands."""
        usage: Chunk = {"prompt_tokens": prompt, "completion_tokens": completion}
        if "cached" in more:
            usage["prompt_tokens_details"] = {"cached_tokens": more.pop("cached")}
        if "reasoning" in more:
            usage["completion_tokens_details"] = {"reasoning_tokens": more.pop("reasoning")}
        return replace(self, usage=usage | more)

    def repeating_usage(self) -> Reply:
        """Cumulative usage in every chunk, as some servers send it."""
        return replace(self, usage_in_every_chunk=True)

    def without_ids(self) -> Reply:
        """Calls without ids."""
        return replace(self, ids=False)

    def without_indexes(self) -> Reply:
        """Calls whole, one chunk each, without an index."""
        return replace(self, indexes=False)

    def finished(self, reason: str) -> Reply:
        """Ends with this finish_reason."""
        return replace(self, finish=reason)

    def cut(self, after: int) -> Reply:
        """The connection breaks after so many chunks."""
        return replace(self, cut_after=after)

    def garbled(self, after: int) -> Reply:
        """Something that is no JSON comes after so many chunks."""
        return replace(self, garbage_after=after)

    def failing(self, after: int, message: str, *, code: str = "") -> Reply:
        """An error object comes inside the stream."""
        return replace(self, error_after=(after, {"message": message, "code": code}))

    def slowly(self, seconds: float = 0.0, *, between: float = 0.0) -> Reply:
        """Silence before the first chunk, and between chunks."""
        return replace(self, seconds=seconds, seconds_between=between)

    def once(self, event: threading.Event) -> Reply:
        """Silence until this has happened, whatever a busy machine makes of it."""
        return replace(self, awaited=event)


Turn = Reply | Refusal


def says(text: str) -> Reply:
    """The model answers with text."""
    return Reply(text=text)


def calls(name: str, arguments: str | None = None, /, **values: Any) -> Reply:
    """The model calls one tool; `arguments` instead of keywords gives their text as it is."""
    return Reply(calls=((name, _text(arguments, values)),))


def calls_all(*replies: Reply) -> Reply:
    """Several calls in one step."""
    return Reply(calls=tuple(call for reply in replies for call in reply.calls))


def refuses(
    status: int, message: str = "refused", *, code: str = "", retry_after: str = ""
) -> Refusal:
    """The endpoint answers with an HTTP error."""
    return Refusal(status=status, message=message, code=code, retry_after=retry_after)


def _text(arguments: str | None, values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False) if arguments is None else arguments


def chunks(reply: Reply, model: str) -> Iterator[Chunk]:
    """The Chat Completions chunks of a reply, in order."""
    for number, delta in enumerate(_deltas(reply)):
        chunk = _chunk(model, [{"index": 0, "delta": delta, "finish_reason": None}])
        if reply.usage_in_every_chunk and reply.usage:
            chunk["usage"] = reply.usage | {"completion_tokens": number + 1}
        yield chunk
    finish = reply.finish or ("tool_calls" if reply.calls else "stop")
    yield _chunk(model, [{"index": 0, "delta": {}, "finish_reason": finish}])
    if reply.usage:
        yield _chunk(model, []) | {"usage": reply.usage}


def _deltas(reply: Reply) -> Iterator[Chunk]:
    yield {"role": "assistant", "content": ""}
    for piece in _pieces(reply.text, reply.piece_size):
        yield {"content": piece}
    for index, (name, arguments) in enumerate(reply.calls):
        head: Chunk = {"type": "function", "function": {"name": name, "arguments": ""}}
        if reply.ids:
            head["id"] = f"call_{index}"
        if not reply.indexes:
            yield {"tool_calls": [head | {"function": {"name": name, "arguments": arguments}}]}
            continue
        yield {"tool_calls": [{"index": index, **head}]}
        for piece in _pieces(arguments, reply.piece_size):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _pieces(text: str, size: int) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


def _chunk(model: str, choices: list[Chunk]) -> Chunk:
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": model,
        "choices": choices,
    }
