"""`manage.py tape`: show a tape as text, and verify that nobody changed it."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tapes import heads, store, text, verify


class Command(BaseCommand):
    """Dispatches to one method a verb."""

    help = "Show a tape, or verify that it says what was written."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One sub-command a verb."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        verifying = verbs.add_parser("verify", help="name the first entry that was changed")
        verifying.add_argument("name", nargs="?", help="every tape when left out")
        verifying.add_argument("--json", action="store_true")
        showing = verbs.add_parser("show", help="print a line per entry")
        showing.add_argument("name")

    def handle(self, *_: Any, verb: str, **options: Any) -> None:
        """Call the verb."""
        try:
            getattr(self, verb)(**options)
        except store.TapeError as error:
            raise CommandError(str(error)) from error

    def show(self, *, name: str, **_: Any) -> None:
        """Print the tape."""
        self.stdout.write(text.tape_text(_named(name).id))

    def verify(self, *, name: str | None, json: bool, **_: Any) -> None:
        """Print a line per tape; exit code 1 when one was changed."""
        tapes = [_named(name)] if name else store.every()
        logged = heads.read(heads.log_path())
        verdicts = [(tape, verify.verify(tape.id, logged.get(tape.id))) for tape in tapes]
        missing = [] if name else _missing(logged, tapes)
        found = _found(verdicts, missing)
        said = _as_json(found[0] if name else found) if json else _as_text(verdicts, missing)
        self.stdout.write(said)
        if missing or not all(verdict.ok for _, verdict in verdicts):
            sys.exit(1)


_Verdicts = Sequence[tuple[store.Tape, verify.Verdict]]


def _named(name: str) -> store.Tape:
    tape = store.find(name)
    if tape is None:
        raise CommandError(f"there is no tape named {name!r}")
    return tape


def _missing(logged: dict[int, heads.Logged], tapes: Sequence[store.Tape]) -> list[int]:
    """Tapes the log knows and the database no longer has."""
    return sorted(set(logged) - {tape.id for tape in tapes})


def _found(verdicts: _Verdicts, missing: Sequence[int]) -> list[dict[str, Any]]:
    found = [{"tape": tape.name, "id": tape.id} | verdict.as_dict() for tape, verdict in verdicts]
    return found + [
        {"tape": None, "id": tape_id, "ok": False, "first_bad_seq": 1, "reason": "the tape is gone"}
        for tape_id in missing
    ]


def _as_json(found: object) -> str:
    return json.dumps(found, ensure_ascii=False)


def _as_text(verdicts: _Verdicts, missing: Sequence[int]) -> str:
    lines = [f"{tape.name}: {_said(verdict)}" for tape, verdict in verdicts]
    lines += [f"tape {tape_id}: gone, though the log of heads knows it" for tape_id in missing]
    return "\n".join(lines) or "there are no tapes"


def _said(verdict: verify.Verdict) -> str:
    if not verdict.ok:
        return f"CHANGED at seq {verdict.first_bad_seq}: {verdict.reason}"
    erased = "".join(f"; erased {first}-{last}" for first, last in verdict.erased)
    return f"{verdict.entries} entries, all as written{erased}"
