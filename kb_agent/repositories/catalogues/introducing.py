"""Reads what a repository says of itself: the description of its package, the first sentence of its READMEs."""

from __future__ import annotations

import ast
import configparser
import html
import json
import re
import tomllib
from collections.abc import Callable, Iterator

from kb_agent.repositories import catalogues
from kb_agent.repositories.text import whole

SHORTEST, LONGEST = 12, 200
SHORTEST_CHINESE = 6
# A text is Chinese when so many of its letters are.
CHINESE_SHARE = 0.3
README = re.compile(r"(^|/)readme([._-][\w-]+)*(\.(md|rst|txt|markdown))?$", re.IGNORECASE)
# What a generator wrote, or nobody did.
EMPTY_WORDS = re.compile(
    r"\b(todo|lorem ipsum|your (project|package|description)|add (a|your) description"
    r"|bootstrapped with|this template|getting started with|a (new|sample|demo) \w+ project"
    r"|(vite|nuxt|next\.js|flutter|spring boot|maven|react) (project|app|application|starter))\b",
    re.IGNORECASE,
)
BADGE = re.compile(r"!\[[^\]]*\]\([^)]*\)|\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|<[^>]+>")
LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)|`([^`]*)`|\*\*([^*]+)\*\*|`([^`<]+) <[^>]*>`_")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
UNDERLINE = re.compile(r"^[=\-~^\"'#*+]{3,}\s*$")
NO_SENTENCE = re.compile(r"^\s*(#|\.\. |[-*+] |\d+[.)] |>|\||:\w+:|=|\[[^\]]+\]:)")
END = re.compile(r"[。\uff01\uff1f]|[.!?](?=\s|$)")
ADDRESS = re.compile(r"https?://\S+|\S+@\S+\.\w+")


def of_file(path: str, text: str) -> str:
    """What a file says the repository is, in one sentence; empty where it says nothing."""
    name = path.rpartition("/")[2]
    if README.search(path):
        return next(_sentences(text), "")
    reader = _READERS.get(name) or _ENDINGS.get(name.rpartition(".")[2].lower())
    if reader is None:
        return ""
    try:
        return sentence(reader(text))
    except (ValueError, SyntaxError, RecursionError, KeyError, TypeError, AttributeError):
        return ""


def speaks(path: str) -> bool:
    """Whether a file may say what the repository is: near the root, a README or a package's own description."""
    name = path.rpartition("/")[2]
    told = README.search(path) or name in _READERS or name.rpartition(".")[2].lower() in _ENDINGS
    return path.count("/") <= 1 and bool(told)


def language(text: str) -> str:
    """`zh` or `en`."""
    letters = [each for each in text if each.isalpha()]
    chinese = [each for each in letters if catalogues.HAN.match(each)]
    return "zh" if len(chinese) > CHINESE_SHARE * len(letters) else "en"


def sentence(text: object) -> str:
    """The first sentence of a text, plain; empty where it is too short to say anything, or nobody wrote it."""
    if not isinstance(text, str):
        return ""
    plain = LINK.sub(lambda match: next(filter(None, match.groups()), ""), BADGE.sub(" ", text))
    plain = " ".join(ADDRESS.sub(" ", html.unescape(whole(plain))).split())
    end = END.search(plain, 8)
    first = (plain[: end.end()] if end else plain).strip(" *_`-–—:：")
    least = SHORTEST_CHINESE if language(first) == "zh" else SHORTEST
    if len(first) < least or EMPTY_WORDS.search(first):
        return ""
    return first if len(first) <= LONGEST else first[: LONGEST - 1].rstrip() + "…"


def _sentences(text: str) -> Iterator[str]:
    """First sentences of a README's paragraphs: headings, badges, lists, tables and code left out."""
    for block in re.split(r"\n\s*\n", FENCE.sub("\n\n", text.replace("\r", ""))):
        lines = block.strip("\n").split("\n")
        heading = any(UNDERLINE.match(line) for line in lines)
        kept = [line for line in lines if not NO_SENTENCE.match(line) and not UNDERLINE.match(line)]
        said = sentence(" ".join(kept)) if kept and not heading else ""
        if said and (END.search(said) or len(said.split()) > 3 or language(said) == "zh"):
            yield said


def _of_pyproject(text: str) -> object:
    read = tomllib.loads(text)
    poetry = read.get("tool", {}).get("poetry", {})
    return read.get("project", {}).get("description") or poetry.get("description")


def _of_setup_cfg(text: str) -> object:
    read = configparser.RawConfigParser()
    try:
        read.read_string(text)
    except configparser.Error:
        return ""
    return read.get("metadata", "description", fallback="")


def _of_manifest(text: str) -> object:
    read = ast.literal_eval(text[text.index("{") :])
    return read.get("summary") or read.get("description") or ""


def _found(pattern: str) -> Callable[[str], object]:
    compiled = re.compile(pattern, re.MULTILINE | re.DOTALL)

    def read(text: str) -> object:
        found = compiled.search(text[:200_000])
        return found["said"] if found else ""

    return read


_QUOTED = r"""\s*=\s*["'](?P<said>[^"'\n]+)["']"""
_JSON: Callable[[str], object] = lambda text: json.loads(text).get("description")  # noqa: E731
_READERS: dict[str, Callable[[str], object]] = {
    "pyproject.toml": _of_pyproject,
    "Cargo.toml": lambda text: tomllib.loads(text).get("package", {}).get("description"),
    "setup.cfg": _of_setup_cfg,
    "setup.py": _found(r"\bdescription" + _QUOTED),
    "package.json": _JSON,
    "composer.json": _JSON,
    "pom.xml": _found(r"<description>(?P<said>[^<]+)</description>"),
    "build.gradle": _found(r"^\s*description" + _QUOTED),
    "build.gradle.kts": _found(r"^\s*description" + _QUOTED),
    "__manifest__.py": _of_manifest,
    "__openerp__.py": _of_manifest,
    "METADATA": _found(r"^Summary: (?P<said>[^\n]+)$"),
    "PKG-INFO": _found(r"^Summary: (?P<said>[^\n]+)$"),
}
_ENDINGS: dict[str, Callable[[str], object]] = {
    "gemspec": _found(r"\.summary" + _QUOTED),
    "csproj": _found(r"<Description>(?P<said>[^<]+)</Description>"),
}
