"""Django checks that `settings.TOPIC_HOOKS` can be run, before any topic needs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from topics import hooks


@register
def hooks_can_be_loaded(**_: Any) -> Sequence[CheckMessage]:
    """Every stage is known and every dotted path names a hook."""
    known = {stage.value for stage in hooks.Stage}
    found: list[CheckMessage] = [
        Error(f"TOPIC_HOOKS has no stage {stage!r}; stages are {sorted(known)}", id="topics.E001")
        for stage in settings.TOPIC_HOOKS
        if stage not in known
    ]
    for stage in hooks.Stage:
        for path in hooks.paths(stage):
            try:
                hooks.load(path)
            except hooks.NotAHook as problem:
                cause = f" ({problem.__cause__})" if problem.__cause__ else ""
                found.append(Error(f"TOPIC_HOOKS {stage}: {problem}{cause}", id="topics.E002"))
    return found
