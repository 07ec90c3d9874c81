"""Makes a model's text storable: what no tape can hold becomes the replacement character."""

from __future__ import annotations


def storable(text: str) -> str:
    """Without NUL and lone surrogates, which providers can send and a tape refuses."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")
