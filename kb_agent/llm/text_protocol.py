"""Drives models without tool calling: tools are told in the prompt, calls are read from the text."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from kb_agent.llm.protocol import Call, Completed, Message, Request

if TYPE_CHECKING:
    from collections.abc import Sequence

OPENS, CLOSES = "<tool_call>", "</tool_call>"

_MANNERS = """

# Tools
You can use the tools below. To use one, write a block of this form, beginning on a line of its \
own, and nothing after it:
<tool_call>{"name": "tool name", "arguments": {"argument": "value"}}</tool_call>
Several blocks may follow each other. The results come in the next message. When you need no more \
tools, write the answer without any block.
"""

_BLOCK = re.compile(rf"{OPENS}(.*?)(?:{CLOSES}|\Z)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*(```|~~~)", re.MULTILINE)
_OPENING = re.compile(rf"^[ \t]*{OPENS}", re.MULTILINE)
_OWN_TAGS = re.compile(r"<(/?)(tool_call|tool_result)>")


def rewrite(request: Request) -> list[Message]:
    """The request's messages in plain text: the tools in the system message, no tool roles."""
    messages: list[Message] = []
    for message in request.messages:
        plain = _plain(message)
        if messages and plain["role"] == messages[-1]["role"] == "user":
            messages[-1] = {
                "role": "user",
                "content": f"{messages[-1]['content']}\n\n{plain['content']}",
            }
        else:
            messages.append(plain)
    if not request.tools or request.tool_choice == "none":
        return messages
    manners = _MANNERS + "".join(_described(tool["function"]) for tool in request.tools)
    if messages and messages[0]["role"] == "system":
        messages[0] = {"role": "system", "content": messages[0]["content"] + manners}
    else:
        messages.insert(0, {"role": "system", "content": manners.strip()})
    return messages


def _described(function: dict[str, Any]) -> str:
    schema = json.dumps(function.get("parameters", {}), ensure_ascii=False)
    return f"\n## {function['name']}\n{function.get('description', '')}\nArguments: {schema}\n"


def _plain(message: Message) -> Message:
    if message["role"] == "tool":
        # What a tool shows must not be able to close its own frame and speak as the asker.
        shown = _OWN_TAGS.sub(r"<\1\2_>", str(message["content"]))
        return {"role": "user", "content": f"<tool_result>\n{shown}\n</tool_result>"}
    blocks = [
        OPENS + _block(call["function"]["name"], call["function"]["arguments"]) + CLOSES
        for call in message.get("tool_calls") or []
    ]
    text = message.get("content") or ""
    return {"role": message["role"], "content": "\n".join([text, *blocks] if text else blocks)}


def _block(name: str, arguments: str) -> str:
    return f'{{"name": {json.dumps(name, ensure_ascii=False)}, "arguments": {arguments}}}'


class Splitter:
    """Lets through the text a person may see while it streams, and holds back tool blocks."""

    def __init__(self) -> None:
        """Start at the answer's beginning."""
        self._text = ""
        self._shown = 0

    def feed(self, text: str) -> str:
        """New text to show; what may be the beginning of a block waits."""
        self._text += text
        opened = _opening(self._text)
        end = opened if opened is not None else len(self._text) - _possible_opening(self._text)
        new = self._text[self._shown : end]
        self._shown = max(self._shown, end)
        return new


def _opening(text: str) -> int | None:
    """Where the first block opens: at a line's beginning and outside fenced code, else it is quoted."""
    for found in _OPENING.finditer(text):
        if len(_FENCE.findall(text, 0, found.start())) % 2 == 0:
            return found.start()
    return None


def _possible_opening(text: str) -> int:
    """Length of the text's end that could still become an opening tag."""
    line = text[text.rfind("\n") + 1 :]
    return len(line) if OPENS.startswith(line.lstrip(" \t")) else 0


def read(completed: Completed) -> Completed:
    """The same answer with its tool blocks turned into calls."""
    opened = _opening(completed.content)
    if opened is None:
        return completed
    blocks = _BLOCK.findall(completed.content, opened)
    return Completed(
        content=completed.content[:opened].strip(),
        calls=tuple(_call(number, block) for number, block in enumerate(blocks, start=1)),
        usage=completed.usage,
        finish_reason=completed.finish_reason,
        model=completed.model,
    )


def _call(number: int, block: str) -> Call:
    """A call from a block; what is no JSON stays as malformed arguments, for the model to see."""
    call_id = f"call_{number}"
    try:
        stated = json.loads(block)
    except json.JSONDecodeError:
        return Call(id=call_id, name="", arguments=block.strip())
    if not isinstance(stated, dict):
        return Call(id=call_id, name="", arguments=block.strip())
    arguments = json.dumps(stated.get("arguments", {}), ensure_ascii=False)
    return Call(id=call_id, name=str(stated.get("name", "")), arguments=arguments)


def used_by(request: Request, tools: str) -> Sequence[Message]:
    """The messages as they are really sent to an endpoint that is told of tools in this way."""
    return rewrite(request) if tools == "text" else request.messages
