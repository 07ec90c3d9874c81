"""T14: tapes to and from bub's JSONL, equal object by object, or not at all and why."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tapes import entries, exact_text, forks, jsonl, store, transfer, verify, views
from tapes.views import View
from tests.tapes import bub

if TYPE_CHECKING:
    from pathlib import Path

    from tapes.jsonl import Report
    from tapes.models import Tape


def line(number: int, **other: Any) -> dict[str, Any]:
    payload = {"name": f"event {number}"}
    date = f"2026-01-02T03:04:05.{number:06}+00:00"
    return {"id": number, "kind": "event", "payload": payload, "meta": {}, "date": date} | other


def text(*objects: dict[str, Any] | bytes) -> bytes:
    return b"".join(
        one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in objects
    )


def load(data: bytes, name: str = "imported", *, skip_bad: bool = False) -> tuple[Tape, Report]:
    return transfer.load(io.BytesIO(data), name, skip_bad=skip_bad)


def exported(tape: Tape | int, *, everything: bool = False) -> list[dict[str, Any]]:
    out = io.BytesIO()
    tape_id = tape if isinstance(tape, int) else tape.id
    transfer.export(tape_id, out, everything=everything)
    return [json.loads(one) for one in out.getvalue().decode().split("\n") if one]


@pytest.mark.parametrize("file", ["bub-0.5.1.jsonl", "bub-0.2.3.jsonl"])
def test_T14_an_export_of_an_import_of_bubs_tape_is_equal_object_by_object(file: str) -> None:
    tape_id = bub.recorded("bub", file)
    assert exported(tape_id) == bub.lines(file)
    assert verify.verify(tape_id).ok


def test_T14_the_newest_form_comes_back_byte_by_byte() -> None:
    out = io.BytesIO()
    transfer.export(bub.recorded("bub", "bub-0.5.1.jsonl"), out)
    assert out.getvalue() == (bub.DATA / "bub-0.5.1.jsonl").read_bytes()


def test_T14_older_lines_keep_their_moment_and_are_read_without_call_content() -> None:
    found = views.read(bub.recorded("old", "bub-0.2.3.jsonl"), View.seqs())
    assert found[0].date.timestamp() == pytest.approx(1796031040.2111313, abs=1e-6)
    assert "content" not in found[3].payload


def test_T14_an_import_is_its_file_and_no_more_and_the_tape_goes_on_from_there() -> None:
    tape, report = load(text(line(1), line(2)))
    assert (tape.head, tape.imported_head, report.entries) == (2, 2, 2)
    assert [entry.actor for entry in views.read(tape.id, View.seqs())] == ["import"] * 2
    (after,) = store.append(tape.id, [entries.event("after")])
    assert after.seq == 3
    assert verify.verify(tape.id).ok
    with pytest.raises(store.InvalidEntry):
        store.load("nothing", [])


def test_T14_a_tape_of_our_own_comes_back_equal_with_its_story_of_forks(tape: Tape) -> None:
    for close in (forks.merge, forks.discard):
        fork = forks.open(tape.id)
        store.append(tape.id, [entries.message("user", '退款 "q" \u2028 😀 \\u0000')], fork=fork)
        close(fork)
    store.append(tape.id, [entries.anchor("phase/two", {"n": 1.5}, why="said why")])
    ours = exported(tape)
    assert [one["id"] for one in ours] == [1, 2, 3, 5, 6]
    again, report = load(text(*ours))
    assert list(report.renumbered) == [(5, 4, 2)]
    kept = [{**one, "id": seq} for seq, one in enumerate(ours, 1)]
    assert exported(again) == kept
    assert verify.verify(again.id).ok


def test_T14_all_adds_forks_that_were_not_merged_and_names_them(tape: Tape) -> None:
    fork = forks.open(tape.id)
    store.append(tape.id, [entries.event("aside")], fork=fork)
    assert len(exported(tape)) == 1
    whole = exported(tape, everything=True)
    assert [one.get("fork") for one in whole] == [None, {"id": fork.id, "state": "open"}]
    with pytest.raises(jsonl.BadLine, match="line 2: it belongs to a fork that was not merged"):
        load(text(*whole))


def test_T14_what_lines_say_otherwise_is_said_again() -> None:
    odd = [
        line(1, date="2026-01-02T11:04:05+08:00", run="r1"),
        line(2, date="2026-01-02 03:04:05"),
        line(3, timestamp=3.5),
        {key: value for key, value in line(4, timestamp=7).items() if key != "date"},
    ]
    tape, _ = load(text(*odd))
    assert exported(tape) == odd
    dates = [entry.date.isoformat() for entry in views.read(tape.id, View.seqs())]
    assert dates[:2] == ["2026-01-02T03:04:05+00:00"] * 2


def test_T14_ids_that_are_not_1_to_n_or_collide_are_renumbered_and_listed() -> None:
    tape, report = load(text(line(1), line(5), line(6), line(6), line(2)))
    assert [one["id"] for one in exported(tape)] == [1, 2, 3, 4, 5]
    assert list(report.renumbered) == [(5, 2, 2), (6, 4, 1), (2, 5, 1)]


def test_T14_a_torn_last_line_is_reported_and_dropped() -> None:
    for torn in (b'{"id": 3, "kind": "ev', b'{"id": 3, "kind": "\xe9', b"\0\0\0"):
        tape, report = load(text(line(1), line(2), torn), f"torn {torn!r}")
        assert report.torn is not None
        assert report.torn.line == 3
        assert tape.head == 2
    whole, report = load(text(line(1), line(2)).rstrip(b"\n"), "whole")
    assert (whole.head, report.torn) == (2, None)


def test_T14_blank_lines_a_byte_order_mark_and_other_line_ends_are_no_lines_of_their_own() -> None:
    data = b"\xef\xbb\xbf" + text(line(1)).replace(b"\n", b"\r\n") + b"\n  \n" + text(line(2))
    assert load(data)[0].head == 2


NOT_JSON = "not JSON"
BAD: dict[str, tuple[bytes | dict[str, Any], str]] = {
    "garbage": (b"\x89PNG\r\n", NOT_JSON),
    "half a character": (b'{"id": 2, "kind": "\xe9"}\n', NOT_JSON),
    "no object": (b"[1]\n", "it is not an object"),
    "not a number": (b'{"id": NaN}\n', NOT_JSON),
    "deep nesting": (b"[" * 100_000 + b"\n", NOT_JSON),
    "a number of 5,000 digits": (b'{"id": 1' + b"0" * 5_000 + b"}\n", NOT_JSON),
    "a NUL": (line(2, payload={"name": "a\0b"}), "the text holds a NUL character"),
    "lone surrogates": (line(2, meta={"k": "\ud83d"}), "the text holds half of a surrogate pair"),
    "surrogates beside": (line(2, run="\ud83d"), "the text holds half of a surrogate pair"),
    "a kind nobody knows": (line(2, kind="thought"), "unknown kind 'thought'"),
    "no kind": (line(2, kind=None), "it has no kind"),
    "a shape nobody knows": (line(2, kind="message"), "message needs role"),
    "an anchor name of 4 kB": (line(2, kind="anchor", payload={"name": "n" * 4096}), "4096"),
    "an id in words": (line(2, id="2"), "its id is not a whole number"),
    "an id too large": (line(2, id=2**63), "its id is not a whole number"),
    "no payload": (line(2, payload=None), "its payload is not an object"),
    "no meta": (line(2, meta=[]), "its meta is not an object"),
    "no date": (line(2, date=None), "it has neither a date nor a timestamp"),
    "a date in words": (line(2, date="yesterday"), "its date cannot be read"),
    "a moment beyond time": (line(2, date="0001-01-01T00:00:00+08:00"), "its date cannot be read"),
    "more beside than can be kept": (line(2, run="x" * 10_000), "more beside its five keys"),
}


@pytest.mark.parametrize(("bad", "why"), BAD.values(), ids=BAD.keys())
def test_T14_the_first_bad_line_is_named_and_nothing_is_left(
    bad: bytes | dict[str, Any], why: str
) -> None:
    # Enough before it that a part has already gone to the database.
    before = [line(number) for number in range(1, 1002)]
    data = text(*before, bad, line(1002))
    with pytest.raises(jsonl.BadLine, match=f"line 1002: .*{why}") as refusal:
        load(data)
    assert (refusal.value.code, refusal.value.number) == ("bad_line", 1002)
    assert store.find("imported") is None
    tape, report = load(data, skip_bad=True)
    assert (tape.head, report.skipped_count, report.skipped[0].line) == (1002, 1, 1002)


def test_T14_a_payload_of_50_MB_is_named_and_a_longer_line_is_never_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    large = line(2, payload={"name": "x", "data": "x" * exact_text.MAX_BYTES})
    with pytest.raises(jsonl.BadLine, match="line 2: more than 50000000 bytes in one entry"):
        load(text(line(1), large))
    for module in (jsonl, jsonl.lines):
        monkeypatch.setattr(module, "MAX_LINE_BYTES", 1_000)
    long = line(2, payload={"name": "x", "data": "x" * 5_000})
    tape, report = load(text(line(1), long, line(3)), skip_bad=True)
    assert report.skipped[0] == jsonl.Dropped(2, "it is longer than 1000 bytes")
    assert tape.head == 2


def test_T14_a_file_without_entries_and_a_name_in_use_are_named() -> None:
    for data in (b"", b"\n\n", b"torn"):
        with pytest.raises(jsonl.EmptyFile):
            load(data)
    load(text(line(1)))
    with pytest.raises(store.NameTaken):
        load(text(line(1)))


def test_T14_only_an_import_says_when_its_entries_were_written(tape: Tape) -> None:
    place, date = (tape.id, None, None, None), tape.created_at
    with pytest.raises(store.InvalidEntry):
        store.rows.write(place, [store.rows.row(entries.event("x"))], [date])


MEASURED = """
import json, sys
import django
from django.conf import settings
settings.configure(
    DATABASES={"default": json.loads(sys.argv[1])}, INSTALLED_APPS=["tapes"], USE_TZ=True
)
django.setup()
from pathlib import Path
from tapes import transfer

