"""How long the list of topics takes: for a member and an auditor, as people type, beside `icontains`."""

from __future__ import annotations

import os
import sys
import time
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import topic_rows
from django.db import connection, connections
from django.db.models import Exists, OuterRef, Q

from kb_agent.repositories.models import Repository
from kb_agent.usecases import topic_list
from kb_agent.usecases.access import Access
from kb_agent.usecases.topic_list import Wanted
from tapes.models import Entry
from topics.models import Topic, Turn
from topics.models.finding import TopicTerm, TopicWords

if TYPE_CHECKING:
    from collections.abc import Callable

    from kb_agent.accounts.models import User

ROUNDS = 15
SEARCHES = {
    "two characters, in most topics": "退款",
    "one character": "锁",
    "four characters": "退款失败",
    "the same, traditional": "退款失敗",
    "a rare phrase": "海关申报",
    "two words": "退款 coupon",
    "two rare words": "海关 zylophone",
    "three letters as typed": "ref",
    "one letter as typed": "r",
    "a word in English": "invoice",
    "a misspelt word": "zylophnoe",
    "a misspelt phrase": "海关申抱",
    "what nothing holds": "鲸鱼",
}


TOTALS = {"all": Wanted(), "退款": Wanted(q="退款")}


def report(size: int) -> None:
    """Found the company and print what takes how long."""
    measure(*load(size))


def load(size: int) -> tuple[User, User]:
    """Found the company; return a member and an auditor."""
    started = time.perf_counter()
    member, auditor = topic_rows.company(size)
    print(f"{size} topics made in {time.perf_counter() - started:.0f} s", file=sys.stderr)
    with connections["owner"].cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return member, auditor


def measure(member: User, auditor: User) -> None:
    """Print what takes how long for these two, and how much of that processors were busy with it."""
    _sizes()
    readers = {"member": member, "auditor": auditor}
    told = " | ".join(f"{name}, median (slowest), processor ms" for name in readers)
    print(f"\n| list | {told} |")
    print("|---|" + "---|" * len(readers))
    for name, wanted in _lists().items():
        print(f"| {name} | " + " | ".join(_page(each, wanted) for each in readers.values()) + " |")
    for name, wanted in TOTALS.items():
        times = " | ".join(_totals(each, wanted) for each in readers.values())
        print(f"| totals of {name} | {times} |")
    print("\n| search | found by | " + " | ".join(readers) + " | `icontains`, member |")
    print("|---|---|" + "---|" * (len(readers) + 1))
    for name, q in SEARCHES.items():
        times = " | ".join(_page(each, Wanted(q=q)) for each in readers.values())
        print(f"| {name} | {q} | {times} | {_naive(member, q)} |")


def _lists() -> dict[str, Wanted]:
    repository = Repository.objects.get(name="r7").pk
    since = topic_rows.NOW - timedelta(days=30)
    return {
        "first page": Wanted(),
        "mine": Wanted(whose="mine"),
        "open to the company": Wanted(whose="company"),
        "open topics": Wanted(status="open"),
        "one repository": Wanted(repository=repository),
        "last 30 days": Wanted(since=since),
        "cost of 4.9 or more": Wanted(cost_at_least=Decimal("4.9")),
        "price unknown": Wanted(unpriced=True),
        "one repository and 退款": Wanted(q="退款", repository=repository),
    }


def _page(user: User, wanted: Wanted) -> str:
    return _timed(lambda: topic_list.page(user, wanted), ROUNDS)


def _totals(user: User, wanted: Wanted) -> str:
    return _timed(lambda: topic_list.totals(user, wanted), ROUNDS)


def _naive(user: User, q: str) -> str:
    """What the same costs without an index of words, titles, questions and answers alike."""

    def look() -> None:
        found = Access(user).topics().order_by("-last_activity_at", "-pk")
        for word in q.split():
            said = Turn.objects.filter(topic=OuterRef("pk")).filter(
                Exists(
                    Entry.objects.filter(
                        Q(seq=OuterRef("question_seq")) | Q(seq=OuterRef("answer_seq")),
                        tape=OuterRef("tape"),
                        payload_text__icontains=word,
                    )
                )
            )
            found = found.filter(Q(title__icontains=word) | Q(Exists(said)))
        list(found[:31])

    return _timed(look, 1)


def _timed(act: Callable[[], object], rounds: int) -> str:
    if rounds > 1:
        act()
    busy, took = _busy(), []
    for _ in range(rounds):
        started = time.perf_counter()
        act()
        took.append(1000 * (time.perf_counter() - started))
    if rounds == 1:
        return f"{took[0]:.0f}"
    return f"{median(took):.0f} ({max(took):.0f}), {(_busy() - busy) / rounds:.0f}"


def _busy() -> float:
    """Milliseconds that processors gave this process and its server process, whoever else they serve."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    said = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = (int(said[11]) + int(said[12])) / os.sysconf("SC_CLK_TCK")
    return 1000 * (time.process_time() + ticks)


def _sizes() -> None:
    without = Topic.objects.filter(~Exists(TopicWords.objects.filter(topic=OuterRef("pk"))))
    print(f"topics without words: {without.count()}")
    with connection.cursor() as cursor:
        for model in (Topic, TopicWords, TopicTerm):
            table = model._meta.db_table  # noqa: SLF001 — Django's documented way to a table's name
            cursor.execute("SELECT pg_table_size(%s), pg_indexes_size(%s)", [table, table])
            of_rows, of_indexes = cursor.fetchone()
            rows = model.objects.count()
            print(f"{table}: {rows} rows, {of_rows >> 20} MB, indexes {of_indexes >> 20} MB")
