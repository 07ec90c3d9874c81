"""T19: after an erasure no store holds the words: database, Redis, archive; and all goes on working.

The write-ahead log and backups of the database lie outside: they keep what they kept until their
own end (docs/tapes.md).
"""

from __future__ import annotations

import gzip
import io
import json
import re
import subprocess
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import redis
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connections

from kb_agent import live
from kb_agent.accounts.models import Audit
from kb_agent.launcher import folders
from kb_agent.llm import scripted
from kb_agent.llm.script import calls, says
from kb_agent.repositories.models import Repository
from kb_agent.usecases import entries as entry_cases
from kb_agent.usecases import seen
from kb_agent.usecases import topics as topic_cases
from tapes import erasure, search, store, views
from tapes.search import index as search_index
from tapes.stores import archiving
from tapes.views import View
from tests.topics import acting
from topics import lifecycle, rebuild
from topics.models import Topic

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

    from kb_agent.accounts.models import User
    from tapes.erasures import Erased
    from tests.agent.conftest import Ask, Model, Run

WORDS = ("zebrafish", "紫色长颈鹿")
QUESTION = f"退款失败后 {WORDS[0]} 会自动重试吗？{WORDS[1]}呢？"
ANSWER = f"{WORDS[1]}会重试三次，{WORDS[0]} 不会。[e1]"
_HEX = re.compile(rb"\\\\x((?:[0-9a-f]{2}){4,})")


@pytest.fixture
def archive(settings: SettingsWrapper, tmp_path: Path) -> Path:
    """The archive's folder, this test's own."""
    folder = tmp_path / "archive"
    settings.TAPES_ARCHIVE = {**settings.TAPES_ARCHIVE, "url": folder.as_uri()}
    return folder


@pytest.fixture
def finished(shop: object, topic: Topic, ask: Ask, run: Run, model: Model) -> Topic:
    """A topic whose question, calls, results, answer, title, summary and hooks hold the words."""
    first = calls("search_code", queries=[f"退款 重试 {WORDS[0]}"])
    with scripted.serve(first, says(ANSWER)) as server:
        model(server)
        turn = run(ask(QUESTION))
    live.text(turn.pk, 2, 0, ANSWER, sources=[])
    lifecycle.rename(topic.pk, title=f"{WORDS[1]}的退款", actor="system")
    done = lifecycle.finalize(topic.pk, reason="owner", actor="system")
    Topic.objects.filter(pk=done.pk).update(summary=f"关于 {WORDS[0]}")
    return Topic.objects.get(pk=done.pk)


@pytest.fixture
def continued(finished: Topic, mei: User) -> Topic:
    """A topic on another tape, which begins with a note of the first one."""
    tape = store.create("continued")
    more: dict[str, Any] = {"title": "后来呢", "actor": "system", "continues": finished.pk}
    return lifecycle.start(tape_id=tape.pk, owner_id=mei.pk, **more)


def erase(topic: Topic, *, first: int = 1, last: int | None = None) -> dict[str, Any]:
    """By the command, to the end of the tape where nothing else is said."""
    tape = store.get(topic.tape_id)
    out = io.StringIO()
    span = ["--from", str(first), "--to", str(last or tape.head)]
    call_command("tape", "erase", tape.name, *span, "--reason", "law", "--json", stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def dump() -> bytes:
    """The whole database as text, and what its bytes say."""
    connections["owner"].close()
    said = connections["owner"].settings_dict
    place = ("-h", said["HOST"], "-U", said["USER"], said["NAME"])
    command = [str(folders.programs(None) / "pg_dump"), "--data-only", *place]
    text = subprocess.run(command, check=True, capture_output=True).stdout
    blobs = [bytes.fromhex(found.decode()) for found in _HEX.findall(text)]
    return b"\n".join([text, *blobs, *map(unpacked, blobs)])


def unpacked(blob: bytes) -> bytes:
    """What a packed value says; nothing for one that is not packed."""
    try:
        return zlib.decompress(blob)
    except zlib.error:
        return b""


def redis_dump() -> bytes:
    """Everything in Redis, keys and values as its own serialization keeps them."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        keys = list(client.scan_iter())
        lists = [key for key in keys if client.type(key) == b"list"]
        values = [value for key in lists for value in client.lrange(key, 0, -1)]
        rest = [client.get(key) or b"" for key in keys if client.type(key) == b"string"]
    return b"\n".join([*keys, *values, *rest])


def files(folder: Path) -> bytes:
    """Every file of the archive, unpacked."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return b"".join(
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for path in found
    )


