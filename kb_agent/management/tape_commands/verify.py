"""Name the first entry of a tape that was changed; exit code 1 when there is one."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tapes import heads, store, verify

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper

    from tapes.chain import Verdict


def add_arguments(parser: ArgumentParser) -> None:
    """One tape or all."""
    parser.add_argument("name", nargs="?", help="every tape when left out")


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Print a line per tape."""
    name = options["name"]
    tapes = [store.by_name(name)] if name else store.every()
    log = heads.log_path()
    logged = {tapes[0].id: heads.of(log, tapes[0].id)} if name else heads.read(log)
    verdicts = [(tape, verify.verify(tape.id, logged.get(tape.id))) for tape in tapes]
    missing = [] if name else _missing(logged, tapes)
    found = _found(verdicts, missing)
    if options["json"]:
        out.write(json.dumps(found[0] if name else found, ensure_ascii=False))
    else:
        out.write(_as_text(verdicts, missing))
    if missing or not all(verdict.ok for _, verdict in verdicts):
        sys.exit(1)


_Verdicts = Sequence[tuple[store.Tape, "Verdict"]]


def _missing(logged: dict[int, heads.Logged], tapes: Sequence[store.Tape]) -> list[int]:
    """Tapes the log knows and the database no longer has."""
    return sorted(set(logged) - {tape.id for tape in tapes})


def _found(verdicts: _Verdicts, missing: Sequence[int]) -> list[dict[str, Any]]:
    found = [{"tape": tape.name, "id": tape.id} | verdict.as_dict() for tape, verdict in verdicts]
    return found + [
        {"tape": None, "id": tape_id, "ok": False, "first_bad_seq": 1, "reason": "the tape is gone"}
        for tape_id in missing
    ]


def _as_text(verdicts: _Verdicts, missing: Sequence[int]) -> str:
    lines = [f"{tape.name}: {_said(verdict)}" for tape, verdict in verdicts]
    lines += [f"tape {tape_id}: gone, though the log of heads knows it" for tape_id in missing]
    return "\n".join(lines) or "there are no tapes"


def _said(verdict: Verdict) -> str:
    if not verdict.ok:
        return f"CHANGED at seq {verdict.first_bad_seq}: {verdict.reason}"
    erased = "".join(f"; erased {first}-{last}" for first, last in verdict.erased)
    return f"{verdict.entries} entries, all as written{erased}"
