"""What `bench_tape` measures and prints: a function a table, each next to what it is compared with."""

from __future__ import annotations

import datetime
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial

import tape_rows
from apart import grown

from tapes import rows, search, store, verify, views
from tapes.models import Tape
from tapes.search import index as search_index

ROUNDS = 5
QUERIES = {
    "a rare word": "xylophone",
    "a common word": "refund",
    "an absent word": "zyxwvut",
    "a typo of a rare word": "xylofone",
    "a typo of two words": "databse migrtion",
    "two rare Chinese characters": "拼单",
    "two common Chinese characters": "退款",
    "Chinese in the other script": "對賬",
    "Chinese with a wrong character": "海关申保",
}


def report(sizes: Sequence[int]) -> None:
    """Load a tape of each size, measure, print."""
    load = " ".join(f"{one:.0f}" for one in os.getloadavg())
    now = datetime.datetime.now(tz=datetime.UTC)
    said = f"{now:%Y-%m-%d %H:%M} UTC, {os.cpu_count()} cores, load {load}"
    print(f"{said}, Python {platform.python_version()}\n", flush=True)
    tapes = {size: _loaded(size) for size in sizes}
    _appends(tapes)
    _windows(tapes)
    _searches(tapes)
    _writers()
    _verifies(tapes)


def _loaded(size: int) -> int:
    started = time.perf_counter()
    tape_id = tape_rows.fill(f"bench/{size}", size)
    loaded = time.perf_counter()
    sealed, memory = grown(lambda: search_index.seal(tape_id))
    seconds = time.perf_counter() - loaded
    room = tape_rows.sizes(tape_id)
    print(
        f"{size:,} entries: loaded in {loaded - started:.0f} s; {sealed:,} sealed for search in"
        f" {seconds:.0f} s, {memory} MB; index {room.index / size:.0f} bytes an entry beside"
        f" {room.entries / size:.0f}",
        flush=True,
    )
    return tape_id


def _appends(tapes: dict[int, int]) -> None:
    print("\n| commit | entries a call | on a tape of | bare INSERT | function | store.append |")
    print("|---|---|---|---|---|---|")
    for commit in ("off", "on"):
        tape_rows.synchronous(commit)
        for at_once in (1, 20):
            for size, tape_id in tapes.items():
                _append_row(commit, at_once, size, tape_id)
    tape_rows.synchronous("off")


def _append_row(commit: str, at_once: int, size: int, tape_id: int) -> None:
    calls = 200 if at_once == 1 else 40
    new = [tape_rows.entry(size + n) for n in range(at_once)]
    written_as = [rows.row(one) for one in new]
    bare = tape_rows.Bare(tape_id, at_once)
    ways: list[Callable[[], object]] = [
        bare.insert,
        lambda: rows.write((tape_id, None, None, None), written_as),
        lambda: store.append(tape_id, new),
    ]
    rates: list[list[float]] = [[], [], []]
    for _ in range(ROUNDS):
        for rate, way in zip(rates, ways, strict=True):
            started = time.perf_counter()
            for _ in range(calls):
                way()
            rate.append(calls * at_once / (time.perf_counter() - started))
    base = statistics.median(rates[0])
    cells = [f"{statistics.median(rate):,.0f} ({_spread(rate)})" for rate in rates]
    cells[1:] = [
        f"{cell}, {statistics.median(rate) / base:.2f}"
        for cell, rate in zip(cells[1:], rates[1:], strict=True)
    ]
    print(f"| {commit} | {at_once} | {size:,} | {' | '.join(cells)} |", flush=True)


def _windows(tapes: dict[int, int]) -> None:
    print("\n| default window of 40 entries on | median | spread | memory |\n|---|---|---|---|")
    for tape_id in tapes.values():
        store.handoff(tape_id, "phase/window")
        store.append(tape_id, [tape_rows.entry(100 + n) for n in range(39)])
    times: dict[int, list[float]] = {size: [] for size in tapes}
    memory = dict.fromkeys(tapes, 0)
    for _ in range(ROUNDS):
        for size, tape_id in tapes.items():
            taken, memory[size] = grown(partial(_window_times, tape_id))
            times[size] += taken
    for size, taken in times.items():
        print(f"| {size:,} | {_ms(taken)} | {_spread_ms(taken)} | {memory[size]} MB |", flush=True)


def _window_times(tape_id: int) -> list[float]:
    return _times(lambda: views.read(tape_id, views.View.last_anchor()), 100)


def _searches(tapes: dict[int, int]) -> None:
    print(
        "\n| search for | on | hits | first | median | spread | memory |\n|---|---|---|---|---|---|---|"
    )
    for size, tape_id in tapes.items():
        search_index.seal(tape_id)
        for what, query in QUERIES.items():
            (hits, first, taken), memory = grown(partial(_searched, tape_id, query))
            print(
                f"| {what} | {size:,} | {hits} | {first * 1000:.0f} ms | {_ms(taken)}"
                f" | {_spread_ms(taken)} | {memory} MB |",
                flush=True,
            )


def _searched(tape_id: int, query: str) -> tuple[str, float, list[float]]:
    started = time.perf_counter()
    found = search.search(tape_id, query, readable=())
    first = time.perf_counter() - started
    tiers = [hit.tier for hit in found.hits]
    hits = ", ".join(f"{tiers.count(tier)} {tier}" for tier in dict.fromkeys(tiers)) or "none"
    return hits, first, _times(lambda: search.search(tape_id, query, readable=()), 30)


def _writers() -> None:
    print("\n| 8 processes, one entry a call | entries a second | spread |\n|---|---|---|")
    for what, count in (("one tape", 1), ("eight tapes", 8)):
        rates = [tape_rows.written_by_eight(f"writers/{count}/{n}", count) for n in range(ROUNDS)]
        print(f"| {what} | {statistics.median(rates):,.0f} | {_spread(rates)} |", flush=True)


def _verifies(tapes: dict[int, int]) -> None:
    print("\n| verify of | seconds | entries a second | memory |\n|---|---|---|---|")
    for size, tape_id in tapes.items():
        started = time.perf_counter()
        verdict, memory = grown(partial(verify.verify, tape_id))
        seconds = time.perf_counter() - started
        head = Tape.objects.get(id=tape_id).head
        state = "" if verdict.ok and verdict.entries == head else f" NOT OK: {verdict.reason}"
        rate = head / seconds
        print(f"| {size:,}{state} | {seconds:.1f} | {rate:,.0f} | {memory} MB |", flush=True)


def _times(work: Callable[[], object], count: int) -> list[float]:
    taken = []
    for _ in range(count):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return taken


def _ms(taken: Sequence[float]) -> str:
    return f"{statistics.median(taken) * 1000:.1f} ms"


def _spread_ms(taken: Sequence[float]) -> str:
    """The middle half."""
    low, _, high = statistics.quantiles(taken)
    return f"{low * 1000:.1f}–{high * 1000:.1f}"


def _spread(rates: Sequence[float]) -> str:
    return f"{min(rates):,.0f}–{max(rates):,.0f}"
