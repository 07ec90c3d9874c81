"""A turn's tape as a short story: the lines of `tape_text` without what only the ledger needs."""

from __future__ import annotations

import json
import re
import threading
import time
from typing import TYPE_CHECKING

from django.db import connections

from tapes import models, text, views
from tapes.views import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapes.entries import Entry
    from topics.models import Turn

_STARTED = re.compile(r"^(event model_call_started) .*$")
_ENDED = re.compile(r"^event model_call_ended (\{.*\})$")
# A hook that had nothing to do says so on the tape, and would stand in every story.
_IDLE_HOOK = re.compile(r'^event hook .*"outcome": "done(?:: nothing recalled)?"[,}]')
# Results are told up to the first of these: what follows is for the model.
_RESULT_END = re.compile(
    r", certainty|, so the tool|\. The tools are|: there is no|(?<=:)(?= \[e)| \(exact|: no |\\n(?!-)"
)


# What hooks ask a model when a topic has ended stands beside its story.
_BESIDE = ("summary", "facts")


def story(tape_id: int) -> str:
    """What happened from the question on, a line per entry, results cut short."""
    told = [line.split(" ", 1) for line in text.tape_text(tape_id).splitlines()]
    # Read second: a hidden call that is told is known to be one.
    beside = _asked_beside(tape_id)
    lines = [line for seq, line in told if int(seq) not in beside]
    begun = next(at for at, line in enumerate(lines) if line.startswith("message user:"))
    return "\n".join(_short(line) for line in lines[begun:] if not _IDLE_HOOK.match(line))


def _asked_beside(tape_id: int) -> set[int]:
    """The seqs of hidden calls that no story tells."""
    found = models.Entry.objects.filter(
        tape_id=tape_id, kind="event", payload__data__has_key="call"
    )
    calls = {entry.seq: entry.payload["data"] for entry in found}
    hidden = {data["call"] for data in calls.values() if data.get("purpose") in _BESIDE}
    return {seq for seq, data in calls.items() if data["call"] in hidden}


def answer_of(turn: Turn) -> Entry:
    """The turn's last message of the model."""
    messages = views.read(turn.tape_id, View.of_turns([turn.pk]).only("message"))
    return [entry for entry in messages if entry.payload["role"] == "assistant"][-1]


def _short(line: str) -> str:
    if ended := _ENDED.match(line):
        return _ended(json.loads(ended[1]))
    if line.startswith("tool_result "):
        results = line.removeprefix("tool_result ").split(" | ")
        return "tool_result " + " | ".join(_RESULT_END.split(result)[0] for result in results)
    return _STARTED.sub(r"\1", line)


def _ended(data: dict[str, object]) -> str:
    error = data.get("error")
    code = f" {error['code']}" if isinstance(error, dict) else ""
    usage = data["usage"]
    tokens = f" {sum(usage.values())} tokens" if isinstance(usage, dict) else ""
    return f"event model_call_ended {data['status']}{code}{tokens}"


def later(act: Callable[[], object], *, after: Callable[[], bool]) -> threading.Thread:
    """Do something in another thread as soon as a condition holds, at most half a minute from now."""

    def wait() -> None:
        deadline = time.monotonic() + 30
        while not after() and time.monotonic() < deadline:
            time.sleep(0.02)
        try:
            act()
        finally:
            connections.close_all()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread
