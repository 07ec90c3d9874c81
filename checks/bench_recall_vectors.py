"""Measures how the nearest topics are found among many vectors: all of them, and one in a hundred that may be seen."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from bench_tape import database

if TYPE_CHECKING:
    from recall_rows import Company

    from kb_agent.accounts.models import User

QUESTIONS = 25


def main() -> int:
    """Print a table in Markdown; data lives in a temporary folder. A size may be named."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
    with database():
        import recall_rows  # noqa: PLC0415 - needs Django

        began = time.monotonic()
        company = recall_rows.company(size)
        print(f"{size} topics written and their index made in {time.monotonic() - began:.0f} s\n")
        print("| who asks | how | of the nearest 40 found | of the nearest 5 | median | slowest |")
        print("|---|---|---|---|---|---|")
        for name, owner in (("sees 1 %", company.little), ("sees 99 %", company.much)):
            for ordered in (False, True):
                report(company, name, owner, ordered=ordered)
    return 0


def report(company: Company, name: str, owner: User, *, ordered: bool) -> None:
    """A row of the table: one person's questions, by comparing all or by walking the index."""
    from kb_agent.repositories.recall import spaces  # noqa: PLC0415
    from topics import access, recalling  # noqa: PLC0415

    # What the product takes for this person is by its own limit; here each way is taken in turn.
    limit, spaces.ORDERED_FROM = spaces.ORDERED_FROM, 0 if ordered else sys.maxsize
    mine = recalling.recallable(access.known_to(owner, frozenset()), frozenset())
    shares: dict[int, list[float]] = {spaces.NEAREST: [], 5: []}
    seconds = []
    for asked in company.questions(QUESTIONS):
        began = time.monotonic()
        near = spaces.nearest(company.space, asked, mine, "en")
        seconds.append(time.monotonic() - began)
        best = [topic for topic, _ in sorted(near, key=lambda one: -one[1])]
        for count, found in shares.items():
            right = company.exact(asked, owner, count)
            found.append(len(right & set(best[:count])) / len(right))
    taken = (mine.count() > limit) == ordered
    spaces.ORDERED_FROM = limit
    how = (
        f"{'index walked' if ordered else 'all compared'}{', as the product does' if taken else ''}"
    )
    figures = " | ".join(f"{sum(found) / len(found):.3f}" for found in shares.values())
    middle = sorted(seconds)[len(seconds) // 2] * 1000
    print(f"| {name} | {how} | {figures} | {middle:.0f} ms | {max(seconds) * 1000:.0f} ms |")


if __name__ == "__main__":
    sys.exit(main())
