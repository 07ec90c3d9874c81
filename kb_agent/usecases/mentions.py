"""What a question names: topics as `topic:12` or `topic:12#4-40`, people as `@name` (P9)."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q
from django.db.models.functions import Left, Lower

from kb_agent.accounts.models import User

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TOPIC = re.compile(
    r"(?<![A-Za-z0-9_/.-])topic[:：](?P<topic>\d{1,15})(?:#(?P<first>\d{1,15})(?:-(?P<last>\d{1,15}))?)?(?!\d)",
    re.IGNORECASE,
)
AT = re.compile(r"(?<![A-Za-z0-9._%+-])@(?=\S)")
_WORD = re.compile(r"[A-Za-z0-9_]")
_LATIN_END = re.compile(r"[A-Za-z0-9_]$")
LONGEST_NAME = 150


@dataclass(frozen=True)
class NamedTopic:
    """A topic named in a question; `first` and `last` are seqs, None for the whole of it."""

    topic: int
    first: int | None = None
    last: int | None = None

    @property
    def written(self) -> str:
        """As it is written: `topic:12#4-40`."""
        places = "" if self.first is None else f"#{self.first}-{self.last}"
        return f"topic:{self.topic}{places}"


@dataclass(frozen=True)
class NamedPerson:
    """Somebody named in a question; `people` has more than one where the name is not enough."""

    name: str
    people: tuple[User, ...]


def topics(text: str) -> list[NamedTopic]:
    """The topics a text names, each once, in the order named; a range written backwards is turned."""
    found = dict.fromkeys(_topic(match) for match in TOPIC.finditer(text))
    return list(found)


def people(text: str) -> list[NamedPerson]:
    """The people a text names behind `@`, each once; what is nobody's name is just text.

    A name may have blanks in it, and Chinese goes on without one: the longest name that stands
    there is the one meant.
    """
    rests = [text[at.end() : at.end() + LONGEST_NAME] for at in AT.finditer(text)]
    known = _beginning(rests)
    found: dict[str, NamedPerson] = {}
    for rest in rests:
        one = _person(rest, known)
        if one is not None:
            found.setdefault(one.name, one)
    return list(found.values())


def written(one: User) -> str:
    """What stands behind `@` for this person and for nobody else."""
    name = one.display_name
    if not name or "\n" in name:
        return one.username
    others = User.objects.filter(is_active=True).exclude(pk=one.pk)
    taken = others.filter(Q(display_name__iexact=name) | Q(username__iexact=name)).exists()
    return one.username if taken else name


def _topic(match: re.Match[str]) -> NamedTopic:
    first = int(match["first"]) if match["first"] else None
    last = int(match["last"]) if match["last"] else first
    if first is None or last is None:
        return NamedTopic(int(match["topic"]))
    return NamedTopic(int(match["topic"]), min(first, last), max(first, last))


def _person(rest: str, known: Mapping[str, Mapping[int, User]]) -> NamedPerson | None:
    there = {**known.get(rest[:1].lower(), {}), **known.get(rest[:2].lower(), {})}
    standing = [one for one in there.values() if _ends(_name_in(one, rest), rest)]
    if not standing:
        return None
    longest = max(len(_name_in(one, rest)) for one in standing)
    meant = [one for one in standing if len(_name_in(one, rest)) == longest]
    by_username = [one for one in meant if one.username.casefold() == rest[:longest].casefold()]
    return NamedPerson(_name_in(meant[0], rest), tuple(by_username or meant))


def _beginning(rests: Iterable[str]) -> dict[str, dict[int, User]]:
    """The active people one of whose names begins as one of these texts, by its first two letters.

    In one query, however many there are: code pasted into a question is full of `@`.
    """
    begin = {rest[:letters].lower() for rest in rests for letters in (1, 2)}
    found: dict[str, dict[int, User]] = defaultdict(dict)
    if not begin:
        return found
    rows = User.objects.filter(is_active=True).annotate(
        name_begins=Lower(Left("display_name", 2)), username_begins=Lower(Left("username", 2))
    )
    fitting = rows.filter(Q(name_begins__in=begin) | Q(username_begins__in=begin))
    for one in fitting.order_by("pk"):
        for name in (one.display_name, one.username):
            found[name[:2].lower()][one.pk] = one
    return found


def _name_in(one: User, rest: str) -> str:
    """The longest of a person's names that stands there."""
    names = (one.display_name, one.username)
    return max(
        (rest[: len(name)] for name in names if name and rest.lower().startswith(name.lower())),
        key=len,
        default="",
    )


def _ends(name: str, rest: str) -> bool:
    """Whether the name ends there: `@li` is not meant by `@list`."""
    after = rest[len(name) : len(name) + 1]
    return bool(name) and not (_LATIN_END.search(name) and _WORD.match(after))
