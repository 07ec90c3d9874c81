"""Search a tape: seq, tier, score and snippet of every entry found."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kb_agent.llm import account, tape_meaning
from kb_agent.repositories import secrets
from kb_agent.repositories.models import Repository
from tapes import store

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper

    from tapes.search import Found


def add_arguments(parser: ArgumentParser) -> None:
    """Which tape, which words."""
    parser.add_argument("name")
    parser.add_argument("query")
    parser.add_argument("--limit", type=int, default=20, help="how many entries, 20 by default")


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Print a line per entry; whoever runs the server reads every repository's text."""
    tape = store.by_name(options["name"])
    readable = Repository.objects.values_list("pk", flat=True)
    found = tape_meaning.find(
        tape.pk,
        secrets.mask(options["query"]).text,
        limit=options["limit"],
        readable=readable,
        account=account.of_system("search", tape="search"),
    )
    out.write(_as_json(found) if options["json"] else _as_text(found))


def _as_json(found: Found) -> str:
    hits = [
        {"seq": hit.seq, "tier": hit.tier, "score": round(hit.score, 3), "snippet": hit.snippet}
        for hit in found.hits
    ]
    return json.dumps({"hits": hits, "cut": found.cut}, ensure_ascii=False)


def _as_text(found: Found) -> str:
    lines = [f"{hit.seq}\t{hit.tier}\t{hit.score:.2f}\t{hit.snippet}" for hit in found.hits]
    if found.cut is not None:
        lines.append(f"entries 1 to {found.cut} were not all compared roughly")
    return "\n".join(lines) or "nothing was found"
