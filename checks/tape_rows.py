"""The entries that `bench_tape` writes, the bare INSERT beside them, and eight writers at once."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import connection, connections

from tapes import entries, rows, store

if TYPE_CHECKING:
    from multiprocessing.synchronize import Barrier

    from tapes.entries import NewEntry

AT_ONCE = 1_000
WORDS = 20_000
SENTENCES = 5_000
RARE = 30_000
"""Entries between two that hold the same rare words."""
WRITERS, EACH = 8, 250
_chance = random.Random(1)  # noqa: S311 — repeatable, not secret
_CHINESE = "订单取消后优惠券是否退回用户申请退款失败会自动重试吗仓库发货延迟需要通知客服"


def _word() -> str:
    parts = ("ka", "re", "to", "mi", "sen", "der", "pol", "bu", "fi", "nal", "or", "ing")
    return "".join(_chance.choices(parts, k=_chance.randint(2, 4)))


def _sentence(words: list[str], weights: list[float]) -> str:
    chosen = _chance.choices(words, cum_weights=weights, k=16)
    if _chance.random() < 0.02:
        chosen[3] = "refund"
    start = _chance.randrange(len(_CHINESE) - 6)
    return f"{' '.join(chosen)} {_CHINESE[start : start + 6]}。"


def _sentences() -> list[str]:
    words = [_word() for _ in range(WORDS)]
    weights, total = [], 0.0
    for rank in range(1, WORDS + 1):
        total += 1 / rank
        weights.append(total)
    return [_sentence(words, weights) for _ in range(SENTENCES)]


_TEXT = _sentences()
_PLANTED = ("the xylophone of the database migration", "拼单 的 对账", "向 海关申报 货物")


def entry(number: int) -> NewEntry:
    """Return a message of about 1 kB; every one names a number of its own, few hold rare words."""
    place = number % RARE - 7
    rare = _PLANTED[place] if 0 <= place < len(_PLANTED) else ""
    said = " ".join(_chance.choices(_TEXT, k=8))
    return entries.message("user" if number % 2 else "assistant", f"order {number}: {said} {rare}")


def fill(name: str, size: int) -> int:
    """Append `size` entries, the opening anchor included, by the one function; returns the tape."""
    synchronous("off")
    tape_id = store.create(name).id
    for first in range(1, size, AT_ONCE):
        batch = [rows.row(entry(n)) for n in range(first, min(first + AT_ONCE, size))]
        rows.write((tape_id, None, None, None), batch)
    with connections["owner"].cursor() as cursor:
        cursor.execute("ANALYZE tapes_entry")
    connections["owner"].close()
    return tape_id


def synchronous(commit: str) -> None:
    """Set synchronous_commit for this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('synchronous_commit', %s, false)", [commit])


@dataclass(frozen=True)
class Sizes:
    """Bytes of a database's tables with their indexes."""

    entries: int
    index: int


def sizes(tape_id: int) -> Sizes:
    """Return what this tape takes: its share of the entries' table, and its search index."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits"
            " WHERE inhparent = 'tapes_entry'::regclass) * (SELECT head FROM tapes_tape"
            " WHERE id = %s) / (SELECT sum(head) FROM tapes_tape),"
            " (SELECT coalesce(sum(octet_length(p.postings)), 0) FROM tapes_searchpostings AS p"
            " JOIN tapes_searchsegment AS s ON s.id = p.segment_id WHERE s.tape_id = %s)"
            " + (SELECT coalesce(sum(octet_length(dictionary) + octet_length(starts)), 0)"
            " FROM tapes_searchsegment WHERE tape_id = %s)",
            [tape_id] * 3,
        )
        return Sizes(*map(int, cursor.fetchone()))


class Bare:
    """Inserts the same rows with their indexes and checks, without head, chain or function."""

    COLUMNS = (
        "tape_id, seq, kind, payload_text, meta_text, salt, digest, hash, fork_id, topic_id,"
        " turn_id, step, part, actor, why, sources, date"
    )

    def __init__(self, tape_id: int, at_once: int) -> None:
        self._tape_id = tape_id
        self._at_once = at_once
        self._rows = [rows.row(entry(n)) for n in range(at_once)]
        self._seq = 0
        with connections["owner"].cursor() as cursor:
            cursor.execute("DROP TABLE IF EXISTS bench_bare")
            cursor.execute("CREATE TABLE bench_bare (LIKE tapes_entry INCLUDING ALL)")
            cursor.execute("GRANT ALL ON bench_bare TO PUBLIC")
        connections["owner"].close()
        one = "(" + ", ".join(["%s"] * 16) + ", now())"
        values = ", ".join([one] * at_once)
        self._sql = f"INSERT INTO bench_bare ({self.COLUMNS}) VALUES {values}"  # noqa: S608

    def insert(self) -> None:
        """Insert the rows in one statement."""
        said: list[Any] = []
        for row in self._rows:
            self._seq += 1
            fixed = [self._tape_id, self._seq, row.kind, row.payload, row.meta]
            said += [*fixed, os.urandom(16), os.urandom(32), os.urandom(32)]
            said += [None, None, None, None, None, row.actor, row.why, []]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, said)


def written_by_eight(name: str, tapes: int) -> float:
    """Let eight processes append to one tape or eight; returns entries a second, all there."""
    ids = [store.create(f"{name}/{n}").id for n in range(tapes)]
    connections.close_all()
    context = multiprocessing.get_context("fork")
    ready = context.Barrier(WRITERS + 1)
    writers = [context.Process(target=_write, args=(ids[n % tapes], ready)) for n in range(WRITERS)]
    for writer in writers:
        writer.start()
    ready.wait(60)
    started = time.perf_counter()
    for writer in writers:
        writer.join()
    seconds = time.perf_counter() - started
    heads = [store.get(tape_id).head for tape_id in ids]
    assert sum(heads) == WRITERS * EACH + tapes, json.dumps(heads)
    return WRITERS * EACH / seconds


def _write(tape_id: int, ready: Barrier) -> None:
    synchronous("off")
    new = [entry(1)]
    ready.wait(60)
    for _ in range(EACH):
        store.append(tape_id, new)
    connections.close_all()
