"""What no tape takes is named and changes nothing, through every door: store, file, HTTP, command line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from kb_agent.management import tape_commands
from tapes import entries, errors, exact_text, store, verify, views
from tapes.entries import NewEntry
from tapes.views import View
from tests.api import company
from tests.api.company import browser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.api.company import Company

LONG = "n" * 4_096
NUL, HALF = "a\0b", "a\ud800b"


@pytest.fixture
def small(committed_database: None) -> Company:
    """A company whose owner has asked one question."""
    return company.founded()


@pytest.fixture(autouse=True)
def _unchanged(small: Company) -> Iterator[None]:
    """Nothing that is refused leaves a trace."""
    tape_id = small.topic.tape_id
    head, tapes = store.get(tape_id).head, len(store.every())
    yield
    assert (store.get(tape_id).head, len(store.every())) == (head, tapes)
    assert verify.verify(tape_id).ok


ENTRIES: dict[str, tuple[NewEntry, str]] = {
    "an unknown kind": (NewEntry(kind="rumour", payload={}), "invalid_entry"),
    "an anchor's name of 4 kB": (entries.anchor(LONG), "invalid_entry"),
    "a NUL byte": (entries.message("user", NUL), "invalid_entry"),
    "a NUL byte in a name": (entries.anchor(NUL), "invalid_entry"),
    "half a surrogate pair": (entries.message("user", HALF), "invalid_entry"),
    "half a pair as a key": (
        NewEntry(kind="message", payload={"role": "user", "content": "", HALF: 1}),
        "invalid_entry",
    ),
    "a number that is none": (entries.event("x", {"n": float("nan")}), "invalid_entry"),
    "what is no JSON": (entries.event("x", {"n": object()}), "invalid_entry"),
    "the wrong shape": (NewEntry(kind="anchor", payload={}), "invalid_entry"),
}


@pytest.mark.parametrize(("entry", "code"), ENTRIES.values(), ids=ENTRIES.keys())
def test_a_store_names_what_it_does_not_take(entry: NewEntry, code: str, small: Company) -> None:
    with pytest.raises(errors.TapeError) as refused:
        store.append(small.topic.tape_id, [entries.message("user", "fine"), entry])
    assert refused.value.code == code


def test_a_payload_of_more_than_50_mb_is_named(small: Company) -> None:
    with pytest.raises(errors.PayloadTooLarge):
        store.append(small.topic.tape_id, [entries.message("user", "x" * exact_text.MAX_BYTES)])


def test_dates_and_seqs_in_reverse_are_named(small: Company) -> None:
    early, late = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)
    for wanted in (lambda: View.dates(late, early), lambda: View.seqs(5, 2)):
        with pytest.raises(errors.InvalidView):
            views.read(small.topic.tape_id, wanted())


def line(**more: Any) -> str:
    """A line of a file, good but for what is said."""
    good = {
        "id": 1,
        "kind": "event",
        "payload": {"name": "x"},
        "meta": {},
        "date": "2026-01-01T00:00:00Z",
    }
    return json.dumps(good | more)


FILES = {
    "garbage": "\x7fELF garbage\n" * 3,
    "no object": "[1, 2]\n",
    "an unknown kind": line(kind="rumour") + "\n",
    "an anchor's name of 4 kB": line(kind="anchor", payload={"name": LONG}) + "\n",
    "a NUL byte": line(payload={"name": "x", "data": {"t": NUL}}) + "\n",
    "half a surrogate pair": line(payload={"name": "x", "data": {"t": HALF}}) + "\n",
    "no date": line(date="yesterday") + "\n",
    "nothing": "",
    "a name that is none": line(payload={"name": 7}) + "\n",
    "a number beyond all": line(id=10**400) + "\n",
    "brackets without end": "[" * 100_000 + "\n",
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_a_file_is_refused_whole_with_its_first_bad_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_bytes((line(id=0) + "\n").encode() * bool(text) + text.encode())
    with pytest.raises(CommandError, match=r"bad_line|empty_file") as refused:
        call_command("tape", "import", str(file), "--name", "imported", stdout=StringIO())
    assert not text or "2" in str(refused.value)


def test_a_file_that_is_not_there_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        call_command("tape", "import", str(tmp_path / "none"), "--name", "x", stdout=StringIO())
    (tmp_path / "binary").write_bytes(bytes(range(128, 256)) + b"\n")
    with pytest.raises(CommandError, match="bad_line"):
        call_command("tape", "import", str(tmp_path / "binary"), "--name", "x", stdout=StringIO())


POSTS: dict[str, tuple[str, dict[str, Any]]] = {
    "handoff, long name": ("handoff", {"name": LONG}),
    "handoff, NUL": ("handoff", {"name": NUL}),
    "handoff, half a pair": ("handoff", {"name": HALF}),
    "handoff, NUL in the state": ("handoff", {"name": "x", "state": {"a": NUL}}),
    "handoff, half a pair in the state": ("handoff", {"name": "x", "state": {HALF: 1}}),
    "handoff, reserved": ("handoff", {"name": "session/start"}),
    "mark, NUL": ("marks", {"name": "x", "seqs": [3], "note": NUL}),
    "mark, half a pair": ("marks", {"name": HALF, "seqs": [3], "note": "x"}),
    "mark, nothing": ("marks", {"name": "x", "seqs": [], "note": "x"}),
    "correction, NUL": ("corrections", {"corrects": 3, "text": NUL}),
    "correction, long": ("corrections", {"corrects": 3, "text": "x" * 20_000}),
    "correction, half a pair": ("corrections", {"corrects": 3, "text": HALF}),
    "side line, NUL": ("forks", {"note": NUL}),
    "reset, half a pair": ("reset", {"why": HALF}),
}


@pytest.mark.parametrize(("path", "body"), POSTS.values(), ids=POSTS.keys())
def test_http_answers_400_with_a_code(path: str, body: dict[str, Any], small: Company) -> None:
    answer = browser(small.owner).post(
        f"/api/tapes/{small.topic.tape_id}/{path}",
        json.dumps(body).encode(),
        content_type="application/json",
    )
    assert answer.status_code == 400, answer.content
    assert answer.json()["error"]["code"]


GETS = {
    "seqs in reverse": "entries?from=5&to=2",
    "a NUL byte": "search?q=%00",
    "a word that is no UTF-8": "search?q=%ff%fe",
    "an unknown kind": "entries?kinds=rumour",
    "a number beyond all": "entries?from=99999999999999999999999",
    "a cursor of somebody else": "entries?cursor=x",
}


@pytest.mark.parametrize("path", GETS.values(), ids=GETS.keys())
def test_http_reading_answers_400_or_finds_nothing(path: str, small: Company) -> None:
    answer = browser(small.owner).get(f"/api/tapes/{small.topic.tape_id}/{path}")
    assert answer.status_code in {200, 400}, answer.content
    if answer.status_code == 200:
        assert answer.json()["results"] == []


COMMANDS: dict[str, tuple[str, ...]] = {
    "handoff, long name": ("handoff", "{name}", LONG),
    "handoff, NUL": ("handoff", "{name}", NUL),
    "handoff, half a pair": ("handoff", "{name}", HALF),
    "handoff, state": ("handoff", "{name}", "x", "--state", '{"a": "\\u0000"}'),
    "mark, half a pair": ("mark", "{name}", "3", "--note", HALF),
    "mark, no such entry": ("mark", "{name}", "9999", "--note", "x"),
    "correct, NUL": ("correct", "{name}", "3", NUL),
    "reset, half a pair": ("reset", "{name}", "--why", HALF),
    "show, in reverse": ("show", "{name}", "--from", "5", "--to", "2"),
    "show, no such anchor": ("show", "{name}", "--after", "nowhere"),
    "info, no such tape": ("info", "nobody"),
    "info, half a pair": ("info", HALF),
    "erase, in reverse": ("erase", "{name}", "--from", "5", "--to", "2", "--reason", "x"),
    "merge, no such fork": ("merge", "{name}", "999"),
    "saw, no such turn": ("saw", "999"),
    "verify, no such tape": ("verify", "nobody"),
    "export, no such tape": ("export", "nobody", "--out", "/nonexistent/x"),
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS.keys())
def test_a_command_says_it_in_one_line(words: tuple[str, ...], small: Company) -> None:
    name = store.get(small.topic.tape_id).name
    with pytest.raises(CommandError, match=r"\w+: ") as refused:
        call_command("tape", *(word.replace("{name}", name) for word in words), stdout=StringIO())
    assert "\n" not in str(refused.value).strip()


@pytest.mark.parametrize("query", [HALF, NUL, "%", "\\", "'"], ids=range(5))
def test_a_search_for_what_no_tape_can_hold_finds_nothing(query: str, small: Company) -> None:
    name, out = store.get(small.topic.tape_id).name, StringIO()
    call_command("tape", "search", name, query, stdout=out)
    assert out.getvalue() == "nothing was found\n"


def test_every_verb_answers_in_json() -> None:
    verbs = {file.stem.rstrip("_") for file in Path(tape_commands.__path__[0]).glob("[a-z]*.py")}
    assert {
        "list",
        "info",
        "show",
        "search",
        "anchors",
        "mark",
        "handoff",
        "reset",
        "fork",
    } <= verbs
    assert {"merge", "export", "import", "verify", "archive", "erase", "saw", "views"} <= verbs
