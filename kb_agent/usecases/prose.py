"""What of an answer is prose: its words without the code it quotes, the places it cites and how it was routed (C7)."""

from __future__ import annotations

import re
from typing import Any

from topics import markers

LEFT_OUT = "[…]"
TELLS_NO_CODE = ("verified", "language", "partial", "found")
FENCE = re.compile(r"^\s{0,3}(?:>\s?)*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})")
INDENTED = re.compile(r"^(?: {4,}|\t)\S")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")


def of(answer: str) -> str:
    """An answer's Markdown, where each block of code is `[…]` and nothing is cited."""
    lines: list[str] = []
    fence = ""
    listed = False
    for line in answer.splitlines():
        opened = FENCE.match(line)
        if fence:
            closes = line.strip(" \t>").startswith(fence) and not line.strip(" \t>").strip(fence[0])
            fence = "" if closes else fence
        elif opened:
            fence = opened[1]
            lines.append(LEFT_OUT)
        elif INDENTED.match(line) and not listed:
            if lines[-1:] != [LEFT_OUT]:
                lines.append(LEFT_OUT)
        else:
            listed = bool(ITEM.match(line)) or (listed and (not line.strip() or line[:1].isspace()))
            lines.append(markers.without(line))
    return "\n".join(lines)


def meta(said: dict[str, Any]) -> dict[str, Any]:
    """What an answer says of itself, without places and repositories."""
    return {name: said[name] for name in TELLS_NO_CODE if name in said}
