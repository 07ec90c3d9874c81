"""Switches hooks off and on again: the only writer of HookSwitch; essential ones stay on (P4)."""

from __future__ import annotations

from django.db.models.functions import Now

from topics import hooks
from topics.models.hooks import HookSwitch


class HookEssential(Exception):
    """The hook says that it is essential, so it cannot be switched off."""

    code = "hook_essential"


class UnknownHook(Exception):
    """The settings name no such hook."""

    code = "unknown_hook"


def off() -> frozenset[str]:
    """The dotted paths of hooks that are switched off."""
    return frozenset(HookSwitch.objects.filter(off=True).values_list("hook", flat=True))


def skipped(path: str, off: frozenset[str]) -> bool:
    """Whether a run of the hook is skipped; one that has become essential since is not."""
    return path in off and not hooks.essential(path)


def switch(path: str, *, on: bool, by_id: int | None) -> bool:
    """Switch a hook; returns whether that changed anything. Raises UnknownHook, HookEssential."""
    if path not in {named for stage in hooks.Stage for named in hooks.paths(stage)}:
        raise UnknownHook(f"the settings name no hook {path}")
    if not on and hooks.essential(path):
        raise HookEssential(f"{path} is essential and stays on")
    if on is not HookSwitch.objects.filter(hook=path, off=True).exists():
        return False
    HookSwitch.objects.update_or_create(
        hook=path, defaults={"off": not on, "changed_by_id": by_id, "changed_at": Now()}
    )
    return True