def peak():
    # Not getrusage: its peak is inherited from the process that started this one.
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024

start = peak()
with open(sys.argv[2], "rb") as file:
    tape, report = transfer.load(file, sys.argv[3])
imported = peak()
count = transfer.export_to(tape.id, Path(sys.argv[2] + ".out"))
print(json.dumps([report.entries, count, imported - start, peak() - start]))
"""


@pytest.fixture
def measured(tmp_path: Path) -> Callable[[int], list[int]]:
    """Import and export a file of so many bytes in a process of its own; what it grew by, in MB."""

    def run(size: int) -> list[int]:
        file = tmp_path / f"{size}.jsonl"
        with file.open("wb") as out:
            number = 0
            while out.tell() < size:
                number += 1
                data = {"name": "x", "data": f"第 {number} 条 " + "words and figures " * 50}
                out.write(text(line(number % 10**6, id=number, payload=data)))
        settings = json.dumps(connection.settings_dict)
        command = [sys.executable, "-c", MEASURED, settings, str(file), f"tape of {size}"]
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=170)
        found: list[int] = json.loads(done.stdout)
        assert found[:2] == [number, number]
        return found

    return run


def test_T14_the_memory_of_import_and_export_does_not_grow_with_the_file(
    measured: Callable[[int], list[int]],
) -> None:
    *_, small, both = measured(1_000_000)
    *_, large, both_of_large = measured(16_000_000)
    assert large < small + 16
    assert both_of_large < both + 16


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("tape", *arguments, stdout=out)
    return out.getvalue()


def test_T14_the_command_line_exports_and_imports(tape: Tape, tmp_path: Path) -> None:
    file = tmp_path / "work.jsonl"
    assert "1 entries of work" in run("export", "work", "--out", str(file))
    assert json.loads(run("export", "work", "--out", str(file), "--json"))["entries"] == 1
    with file.open("ab") as out:
        out.write(b'garbage\n{"id": 9')
    with pytest.raises(CommandError, match="bad_line: line 2: not JSON"):
        run("import", str(file), "--name", "copy")
    said = run("import", str(file), "--name", "copy", "--skip-bad")
    assert "1 entries on the new tape copy" in said
    assert "line 2: not JSON" in said
    assert "torn and dropped: line 3" in said
    whole = json.loads(run("import", str(file), "--name", "again", "--skip-bad", "--json"))
    assert (whole["entries"], whole["torn"]["line"], whole["renumbered"]) == (1, 3, [])
    with pytest.raises(CommandError, match="No such file"):
        run("import", str(tmp_path / "nothing"), "--name", "x")
    assert [one.name for one in tmp_path.iterdir()] == ["work.jsonl"]
    assert tape.head == 1
