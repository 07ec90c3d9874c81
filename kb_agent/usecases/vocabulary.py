"""What a reviewer can do with the vocabulary: see what words map to and why, add and suppress pairs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from kb_agent.accounts import audit, roles
from kb_agent.repositories import access, secrets
from kb_agent.repositories.facts import words
from kb_agent.repositories.vocabulary import corrections, explaining, wordlist
from kb_agent.repositories.vocabulary.corrections import BadCorrection, Pair
from kb_agent.usecases import refusals

if TYPE_CHECKING:
    from kb_agent.accounts.models import User

SOURCES = wordlist.SOURCES
STATES = ("mined", corrections.ADDED, corrections.SUPPRESSED)


@dataclass(frozen=True)
class Named:
    """A repository by its name."""

    id: int
    name: str


@dataclass(frozen=True)
class WordShown:
    """A business word, the code's word it stands for, and who says so."""

    word: str
    code: str
    repository: Named | None
    weight: float
    source: str
    state: str
    correction: int | None
    note: str
    author: str | None
    at: datetime | None


@dataclass(frozen=True)
class WordPage:
    """Words, the cursor of the next page, and how many rows each source has."""

    results: list[WordShown]
    next: str | None
    counts: dict[str, int]


@dataclass(frozen=True)
class ExampleShown:
    """A place that ties the two words: the repository's own texts, or the lines an accepted fact cites."""

    kind: str
    path: str
    line: int
    text: str
    translation: str
    repository: Named
    commit: str


def page(
    person: User, *, repository: int | None = None, q: str = "", source: str = "", cursor: str = ""
) -> WordPage:
    """A page of the vocabulary of what `person` reads. Raises `Forbidden`, `NotFound`, `Invalid`."""
    names = _names(person, repository)
    wanted = wordlist.Wanted(sorted(names), q, source, general=repository is None)
    try:
        found = wordlist.page(wanted, cursor)
    except wordlist.BadCursor as bad:
        raise refusals.Invalid(str(bad), code=bad.code) from bad
    return WordPage([_shown(row, names) for row in found.rows], found.next or None, found.counts)


def why(person: User, *, word: str, code: str, repository: int | None = None) -> list[ExampleShown]:
    """Places that tie the words, of what `person` reads. Raises `Forbidden`, `NotFound`."""
    names = _names(person, repository)
    return [
        ExampleShown(
            each.kind,
            each.path,
            each.line,
            each.text,
            each.translation,
            Named(each.repository_id, names[each.repository_id]),
            each.commit,
        )
        for each in [
            *words.why(word, code, names),
            *explaining.why(word, code, sorted(names)),
        ]
    ]


def correct(person: User, pair: Pair, *, state: str, note: str = "") -> WordShown:
    """Add or suppress a pair, at once for every search. Raises `Forbidden`, `NotFound`, `Invalid`."""
    names = _names(person, pair.repository_id)
    masked = Pair(secrets.mask(pair.word).text, secrets.mask(pair.code).text, pair.repository_id)
    try:
        with transaction.atomic():
            row = corrections.set_state(masked, state, by=person, note=secrets.mask(note).text)
            _note(person, "vocabulary_corrected", row.pk, masked, state)
    except BadCorrection as bad:
        raise refusals.Invalid(str(bad), code=bad.code, details={"field": bad.field}) from bad
    return _shown(wordlist.shown(row), names)


def undo(person: User, correction_id: int) -> None:
    """Take a correction back: what the repositories themselves say counts again. Raises `Forbidden`, `NotFound`."""
    names = _names(person, None)
    with transaction.atomic():
        row = (
            corrections.readable(names)
            .select_for_update(of=("self",))
            .filter(pk=correction_id)
            .first()
        )
        if row is None:
            raise refusals.NotFound("correction")
        _note(
            person,
            "correction_withdrawn",
            row.pk,
            Pair(row.word, row.code, row.repository_id),
            row.state,
        )
        row.delete()


def _note(person: User, action: str, pk: int, pair: Pair, state: str) -> None:
    details = {
        "word": pair.word,
        "code": pair.code,
        "repository": pair.repository_id,
        "state": state,
    }
    audit.note(person, action, f"correction:{pk}", details=details)


def _names(person: User, repository: int | None) -> dict[int, str]:
    """The repositories asked about, by id; all that `person` reads, unless one is named."""
    if not {"reviewer", "administrator"} & set(roles.of(person)):
        raise refusals.Forbidden("The vocabulary is for reviewers and administrators.")
    rows = access.readable(person)
    names = dict(
        (rows if repository is None else rows.filter(pk=repository)).values_list("pk", "name")
    )
    if repository is not None and not names:
        raise refusals.NotFound("repository")
    return names


def _shown(row: wordlist.Row, names: dict[int, str]) -> WordShown:
    correction = row.correction
    of = row.repository_id
    return WordShown(
        row.word,
        row.code,
        None if of is None else Named(of, names[of]),
        row.weight,
        row.source,
        row.state,
        correction.pk if correction else None,
        correction.note if correction else "",
        correction.author.shown_name if correction and correction.author else None,
        correction.at if correction else None,
    )
