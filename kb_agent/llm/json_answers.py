"""Reads the JSON in a model's answer, whatever stands around it and however it is broken."""

from __future__ import annotations

import json
from typing import Any

from kb_agent.llm import plain_text


def read(answer: str) -> Any:
    """What the answer holds from its first brace to its last; None where that is no JSON, or nested too deep.

    Many models cannot help saying more than they were asked for, or fence it.
    """
    starts = [place for place in (answer.find("{"), answer.find("[")) if place >= 0]
    if not starts:
        return None
    end = max(answer.rfind("}"), answer.rfind("]")) + 1
    try:
        return plain_text.of_json(json.loads(answer[min(starts) : end]))
    except (ValueError, RecursionError):
        return None


def read_object(answer: str) -> dict[str, Any]:
    """The object in an answer; empty where there is none."""
    found = read(answer)
    return found if isinstance(found, dict) else {}


def read_list(answer: str, name: str) -> list[dict[str, Any]]:
    """The objects in the list under `name`, or in a list alone; what is no object is left out."""
    found = read(answer)
    listed = found.get(name) if isinstance(found, dict) else found
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