def hits(topic: Topic) -> list[int]:
    """Entries of the topic's tape that search finds for the words."""
    readable = Repository.objects.values_list("pk", flat=True)
    found = search.search(topic.tape_id, WORDS[0], readable=readable).hits
    return [hit.seq for hit in found]


def held(data: bytes) -> list[str]:
    """Which of the words are in it, however JSON spells them."""
    return [
        word
        for word in WORDS
        if word.encode() in data.lower() or json.dumps(word)[1:-1].encode() in data
    ]


def test_T19_a_dump_of_database_redis_and_archive_holds_no_trace_of_the_words(
    finished: Topic, continued: Topic, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_index, "SMALLEST", 1)
    for topic in (finished, continued):
        assert search_index.seal(topic.tape_id)
        assert hits(topic)
    store.close(finished.tape_id, why="over")
    archiving.copy(finished.tape_id)
    (archive / "tapes" / str(finished.tape_id) / "torn").mkdir()
    (archive / "tapes" / str(finished.tape_id) / "torn" / "000001.jsonl").write_text(ANSWER)
    assert held(dump()) == held(redis_dump()) == held(files(archive)) == list(WORDS)
    said = erase(finished)
    assert held(dump()) == held(redis_dump()) == held(files(archive)) == []
    assert hits(finished) == hits(continued) == []
    assert said["live"]
    assert said["archived"] == [finished.tape_id]
    assert [place[0] for place in said["elsewhere"]] == [continued.tape_id]
    out = io.StringIO()
    call_command("tape", "verify", store.get(finished.tape_id).name, "--json", stdout=out)
    verdict = json.loads(out.getvalue())
    assert (verdict["ok"], verdict["erased"]) == (True, [[1, said["last"]]])
    assert archiving.copy(finished.tape_id).left_at is None


def test_T19_erasing_the_question_takes_titles_summaries_and_recalls_along(
    finished: Topic, continued: Topic
) -> None:
    (turn,) = finished.turns.all()
    said = erase(finished, first=turn.question_seq, last=turn.question_seq)
    row = Topic.objects.get(pk=finished.pk)
    assert (row.title, row.summary) == ("[erased]", "[erased]")
    assert said["topics"] == [finished.pk]
    assert Topic.objects.get(pk=continued.pk).title == "后来呢"
    (note,) = [one for one in views.anchors(continued.tape_id) if one.name == "recall_anchor"]
    assert (note.state or {})["text"] == "[erased]"


