"""Documents that name files and commands are held to them."""

from __future__ import annotations

import re

import pytest
from django.core.management import get_commands

from kb_agent.launcher.place import BASE_DIR

READMES = ("README.md", "README.zh-CN.md")
# Described in the READMEs, made by the front end's build and the browser tests.
TREES = ("tapes/", "topics/", "kb_agent/", "frontend/", "docs/")


def named_paths(document: str) -> set[str]:
    """Every path of this tree in backticks or in a link."""
    text = (BASE_DIR / document).read_text()
    names = re.findall(r"`([\w./-]+)`", text) + re.findall(r"\]\(([\w./-]+)\)", text)
    return {name for name in names if name.startswith(TREES)}


@pytest.mark.parametrize("document", [*READMES, "docs/architecture.md", "docs/running.md"])
def test_every_file_a_document_names_is_there(document: str) -> None:
    missing = {name for name in named_paths(document) if not (BASE_DIR / name).exists()}
    assert missing == set()


def test_both_readmes_send_to_the_same_places() -> None:
    english, chinese = (named_paths(document) for document in READMES)
    assert english == chinese


@pytest.mark.parametrize("document", [*READMES, "docs/running.md", "docs/settings.md"])
def test_every_command_a_document_names_exists(document: str) -> None:
    text = (BASE_DIR / document).read_text()
    commands = set(re.findall(r"manage\.py ([a-z_]+)", text))
    assert commands - set(get_commands()) == set()


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = sorted(int(path.name[:4]) for path in (BASE_DIR / "docs/decisions").glob("*.md"))
    assert numbers == list(range(1, len(numbers) + 1))
