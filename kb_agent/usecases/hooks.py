"""What administrators do with hooks: see who runs where and how it went, switch off what may be (P4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from kb_agent.accounts import audit, roles
from kb_agent.usecases import refusals
from topics import hooks
from topics.hooks import figures as hook_figures
from topics.hooks import switches
from topics.models.hooks import HookSwitch

if TYPE_CHECKING:
    from datetime import datetime

    from kb_agent.accounts.models import User
    from topics.hooks.figures import Figures

ONLY_ADMINISTRATORS = "Only an administrator may see and switch hooks."


@dataclass(frozen=True)
class HookShown:
    """A hook at one stage, as the settings name it."""

    stage: str
    order: int
    """From 1."""
    hook: str
    """Dotted path."""
    does_en: str
    does_zh: str
    """Empty where its author wrote none."""
    essential: bool
    on: bool
    problem: str
    """Why it cannot be loaded; or empty."""
    changed_by: str
    """Who switched it last; empty when nobody did, or a command."""
    changed_at: datetime | None
    figures: Figures


def listed(person: User) -> list[HookShown]:
    """Every hook in the order it runs. Raises `refusals.Forbidden`."""
    _administers(person)
    return every()


def every() -> list[HookShown]:
    """Every hook in the order it runs, for those who may run commands."""
    switched = {row.hook: row for row in HookSwitch.objects.select_related("changed_by")}
    return [
        _shown(stage, order, path, switched.get(path))
        for stage in hooks.Stage
        for order, path in enumerate(hooks.paths(stage), 1)
    ]


def switch_by(person: User, path: str, *, on: bool) -> list[HookShown]:
    """Switch a hook in the browser. Raises `refusals.Forbidden`, `NotFound`, `Conflict`."""
    _administers(person)
    switch(path, on=on, by=person)
    return every()


def switch(path: str, *, on: bool, by: User | None = None) -> bool:
    """Switch a hook on or off, audited; returns whether that changed anything."""
    try:
        with transaction.atomic():
            changed = switches.switch(path, on=on, by_id=by.pk if by else None)
            if changed:
                audit.note(by, f"hook_switched_{'on' if on else 'off'}", f"hook:{path}")
    except switches.UnknownHook:
        raise refusals.NotFound("hook") from None
    except switches.HookEssential as refused:
        raise refusals.Conflict(str(refused), code=refused.code) from refused
    return changed


def _administers(person: User) -> None:
    if not roles.has(person, "administrator"):
        raise refusals.Forbidden(ONLY_ADMINISTRATORS)


def _shown(stage: hooks.Stage, order: int, path: str, switched: HookSwitch | None) -> HookShown:
    found, problem = _loaded(path)
    essential = bool(found and found.essential)
    return HookShown(
        stage=stage.value,
        order=order,
        hook=path,
        does_en=found.does if found else "",
        does_zh=found.does_zh if found else "",
        essential=essential,
        on=essential or switched is None or not switched.off,
        problem=problem,
        changed_by=switched.changed_by.shown_name if switched and switched.changed_by else "",
        changed_at=switched.changed_at if switched else None,
        figures=hook_figures.of(stage, path),
    )


def _loaded(path: str) -> tuple[hooks.Hook | None, str]:
    try:
        return hooks.load(path), ""
    except hooks.NotAHook as problem:
        return None, str(problem)
