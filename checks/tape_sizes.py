"""Measures what entries cost on disk, and what checking and logging a long tape takes (docs/scaling.md).

Data lives in a folder of its own: `python checks/tape_sizes.py FOLDER [TURNS] [LONG]`.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tapes.entries import Context, NewEntry

TURNS_A_TAPE = 40
CALLS_A_TURN = 4
RESULT_CHARS = 5_000
ANSWER_CHARS = 900
SIZES = """
SELECT sum(pg_relation_size(t)), sum(pg_indexes_size(t)),
       sum(pg_total_relation_size(t) - pg_relation_size(t) - pg_indexes_size(t))
FROM (SELECT inhrelid::regclass AS t FROM pg_inherits WHERE inhparent = 'tapes_entry'::regclass)
"""
SEARCH = """
SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
WHERE relname IN ('tapes_searchsegment', 'tapes_searchpostings')
"""


def main(folder: str, turns: int = 4_000, long: int = 1_000_000) -> None:
    """Print the figures."""
    os.environ["KB_AGENT_VAR"] = folder
    os.environ["DJANGO_SETTINGS_MODULE"] = "kb_agent.settings"
    subprocess.run([sys.executable, str(ROOT / "manage.py"), "migrate", "-v0"], check=True)
    import django  # noqa: PLC0415 — after the folder is known

    from kb_agent.launcher import place, servers  # noqa: PLC0415 — as above

    held = servers.hold(place.here())
    django.setup()
    _of_turns(turns)
    _of_a_long_tape(long)
    if held is not None:
        os.close(held)


def _of_turns(turns: int) -> None:
    """The size of entries as turns write them, with real source text for results."""
    from tapes import forks, store  # noqa: PLC0415 — after setup
    from tapes.search import index as search_index  # noqa: PLC0415

    texts = [path.read_text(encoding="utf-8") for path in ROOT.glob("kb_agent/**/*.py")]
    source = "\n".join(texts)
    lot = random.Random(1)  # noqa: S311 — figures, no secrets
    started, count, tape_id = time.monotonic(), 0, 0
    for turn in range(turns):
        if turn % TURNS_A_TAPE == 0:
            tape_id = store.create(f"sizes {turn} {time.time()}").id
        fork = forks.open(tape_id)
        count += len(store.append(tape_id, _turn(source, lot, turn), fork=fork)) + 1
        forks.merge(fork, turn_id=turn)
    print(f"{count} entries of {turns} turns in {time.monotonic() - started:.0f} s", flush=True)
    _owner("VACUUM ANALYZE tapes_entry")
    heap, indexes, toast = _owner(SIZES)[0]
    for name, size in (("heap", heap), ("toast", toast), ("indexes", indexes)):
        print(f"{name:8} {size / count:8.0f} bytes an entry", flush=True)
    started = time.monotonic()
    for due in search_index.due():
        search_index.seal(due)
    ((search,),) = _owner(SEARCH)
    took = time.monotonic() - started
    print(f"search   {search / count:8.0f} bytes an entry, sealed in {took:.0f} s", flush=True)


def _turn(source: str, lot: random.Random, turn: int) -> list[NewEntry]:
    """A question, calls with their ledger, results of five thousand characters, an answer."""
    from tapes import entries  # noqa: PLC0415 — after setup

    def cut(chars: int) -> str:
        at = lot.randrange(len(source) - chars)
        return source[at : at + chars]

    def call(step: int) -> dict[str, object]:
        seqs = list(range(step * 4 + 3))
        digests = {name: f"{lot.getrandbits(256):064x}" for name in ("system_digest", "messages")}
        more = {"model": "some/model-large", "purpose": "answer", "payer": 7, "seqs": seqs}
        return {"call": f"{lot.getrandbits(128):032x}", "renderer": 2, **more, **digests}

    where: Context = {"topic_id": turn // 4 + 1, "turn_id": turn + 1, "sources": [1, 2]}
    found = [
        entries.message("user", cut(90), **where),
        entries.event("turn_started", {"attempt": 1}, **where),
    ]
    for step in range(CALLS_A_TURN):
        said = call(step)
        usage = {"input": 9_000, "cached": 4_000, "output": 300, "reasoning": 0}
        found.append(entries.event("model_call_started", said, **where))
        ended = {**said, "usage": usage, "price": "0.0123", "currency": "USD", "seconds": 3.21}
        found.append(entries.event("model_call_ended", ended, **where))
        if step < CALLS_A_TURN - 1:
            name = {"name": "search_code", "arguments": json.dumps({"queries": [cut(60)]})}
            calls = [{"id": f"call_{step}", "type": "function", "function": name}]
            found.append(entries.tool_call(calls, None, **where))
            result = {"id": f"call_{step}", "name": "search_code", "content": cut(RESULT_CHARS)}
            found.append(entries.tool_result([result], **where))
    meta = {"citations": [{"evidence": n, "path": cut(40), "lines": [1, 9]} for n in range(3)]}
    answered: Context = {**where, "meta": meta}
    found.append(entries.message("assistant", cut(ANSWER_CHARS), **answered))
    found.append(entries.event("turn_ended", {"status": "done", "reason": ""}, **where))
    return found


def _of_a_long_tape(long: int) -> None:
    """What writing the log of heads and checking take on one long tape."""
    from tapes import entries, heads, store, verify  # noqa: PLC0415 — after setup

    tape = store.create(f"long {time.time()}")
    line = "A line of some length, as a person would write it, about refunds and retries. "
    while (head := store.get(tape.id).head) < long:
        batch = range(head, min(head + 2_000, long))
        store.append(tape.id, [entries.message("user", f"{line * 3}{n}") for n in batch])
    log = heads.log_path()
    _timed("writing the log of heads", lambda: heads.write(log))
    _timed("writing it again, nothing moved", lambda: heads.write(log))
    _timed("verify against the log", lambda: verify.verify(tape.id, heads.of(log, tape.id)))


def _timed(what: str, does: Callable[[], object]) -> None:
    started = time.monotonic()
    found = does()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    took = time.monotonic() - started
    print(f"{what}: {took:.2f} s, {memory:.0f} MB at most, {found}", flush=True)


def _owner(statement: str) -> Sequence[tuple[int, ...]]:
    from django.db import connections  # noqa: PLC0415 — after setup

    with connections["owner"].cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
