#!/usr/bin/env python3
"""What plain search finds, to compare with: BM25, or counting keywords, over windows of 50 lines.

    python baselines.py bm25|counting REPOSITORIES QUESTIONS.jsonl RESULTS.jsonl

Identifiers are split, words lower-cased, Chinese cut into bigrams; no stems, no roles, no vocabulary.
Words that stand in more than a tenth of the windows are left out.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

WINDOW, LARGEST, PLACES = 50, 1_500_000, 60
K1, B = 1.2, 0.75
COMMON, LONGEST = 0.1, 200
TEXT = re.compile(r"\.(py|html|js|ts|vue|xml|rst|md|txt|ya?ml|sql|json|cfg|toml)$")
LEFT_OUT = re.compile(r"(^|/)(tests?|migrations|locale|static|static\.dist|node_modules)/|\.min\.")
TOKEN = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[\u3400-\u9fff]+")
Place = tuple[str, str, int, int]


def terms(text: str) -> Iterator[str]:
    """Lower-case words and parts of names; bigrams of Chinese."""
    for token in TOKEN.findall(text):
        if token > "\u33ff":
            yield from (token[i : i + 2] for i in range(max(1, len(token) - 1)))
        elif len(token) > 1:
            yield token.lower()


def windows(folder: Path) -> Iterator[tuple[Place, Counter[str]]]:
    """Every window of every text file of every repository."""
    for repository in sorted(folder.glob("*.git")):
        git = ["git", "-C", str(repository)]
        listed = subprocess.run([*git, "ls-tree", "-rlz", "HEAD"], capture_output=True, check=True).stdout
        for line in listed.decode(errors="replace").split("\0")[:-1]:
            head, path = line.split("\t", 1)
            sha, size = head.split()[2:4]
            if TEXT.search(path) and not LEFT_OUT.search(path) and int(size) <= LARGEST:
                data = subprocess.run([*git, "cat-file", "blob", sha], capture_output=True, check=True).stdout
                lines = data.decode(errors="replace").split("\n")
                for start in range(0, len(lines), WINDOW):
                    some = [line[:LONGEST] for line in lines[start : start + WINDOW]]
                    yield (repository.stem, path, start + 1, start + len(some)), Counter(terms("\n".join(some)))


def main() -> None:
    if len(sys.argv) != 5 or sys.argv[1] not in {"bm25", "counting"}:
        sys.exit(__doc__)
    variant, folder, questions, results = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4])
    asked = [json.loads(line) for line in questions.read_text("utf-8").splitlines() if line.strip()]
    wanted = {term for row in asked for term in terms(row["question"])}
    places: list[Place] = []
    lengths: list[int] = []
    postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place, counted in windows(folder):
        for term in counted.keys() & wanted:
            postings[term].append((len(places), counted[term]))
        places.append(place)
        lengths.append(counted.total())
    mean = sum(lengths) / len(lengths)
    with results.open("w", encoding="utf-8") as out:
        for row in asked:
            score: Counter[int] = Counter()
            for term in set(terms(row["question"])):
                rows = postings.get(term, [])
                if len(rows) > COMMON * len(places):
                    continue
                rarity = math.log(1 + (len(places) - len(rows) + 0.5) / (len(rows) + 0.5))
                for number, times in rows:
                    norm = K1 * (1 - B + B * lengths[number] / mean)
                    score[number] += rarity * times * (K1 + 1) / (times + norm) if variant == "bm25" else 1
            best = sorted(score, key=lambda number: (-score[number], number))[:PLACES]
            found = [dict(zip(("repo", "path", "start_line", "end_line"), places[n], strict=True)) for n in best]
            out.write(json.dumps({"id": row["id"], "results": found}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
