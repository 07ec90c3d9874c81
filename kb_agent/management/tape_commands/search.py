"""Search a tape: seq, tier, score and snippet of every entry found."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from textwrap import indent
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from kb_agent.llm import account, tape_meaning
from kb_agent.management.tape_commands import show
from kb_agent.repositories import secrets
from kb_agent.repositories.models import Repository
from tapes import search, store, text

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper

    from tapes.entries import Entry
    from tapes.search import Found

    Around = Mapping[int, list[Entry]]
    """Each hit with those beside it, by seq."""


def add_arguments(parser: ArgumentParser) -> None:
    """Which tape, which words, and how much around them."""
    parser.add_argument("name")
    parser.add_argument("query")
    parser.add_argument("--limit", type=int, default=20, help="how many entries, 20 by default")
    parser.add_argument(
        "--around", type=int, default=0, metavar="N", help="so many entries before and after each"
    )


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Print a line per entry; whoever runs the server reads every repository's text."""
    if options["around"] < 0:
        raise CommandError("--around is a number of entries, 0 or more.")
    tape = store.by_name(options["name"])
    readable = list(Repository.objects.values_list("pk", flat=True))
    found = tape_meaning.find(
        tape.pk,
        secrets.mask(options["query"]).text,
        limit=options["limit"],
        readable=readable,
        account=account.of_system("search", tape="search"),
    )
    around = {
        hit.seq: search.neighbours(
            tape.pk, hit.seq, options["around"], options["around"], readable=readable
        )
        for hit in (found.hits if options["around"] else ())
    }
    out.write(_as_json(found, around) if options["json"] else _as_text(found, around))


def _as_json(found: Found, around: Around) -> str:
    hits = [
        {"seq": hit.seq, "tier": hit.tier, "score": round(hit.score, 3), "snippet": hit.snippet}
        | ({"around": [show.as_json(one) for one in around[hit.seq]]} if around else {})
        for hit in found.hits
    ]
    return json.dumps({"hits": hits, "cut": found.cut}, ensure_ascii=False)


def _as_text(found: Found, around: Around) -> str:
    lines: list[str] = []
    for hit in found.hits:
        lines.append(f"{hit.seq}\t{hit.tier}\t{hit.score:.2f}\t{hit.snippet}")
        if around:
            lines.append(indent(text.of(around[hit.seq]), "    "))
    if found.cut is not None:
        lines.append(f"entries 1 to {found.cut} were not all compared roughly")
    return "\n".join(lines) or "nothing was found"
