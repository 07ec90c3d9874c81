"""Repositories for these tests: real git, really indexed."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from kb_agent.repositories import indexing
from kb_agent.repositories.mirror import registry
from kb_agent.repositories.models import Repository

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import Group

IDENTITY = ("-c", "user.name=Test", "-c", "user.email=test@example.com")


def indexed(name: str, files: dict[str, str], *, group: Group, place: Path) -> Repository:
    """Commit files to a new git directory, add it for a group and index it."""
    for path, text in files.items():
        file = place / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "First."]):
        subprocess.run(["git", *IDENTITY, *command], cwd=place, check=True)
    repository = registry.add(name, str(place), groups=[group.name])
    indexing.run(indexing.queue(repository).pk)
    return Repository.objects.get(pk=repository.pk)
