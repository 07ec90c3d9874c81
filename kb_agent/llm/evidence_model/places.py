"""Places of code as tools write them, read back; and what a file is for, told from its path."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_HEAD = re.compile(r"^\[(e\d+)\] ([^/\s]+)/(.+) lines (\d+)-(\d+)(?: `(.+)`)?$")
_LINE = re.compile(r"^(\d+): ?(.*)$")
_MATCHED = "matched: "
_MATCH = re.compile(r"^(word|symbol|path|vocabulary) (.+) = (.+)$")
_KINDS = {
    "Defined here:": "definition",
    "Used here:": "use",
    "Imported here:": "import",
    "Named in a text here:": "text",
    "Spoken of in a comment here:": "comment",
}
# The first that a path meets decides; any other file is code.
_ROLES = (
    (
        "test",
        re.compile(
            r"(^|/)(tests?|specs?|testing|fixtures|__tests__)/|(^|/)(test_|conftest)"
            r"|[._](test|spec)s?\.\w+$|Tests?\.\w+$"
        ),
    ),
    ("migration", re.compile(r"(^|/)(migrations|alembic|versions)/")),
    ("docs", re.compile(r"\.(md|rst|txt|adoc)$|(^|/)docs?/", re.IGNORECASE)),
    (
        "text",
        re.compile(
            r"\.(html?|jinja2?|j2|tmpl|ftl|erb|mjml|po|properties|xlf|vue|xml)$|(^|/)(locales?|i18n|lang)/"
            r"|(^|/)(templates?|messages?|emails?)/"
        ),
    ),
    (
        "setting",
        re.compile(
            r"(^|/)(settings?|config|configuration|defaults?|constants?|conf)(/|\.\w+$)"
            r"|\.(ya?ml|toml|ini|cfg|env|json)$"
        ),
    ),
)


@dataclass(frozen=True)
class Match:
    """Why a place was found: a word of the question and the code's own word for it."""

    kind: str
    query: str
    code: str


@dataclass
class Place:
    """One citable place as a tool showed it; `lines` holds text by line number."""

    id: str
    repository: str
    path: str
    start: int
    end: int
    symbol: str = ""
    kind: str = ""
    """Of a name that was looked up: definition, use, import, text or comment."""
    matches: list[Match] = field(default_factory=list)
    lines: dict[int, str] = field(default_factory=dict)

    @property
    def role(self) -> str:
        """What the file is for: test, migration, docs, text, setting or code."""
        return next((role for role, pattern in _ROLES if pattern.search(self.path)), "code")

    def overlaps(self, other: Place) -> bool:
        """Whether two places share lines."""
        same = (self.repository, self.path) == (other.repository, other.path)
        return same and self.start <= other.end and other.start <= self.end


def read(content: str) -> list[Place]:
    """Every place a tool's text shows, in its order."""
    found: list[Place] = []
    kind = ""
    for line in content.split("\n"):
        kind = _KINDS.get(line, kind)
        if head := _HEAD.match(line):
            place = Place(head[1], head[2], head[3], int(head[4]), int(head[5]), head[6] or "")
            place.kind = kind
            found.append(place)
        elif found and line.startswith(_MATCHED):
            found[-1].matches = matches(line.removeprefix(_MATCHED))
        elif found and (numbered := _LINE.match(line)):
            found[-1].lines[int(numbered[1])] = numbered[2]
    return found


def matches(text: str) -> list[Match]:
    """`word 利率 = rate; symbol rates = rate_for`, read."""
    parts = (_MATCH.match(part) for part in text.split("; "))
    return [Match(part[1], part[2], part[3]) for part in parts if part]
