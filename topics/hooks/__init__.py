"""What a hook is: its context, what it may answer, and which hooks the settings name (P3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn

from django.conf import settings
from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from tapes.entries import NewEntry
    from topics.models import Topic


class Stage(StrEnum):
    """The four hook points, in the order of a topic's life."""

    PRE_TOPIC_INITIAL = "pre_topic_initial"
    POST_TOPIC_INITIAL = "post_topic_initial"
    PRE_TOPIC_FINALIZED = "pre_topic_finalized"
    POST_TOPIC_FINALIZED = "post_topic_finalized"


class Refused(Exception):
    """A pre-hook refuses what was asked; the reason is shown to the person."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NotAHook(Exception):
    """A dotted path of `settings.TOPIC_HOOKS` leads to no hook: nothing there, or something else."""


@dataclass(slots=True)
class Draft:
    """The topic as it will be, or is. A pre-hook may assign title, summary and sources."""

    tape_id: int
    owner_id: int
    title: str
    summary: str = ""
    sources: tuple[int, ...] = ()
    """The repositories whose text the title or summary was written from (C7)."""
    continues_id: int | None = None

    @classmethod
    def of(cls, topic: Topic) -> Draft:
        """The topic as its row has it."""
        return cls(
            tape_id=topic.tape_id,
            owner_id=topic.owner_id,
            title=topic.title,
            summary=topic.summary,
            sources=tuple(topic.sources),
            continues_id=topic.continues_id,
        )


@dataclass(frozen=True, slots=True)
class Context:
    """All that a hook is told."""

    stage: Stage
    topic: Draft
    actor: str
    """Who started or ended the topic: `person:7`, `system`."""
    topic_id: int | None = None
    """Empty in `pre_topic_initial`, where no topic exists yet."""
    reason: str = ""
    """Why the topic ends: owner, superseded, idle, reset, administrator; empty at its start."""

    def refuse(self, reason: str) -> NoReturn:
        """Stop what was asked, with a sentence for the person. Only pre-hooks may."""
        raise Refused(reason)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a hook leaves behind, all of it in one transaction or none."""

    outcome: str = ""
    """One line for people: "3 topics recalled"."""
    entries: tuple[NewEntry, ...] = ()
    """Appended to the tape under the topic."""
    write: Callable[[], None] | None = None
    """Writes rows; called where the run is marked done, so that it happens once."""


Body = Callable[[Context], Effect | None]


@dataclass(frozen=True, slots=True)
class Hook:
    """A function with what people need to know of it."""

    body: Body
    essential: bool
    """Whether its crash refuses what was asked."""
    does: str
    """What it does, one sentence for people."""
    does_zh: str = ""
    """The same in Chinese; without it Chinese pages show the English one."""

    def __call__(self, context: Context) -> Effect | None:
        """Run it."""
        return self.body(context)


def hook(*, does: str, does_zh: str = "", essential: bool = False) -> Callable[[Body], Hook]:
    """Make a function a hook; its dotted path then goes into `settings.TOPIC_HOOKS`."""

    def made(body: Body) -> Hook:
        return Hook(body=body, essential=essential, does=does, does_zh=does_zh)

    return made


def paths(stage: Stage) -> list[str]:
    """The dotted paths the settings name for this stage, in order."""
    return list(settings.TOPIC_HOOKS.get(stage.value, ()))


def load(path: str) -> Hook:
    """The hook at a dotted path. Raises NotAHook, whatever importing it raised, if there is none."""
    try:
        found = import_string(path)
    except Exception as failure:
        raise NotAHook(f"{path} cannot be imported: {type(failure).__name__}") from failure
    if not isinstance(found, Hook):
        raise NotAHook(f"{path} is not decorated with @hook")
    return found


def essential(path: str) -> bool:
    """Whether the hook there says that it is essential; where none is, nothing says so."""
    try:
        return load(path).essential
    except NotAHook:
        return False
