"""Puts the pieces of a streamed answer together: text, calls in fragments, usage, the finish."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kb_agent.llm import plain_text, usage
from kb_agent.llm.protocol import (
    Call,
    Completed,
    ContentFiltered,
    ContextExceeded,
    EmptyAnswer,
    StreamCut,
    Usage,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


_HARDLY_ANY_TOKENS = 64


@dataclass
class _Fragments:
    index: int | None
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class Assembler:
    """Collects the chunks of one streamed Chat Completions answer.

    `feed` takes a chunk and returns the new text, `completed` gives the whole or raises.
    """

    def __init__(self, model: str) -> None:
        """Start empty; `model` is used when the provider names none."""
        self.text = ""
        self.usage: Usage | None = None
        self._model = model
        self._finish_reason = ""
        self._calls: list[_Fragments] = []

    def feed(self, chunk: Mapping[str, Any]) -> str:
        """Take one chunk. Raises StreamCut for one of no known shape."""
        try:
            return self._taken(chunk)
        except (AttributeError, TypeError, KeyError, IndexError) as error:
            raise StreamCut(
                "the stream carried a chunk of no known shape", partial=self.text, usage=self.usage
            ) from error

    def _taken(self, chunk: Mapping[str, Any]) -> str:
        """The new text of a chunk; the last usage reported counts, some repeat it cumulatively."""
        self._model = plain_text.of_content(chunk.get("model")) or self._model
        self.usage = usage.read(chunk.get("usage")) or self.usage
        choices = chunk.get("choices") or []
        if not choices:
            return ""
        choice = choices[0]
        finish_reason = plain_text.of_content(choice.get("finish_reason"))
        self._finish_reason = finish_reason or self._finish_reason
        delta = choice.get("delta") or choice.get("message") or {}
        for fragment in delta.get("tool_calls") or []:
            self._take_fragment(fragment)
        new = plain_text.of_content(delta.get("content") or delta.get("refusal"))
        self.text += new
        return new

    def _take_fragment(self, fragment: Mapping[str, Any]) -> None:
        call = self._belonging(fragment)
        function = fragment.get("function") or {}
        call.id = call.id or plain_text.of_content(fragment.get("id"))
        call.name = call.name or plain_text.of_content(function.get("name"))
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            call.arguments.append(arguments)
        elif arguments is not None:
            call.arguments.append(json.dumps(arguments, ensure_ascii=False))

    def _belonging(self, fragment: Mapping[str, Any]) -> _Fragments:
        """The call a fragment continues: by index, by id where the index lies, else the last one."""
        index, call_id = fragment.get("index"), fragment.get("id") or ""
        names_one = bool((fragment.get("function") or {}).get("name"))
        for call in reversed(self._calls):
            other_id = bool(call_id and call.id and call_id != call.id)
            other_place = index is not None and call.index != index
            begins_anew = index is None and names_one and not (call_id and call_id == call.id)
            if not (other_id or other_place or begins_anew):
                return call
        self._calls.append(_Fragments(index=index))
        return self._calls[-1]

    def _wrote_nothing(self) -> bool:
        """Whether an empty answer had no room: one that was all reasoning ran into its own limit."""
        written = self.usage.output + self.usage.reasoning if self.usage else 0
        return written <= _HARDLY_ANY_TOKENS

    def completed(self) -> Completed:
        """The whole answer. Raises StreamCut, ContentFiltered or EmptyAnswer."""
        if self._finish_reason == "content_filter":
            raise ContentFiltered(
                "the provider's content filter withheld the answer",
                partial=self.text,
                usage=self.usage,
            )
        if not self._finish_reason:
            raise StreamCut(
                "the stream ended before the answer did", partial=self.text, usage=self.usage
            )
        if not self.text.strip() and not self._calls:
            if self._finish_reason == "length" and self._wrote_nothing():
                raise ContextExceeded(
                    "the messages left no room for an answer in the model's window",
                    usage=self.usage,
                )
            raise EmptyAnswer("the model answered with nothing", usage=self.usage)
        return Completed(
            content=self.text,
            calls=tuple(_call(fragments) for fragments in self._calls),
            usage=self.usage,
            finish_reason=self._finish_reason,
            model=self._model,
        )


def _call(fragments: _Fragments) -> Call:
    return Call(
        id=fragments.id or f"call_{uuid.uuid4().hex[:12]}",
        name=fragments.name,
        arguments="".join(fragments.arguments),
    )
