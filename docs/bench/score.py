#!/usr/bin/env python3
"""Score how well a search finds the code that answers business questions.

    python score.py QUESTIONS.jsonl RESULTS.jsonl

A line of QUESTIONS: id, lang, kind, question, repo, gold [{repo, path, symbol, start_line, end_line}],
also_ok [{repo, path}], answer, key_points.
A line of RESULTS: id, results [{repo, path, start_line, end_line}], best first, lines 1-based and inclusive.

A file counts once, at its best place. Printed per language and in all:
  repo@1   the first result is in the right repository          file@k  a gold or accepted file is among the first k files
  mrr      1/place of the first gold or accepted file, to 10    span@10 one of the first 10 results overlaps a gold range
  all@10   every gold file is among the first 10 files
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict


def read_lines(path: str) -> dict[str, dict]:
    with open(path, encoding="utf-8") as lines:
        return {row["id"]: row for row in map(json.loads, filter(str.strip, lines))}


def measure(question: dict, results: list[dict]) -> dict[str, float]:
    gold = {(g["repo"], g["path"]) for g in question["gold"]}
    accepted = gold | {(a["repo"], a["path"]) for a in question["also_ok"]}
    files = list(dict.fromkeys((r["repo"], r["path"]) for r in results))
    place = next((i for i, file in enumerate(files[:10], 1) if file in accepted), None)
    overlaps = any(
        r["repo"] == g["repo"]
        and r["path"] == g["path"]
        and r["start_line"] <= g["end_line"]
        and g["start_line"] <= r["end_line"]
        for r in results[:10]
        for g in question["gold"]
    )
    return {
        "repo@1": bool(files) and files[0][0] in {g["repo"] for g in question["gold"]},
        "file@1": place == 1,
        "file@5": place is not None and place <= 5,
        "file@10": place is not None,
        "mrr": 1 / place if place else 0.0,
        "span@10": overlaps,
        "all@10": gold <= set(files[:10]),
    }


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    questions, answers = read_lines(sys.argv[1]), read_lines(sys.argv[2])
    groups: dict[str, list[dict[str, float]]] = defaultdict(list)
    for id_, question in questions.items():
        figures = measure(question, answers.get(id_, {}).get("results", []))
        groups[question["lang"]].append(figures)
        groups["all"].append(figures)
    names = list(groups["all"][0])
    print(f"{'':5}{'n':>5}" + "".join(f"{name:>9}" for name in names))
    for lang in sorted(groups, key=lambda g: (g == "all", g)):
        rows = groups[lang]
        print(
            f"{lang:5}{len(rows):5}"
            + "".join(f"{sum(r[n] for r in rows) / len(rows):9.3f}" for n in names)
        )
    missing = len(questions.keys() - answers.keys())
    if missing:
        print(f"{missing} questions have no line in RESULTS and count as found nothing")


if __name__ == "__main__":
    main()
