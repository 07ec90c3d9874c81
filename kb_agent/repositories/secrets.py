"""Masks keys, tokens and passwords in text, keeping every line where it is (C8)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log2

from kb_agent.repositories.secret_forms import (
    AT_SIGN,
    BARE_RULE,
    CALL_RULE,
    CHINESE_RULE,
    ELEMENT_RULE,
    HEADER_RULE,
    HINTS,
    HOOK_RULE,
    NAMED_RULE,
    PARAMETER_RULE,
    PREFIX_RULE,
    PRIVATE_KEY_RULE,
    QUOTED_RULE,
    SIGNED,
    TYPED_RULE,
    URL_RULE,
)

MASK = "•••"

PLACEHOLDER = re.compile(
    r"(?i)^(?:x+|\*+|•+|\.+|-+|<.*>|\$.*|%.*|\{.*|.*\{\{.*|your|change|example|placeholder|secret|password|passwd|none|null|true|false"
    r"|test|dummy|sample|required|optional|undefined)$|changeme|change_me|your[_-]|placeholder|example"
)
CODE = re.compile(
    r"^[\w.]+\(|\)$|^(?:self|this|os|settings|config|env|request|process)\.|[/\\].*\.\w{1,5}$|^/|://|^\w+\.\w+\.\w+$|^_\(|^--|^\.|\.\.|__"
)
# Letters with signs or of other scripts: a text for people.
WRITTEN = re.compile(r"[^\W\d_a-zA-Z]")
SPOKEN = frozenset(["pass", "password", "passwd", "pwd", "secret", "token", "user", "xxx", "xxxx"])
IDENTIFIER = re.compile(r"^[A-Za-z_][\w.]*$")
WORDS = re.compile(r"^[A-Za-z]+(?:[ _.:/-][A-Za-z]+)*$")


@dataclass(frozen=True)
class Masked:
    """Text safe to keep, and how many secrets were taken out of it."""

    text: str
    count: int


def mask(text: str) -> Masked:
    """`text` with secrets replaced by `•••`; the number of lines is unchanged."""
    text, count = _replace(PRIVATE_KEY_RULE, _always, text) if "PRIVATE KEY" in text else (text, 0)
    lowered = text.lower()
    if len(lowered) != len(text):  # a few letters grow when lowered, and places would shift
        lowered = text
    signed = (match.start() for form in SIGNED for match in form.finditer(text))
    places = (*_hints(lowered), *signed)
    starts = {lowered.rfind("\n", 0, place) + 1 for place in places}
    pieces: list[str] = []
    end = 0
    for start in sorted(starts):
        stop = text.find("\n", start)
        line, found = _mask_line(text[start:] if stop < 0 else text[start:stop])
        pieces += [text[end:start], line]
        end = len(text) if stop < 0 else stop
        count += found
    return Masked("".join([*pieces, text[end:]]), count)


def _hints(lowered: str) -> Iterator[int]:
    for hint in HINTS:
        place = lowered.find(hint)
        while place >= 0:
            yield place
            stop = lowered.find("\n", place)
            place = lowered.find(hint, stop) if stop >= 0 else -1
    if "://" in lowered:
        yield from (match.start() for match in AT_SIGN.finditer(lowered))


def _mask_line(line: str) -> tuple[str, int]:
    count = 0
    for rule, is_secret in RULES:
        line, found = _replace(rule, is_secret, line)
        count += found
    return line, count


def _replace(rule: re.Pattern[str], is_secret: Callable[[str], bool], text: str) -> tuple[str, int]:
    pieces: list[str] = []
    end = 0
    for match in rule.finditer(text):
        value = match["value"]
        if MASK in value or not is_secret(value):
            continue
        start = match.start("value")
        pieces += [text[end:start], MASK, "\n" * value.count("\n")]
        end = match.end("value")
    return "".join([*pieces, text[end:]]), len(pieces) // 3


def _always(value: str) -> bool:
    return bool(value)


def _in_address(value: str) -> bool:
    """Whether what stands before @ is more than the word for it."""
    return value.lower() not in SPOKEN


def _quoted(value: str) -> bool:
    """Whether a labelled text is a secret rather than a name, a message or a placeholder."""
    if PLACEHOLDER.search(value) or CODE.search(value) or WRITTEN.search(value):
        return False
    if WORDS.match(value):
        return len(value) >= 20 and _kinds(value) >= 2 and _entropy(value) > 4.2
    return _kinds(value) >= 2 and _entropy(value) >= 2.2


def _bare(value: str) -> bool:
    """The same for a value without quotes, where most things are names of variables and types."""
    if IDENTIFIER.match(value):
        mixed = bool(re.search(r"[0-9].*[a-zA-Z].*[0-9]|[a-z][0-9]+[a-z]", value))
        return mixed and "." not in value and _quoted(value)
    return bool(re.search(r"[0-9]", value)) and _quoted(value)


def _kinds(value: str) -> int:
    return sum(bool(re.search(kind, value)) for kind in ("[a-z]", "[A-Z]", "[0-9]", "[^A-Za-z0-9]"))


def _entropy(value: str) -> float:
    """Shannon entropy a character, in bits."""
    total = len(value)
    return -sum(n / total * log2(n / total) for n in Counter(value).values())


RULES: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
    (PREFIX_RULE, _always),
    (HOOK_RULE, _always),
    (URL_RULE, _in_address),
    (PARAMETER_RULE, _quoted),
    (HEADER_RULE, _quoted),
    (QUOTED_RULE, _quoted),
    (BARE_RULE, _bare),
    (ELEMENT_RULE, _quoted),
    (NAMED_RULE, _quoted),
    (CALL_RULE, _quoted),
    (TYPED_RULE, _quoted),
    (CHINESE_RULE, _quoted),
)
