"""Documents that name files and commands are held to them."""

from __future__ import annotations

import re

import pytest
from django.core.management import get_commands

from kb_agent.launcher.place import BASE_DIR

READMES = ("README.md", "README.zh-CN.md")
DOCUMENTS = [*READMES, *(str(path.relative_to(BASE_DIR)) for path in BASE_DIR.glob("docs/**/*.md"))]
TREES = ("tapes/", "topics/", "kb_agent/", "frontend/", "tests/", "checks/", "docs/")
# Where documents about one part begin its paths.
PARTS = ("", "kb_agent/", "kb_agent/repositories/", "tapes/", "topics/", "frontend/src/")


def named_paths(document: str) -> set[str]:
    """Every path of this tree in backticks or in a link; `{a,b}.py` names two."""
    text = (BASE_DIR / document).read_text()
    quoted = re.findall(r"`([\w./{},*-]+)`", text)
    names = [name for each in quoted if "/" in each for name in _each(each)]
    names += re.findall(r"\]\(([\w./-]+)\)", text)
    code = re.compile(r"\.(py|tsx?|sql|txt|sh|yml|toml)$")
    return {name for name in names if name.startswith(TREES) or code.search(name)}


def _each(name: str) -> list[str]:
    choice = re.search(r"\{([^}]*)\}", name)
    if choice is None:
        return [name]
    before, after = name[: choice.start()], name[choice.end() :]
    return [whole for one in choice[1].split(",") for whole in _each(before + one.strip() + after)]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_file_a_document_names_is_there(document: str) -> None:
    missing = {
        name for name in named_paths(document) if not any(_found(part, name) for part in PARTS)
    }
    assert missing == set()


def _found(part: str, name: str) -> bool:
    return any(BASE_DIR.glob(f"{part}{name.rstrip('/')}"))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_to_a_file_and_a_heading_in_it(document: str) -> None:
    folder = (BASE_DIR / document).parent
    links = re.findall(
        r"\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)", (BASE_DIR / document).read_text()
    )
    broken = []
    for path, heading in links:
        file = folder / path if path else BASE_DIR / document
        if not file.exists() or (heading and heading not in _anchors(file.read_text())):
            broken.append(f"{path}#{heading}")
    assert broken == []


def _anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}


def test_both_readmes_send_to_the_same_places() -> None:
    english, chinese = (named_paths(document) for document in READMES)
    assert english == chinese


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_a_document_names_exists(document: str) -> None:
    text = (BASE_DIR / document).read_text()
    commands = set(re.findall(r"manage\.py ([a-z_]+)", text))
    assert commands - set(get_commands()) == set()


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = sorted(int(path.name[:4]) for path in (BASE_DIR / "docs/decisions").glob("*.md"))
    assert numbers == list(range(1, len(numbers) + 1))
