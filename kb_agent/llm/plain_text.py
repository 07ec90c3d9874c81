"""Makes what a provider sends storable: what no tape can hold becomes the replacement character."""

from __future__ import annotations

from typing import Any


def storable(text: str) -> str:
    """Without NUL and lone surrogates, which providers can send and a tape refuses."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def of_json(value: Any) -> Any:
    """A value of JSON, which says such characters as escapes, with all its texts storable."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [of_json(part) for part in value]
    if isinstance(value, dict):
        return {storable(key): of_json(part) for key, part in value.items()}
    return value


def of_content(content: Any) -> str:
    """The text of a message's content: a string, parts as some servers send them, or nothing."""
    if isinstance(content, str):
        return storable(content)
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, dict))
        return storable("".join(text for text in texts if isinstance(text, str)))
    return ""
