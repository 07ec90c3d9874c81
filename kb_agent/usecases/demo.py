"""What a newcomer starts with: three people, two repositories, and questions worth asking."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from kb_agent.accounts.models import RoleName, User
from kb_agent.repositories.mirror.registry import About
from kb_agent.repositories.models import IndexRun, Repository
from kb_agent.usecases import people, refusals, upkeep

PASSWORDS = "demo-passwords"
QUESTIONS = "demo-questions.json"


@dataclass(frozen=True)
class DemoPerson:
    """Someone to sign in as."""

    username: str
    display_name: str
    does: str
    groups: tuple[str, ...]
    roles: tuple[str, ...] = ()


@dataclass(frozen=True)
class DemoRepository:
    """Code to ask about; `folder` is taken as git where it is git, else as a plain folder."""

    name: str
    folder: Path
    group: str
    about: About


PEOPLE = (
    DemoPerson(
        "admin", "Administrator", "administrator", ("product", "shop"), (RoleName.ADMINISTRATOR,)
    ),
    DemoPerson("lin", "Lin 林", "product manager", ("product", "shop")),
    DemoPerson("chen", "Chen 陈", "reviewer", ("product", "shop"), (RoleName.REVIEWER,)),
    # Reads one of the two, so that grants can be seen at work.
    DemoPerson("zhou", "Zhou 周", "tester", ("shop",)),
)
DEMO = settings.BASE_DIR / "kb_agent" / "management" / "demo"
FOLDERS = {"kb-agent": settings.BASE_DIR, "shop": DEMO / "shop"}
READERS = {"kb-agent": "product", "shop": "shop"}


def _repositories() -> tuple[DemoRepository, ...]:
    """What `samples.json` describes, in its order."""
    described = json.loads((DEMO / "samples.json").read_text())["repositories"]
    return tuple(
        DemoRepository(
            each["name"],
            FOLDERS[each["name"]],
            READERS[each["name"]],
            About(**each["description"], samples=tuple(each["questions"])),
        )
        for each in described
    )


def wanted() -> bool:
    """Whether this is a first start, or one that was cut short: nobody but the demo's people."""
    names = {person.username for person in PEOPLE} | {people.OPERATOR}
    return not User.objects.exclude(username__in=names).exists()


def seed(*, on_progress: Callable[[IndexRun], None] | None = None) -> list[IndexRun]:
    """Add whatever is missing; called again it changes nothing. The runs say how indexing ended."""
    passwords = _passwords()
    for person in PEOPLE:
        if not User.objects.filter(username=person.username).exists():
            people.add(
                person.username,
                passwords[person.username],
                display_name=person.display_name,
                groups=person.groups,
                names=person.roles,
            )
    described = _repositories()
    for repository in described:
        _add(repository)
    _write_questions(described)
    new = Repository.objects.filter(
        name__in=[each.name for each in described],
        status=Repository.Status.NEW,
        removed_at=None,
    )
    # The small one first: a newcomer can ask while the other is still read.
    names = list(new.order_by("-name").values_list("name", flat=True))
    return upkeep.index(names, on_progress=on_progress) if names else []


def _add(repository: DemoRepository) -> None:
    if Repository.objects.filter(name=repository.name).exists():
        return
    try:
        upkeep.add(
            repository.name,
            str(repository.folder),
            groups=[repository.group],
            about=repository.about,
        )
    except refusals.Conflict:
        return


def _passwords() -> dict[str, str]:
    """The kept ones, else new ones, on disk before anyone is added with them."""
    path = settings.VAR / PASSWORDS
    if not path.exists():
        lines = [f"{each.username} {secrets.token_urlsafe(9)} ({each.does})" for each in PEOPLE]
        unfinished = path.with_suffix(".unfinished")
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write("\n".join(lines) + "\n")
        unfinished.rename(path)
    words = (line.split() for line in path.read_text().splitlines())
    return {username: password for username, password, *_ in words}


def _write_questions(described: tuple[DemoRepository, ...]) -> None:
    """Two of each repository, for the launcher, which has no Django to ask."""
    samples = [sample["text"] for each in described for sample in each.about.samples[:2]]
    (settings.VAR / QUESTIONS).write_text(json.dumps(samples, ensure_ascii=False))