def test_T19_a_note_written_elsewhere_while_the_words_are_taken_away_loses_them_too(
    finished: Topic, mei: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tape = store.create("later")
    words_gone = erasure.erase

    def goes_on() -> None:
        more: dict[str, Any] = {"title": "然后", "actor": "system", "continues": finished.pk}
        lifecycle.start(tape_id=tape.pk, owner_id=mei.pk, **more)

    def erase_meanwhile(*place: int, **said: Any) -> Erased:
        if not Topic.objects.filter(tape=tape).exists():
            assert acting.at_once(goes_on) == [None]
        return words_gone(*place, **said)

    monkeypatch.setattr(erasure, "erase", erase_meanwhile)
    said = erase(finished)
    (note,) = [one for one in views.anchors(tape.pk) if one.name == "recall_anchor"]
    assert (note.state or {})["text"] == "[erased]"
    assert said["elsewhere"] == [[tape.pk, note.seq, note.seq]]


def test_T19_it_names_the_turns_that_were_shown_the_words(
    topic: Topic, shop: object, ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve(says("会。"), says("不会。")) as server:
        model(server)
        first, second = run(ask(QUESTION)), run(ask("为什么？"))
    said = erase(topic, first=first.question_seq, last=first.question_seq)
    assert said["shown_to"] == [first.pk, second.pk]


def test_T19_pages_and_rebuilt_topics_show_erased_words_and_fail_at_nothing(
    finished: Topic, mei: User
) -> None:
    erase(finished)
    assert topic_cases.show(mei, finished.pk)["title"] == "[erased]"
    first, second = seen.show(mei, finished.turns.get().pk)
    assert (first.proven, second.proven) == (False, False)
    assert [one.content for one in first.messages if one.role == "user"] == ["[erased]"]
    shown = entry_cases.of_topic(mei, finished.pk).results
    said = [one.payload["content"] for one in shown if one.kind == "message" and one.payload]
    assert said == ["[erased]", "[erased]"]
    before = vars(Topic.objects.get(pk=finished.pk))
    rebuild.of_tape(finished.tape_id)
    after = vars(Topic.objects.get(pk=finished.pk))
    ignored = {"_state", "summary", "last_activity_at"}
    assert {key: after[key] for key in after.keys() - ignored} == {
        key: before[key] for key in before.keys() - ignored
    }


def test_T19_a_new_topic_continues_an_erased_one(finished: Topic, mei: User) -> None:
    erase(finished)
    tape = store.create("later")
    lifecycle.start(
        tape_id=tape.pk, owner_id=mei.pk, title="然后", actor="system", continues=finished.pk
    )
    (note,) = [one for one in views.anchors(tape.pk) if one.name == "recall_anchor"]
    assert "[erased]" in (note.state or {})["text"]


def test_T19_while_a_question_waits_nothing_is_erased(topic: Topic, ask: Ask) -> None:
    turn = ask(QUESTION)
    with pytest.raises(CommandError, match="turn_open"):
        erase(topic)
    (question,) = views.read(topic.tape_id, View.seqs(turn.question_seq, turn.question_seq))
    assert question.payload["content"] == QUESTION


def test_T19_an_unknown_tape_and_a_reversed_range_are_refused_by_name(finished: Topic) -> None:
    with pytest.raises(CommandError, match="invalid_range"):
        erase(finished, first=5, last=4)
    with pytest.raises(CommandError, match="invalid_range"):
        erase(finished, first=1, last=10**15)
    with pytest.raises(CommandError, match="unknown_tape"):
        call_command("tape", "erase", "nowhere", "--from", "1", "--to", "1", "--reason", "law")
    with pytest.raises(CommandError, match="not_found"):
        call_command(
            *("tape", "erase", store.get(finished.tape_id).name, "--from", "1", "--to", "1"),
            *("--reason", "law", "--by", "nobody"),
        )


def test_T19_an_archive_that_does_not_answer_is_written_anew_when_it_is_run_again(
    finished: Topic, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.close(finished.tape_id, why="over")
    archiving.copy(finished.tape_id)
    archive.rename(archive.with_name("away"))
    archive.write_text("in the way")
    with pytest.raises(CommandError, match="archive_unreachable"):
        erase(finished)
    archive.unlink()
    archive.with_name("away").rename(archive)
    assert held(dump()) == []
    assert held(files(archive)) == list(WORDS)
    assert erase(finished)["archived"] == [finished.tape_id]
    assert held(files(archive)) == []


def test_C10_an_erasure_leaves_an_audit_line_with_who_and_what(finished: Topic, mei: User) -> None:
    tape = store.get(finished.tape_id)
    call_command(
        *("tape", "erase", tape.name, "--from", "2", "--to", "3"),
        *("--reason", "law", "--by", mei.username),
        stdout=io.StringIO(),
    )
    lines = Audit.objects.filter(action="tape_erased", object=f"tape:{tape.pk}").order_by("pk")
    assert lines[0].actor == mei
    assert lines[0].details["first_seq"] == 2
