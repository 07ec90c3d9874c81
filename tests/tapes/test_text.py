"""A tape as text is steady from run to run; the command shows it and verifies it."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from tapes import entries, forks, heads, store, text

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from tapes.models import Tape
    from tests.tapes.conftest import Behind

CALL = {"id": "c9", "type": "function", "function": {"name": "search_code", "arguments": "{}"}}
EXPECTED = """\
1 anchor session/start
2 message user: line one\\nline two
3 tool_call Looking. → search_code {}
4 tool_result search_code: two places | read_lines [no_such_file]: no such file
5 error tool: it broke
6 event model_call_ended {"finish_reason": "stop", "usage": {"input": 3}}  (discarded fork)
7 event fork_discarded
8 event after  (open fork)"""


@pytest.fixture(autouse=True)
def _entries(tape: Tape) -> None:
    results = [
        {"id": "c9", "name": "search_code", "content": "two places", "seconds": 0.2},
        {"id": "c8", "name": "read_lines", "content": "no such file", "error": "no_such_file"},
    ]
    store.append(
        tape.id,
        [
            entries.message("user", "line one\nline two"),
            entries.tool_call([CALL], "Looking."),
            entries.tool_result(results),
            entries.error("tool", "it broke"),
        ],
    )
    fork = forks.open(tape.id)
    data = {"call": "x", "seconds": 1.2, "usage": {"input": 3}, "finish_reason": "stop"}
    store.append(tape.id, [entries.event("model_call_ended", data)], fork=fork)
    forks.discard(fork)
    store.append(tape.id, [entries.event("after")], fork=forks.open(tape.id))


@pytest.fixture(autouse=True)
def _var(settings: SettingsWrapper, tmp_path: Path) -> None:
    settings.VAR = tmp_path


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("tape", *arguments, stdout=out)
    return out.getvalue().rstrip("\n")


def test_tape_text_has_a_line_per_entry_without_ids_times_and_digests(tape: Tape) -> None:
    assert text.tape_text(tape.id) == EXPECTED


def test_tape_show_prints_the_tape() -> None:
    assert run("show", "work") == EXPECTED


def test_T8_tape_show_prints_a_part_of_the_tape() -> None:
    whole = EXPECTED.split("\n")
    assert run("show", "work", "--from", "2", "--to", "3").split("\n") == whole[1:3]
    assert run("show", "work", "--after", "session/start").startswith("2 ")
    assert run("show", "work", "--last") == run("show", "work", "--after", "session/start")
    found = json.loads(run("show", "work", "--from", "6", "--json"))
    assert [(one["seq"], one["kind"]) for one in found] == [(7, "event")]
    with pytest.raises(CommandError, match="missing_anchor: this tape has no anchor 'nowhere'"):
        run("show", "work", "--after", "nowhere")
    with pytest.raises(CommandError, match="invalid_view"):
        run("show", "work", "--from", "3", "--to", "2")


def test_tape_verify_says_that_all_is_as_written() -> None:
    heads.write(heads.log_path())
    assert run("verify", "work") == "work: 8 entries, all as written"
    assert json.loads(run("verify", "work", "--json")) == {
        "tape": "work",
        "id": 1,
        "ok": True,
        "first_bad_seq": None,
        "reason": "",
        "entries": 8,
        "erased": [],
    }


def test_T5_tape_verify_names_the_first_changed_entry_and_fails(
    behind: Behind, capsys: pytest.CaptureFixture[str]
) -> None:
    store.create("other")
    behind("UPDATE tapes_entry SET why = 'changed' WHERE tape_id = 1 AND seq IN (4, 6)")
    out = StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("tape", "verify", "--json", stdout=out)
    assert end.value.code == 1
    verdicts = {verdict["tape"]: verdict for verdict in json.loads(out.getvalue())}
    assert verdicts["other"]["ok"]
    assert verdicts["work"]["first_bad_seq"] == 4


def test_T5_tape_verify_names_a_tape_the_log_knows_and_the_database_lost(behind: Behind) -> None:
    store.create("other")
    heads.write(heads.log_path())
    for table in ("entry", "anchor", "tape"):
        column = "id" if table == "tape" else "tape_id"
        behind(f"DELETE FROM tapes_{table} WHERE {column} = 2")
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("tape", "verify", stdout=out)
    assert "tape 2: gone, though the log of heads knows it" in out.getvalue()


def test_an_unknown_name_is_a_clear_sentence() -> None:
    with pytest.raises(CommandError, match="there is no tape named 'nothing'"):
        run("verify", "nothing")
