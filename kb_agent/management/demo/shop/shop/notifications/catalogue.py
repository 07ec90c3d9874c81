"""Texts for people, by key and language."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "locale"


@cache
def texts(language: str) -> dict[str, str]:
    """All texts of a language."""
    loaded: dict[str, str] = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    return loaded


def text(key: str, language: str) -> str:
    """One text; an unknown key is shown as it is, so that a missing text is seen."""
    return texts(language).get(key, key)
