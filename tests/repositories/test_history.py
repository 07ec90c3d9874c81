"""A4: who wrote lines, when and why, from the bare mirror, within bounds and without being fooled."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb_agent.repositories import mirror, text
from kb_agent.repositories.evidence import history
from kb_agent.repositories.mirror import git, registry
from tests.repositories.code import REFUND, Code, index, indexed

pytestmark = pytest.mark.django_db


def test_A4_blame_says_who_last_wrote_each_stretch_at_a_commit(code: Code) -> None:
    first = code.commit({"refund.py": REFUND}, "Retry refunds.")
    second = code.commit({"refund.py": REFUND.replace("range(3)", "range(5)")}, "Try 5 times.")
    repository = indexed(code)
    spans = history.blame(repository, second, "refund.py", 4, 9)
    assert [(each.start_line, each.end_line, each.commit, each.summary) for each in spans] == [
        (4, 5, first, "Retry refunds."),
        (6, 6, second, "Try 5 times."),
        (7, 9, first, "Retry refunds."),
    ]
    assert {each.author for each in spans} == {"Test"}
    assert spans[0].date is not None
    (whole,) = history.blame(repository, first, "refund.py")
    assert (whole.start_line, whole.end_line, whole.commit) == (1, 9, first)


def test_A4_log_tells_the_commits_of_a_file_or_of_lines_newest_first(code: Code) -> None:
    first = code.commit({"old.py": REFUND}, "Retry refunds.")
    code.git("mv", "old.py", "refund.py")
    moved = code.commit({}, "Move.")
    code.commit({"other.py": "x = 1\n"}, "Another file.")
    last = code.commit({"refund.py": REFUND.replace("range(3)", "range(5)")}, "Try 5 times.")
    repository = indexed(code)
    found = [each.commit for each in history.log(repository, last, "refund.py")]
    assert found == [last, moved, first]
    lines = history.log(repository, last, "refund.py", lines=(4, 5))
    assert [each.commit for each in lines] == [first]
    assert len(history.log(repository, last, "refund.py", limit=1)) == 1


def test_A4_a_plain_folder_says_that_it_has_no_history(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a.py").write_text(REFUND)
    repository = registry.add("plain", str(tmp_path / "plain"), groups=["readers"])
    index(repository)
    commit = repository.branches.get().indexed_commit
    with pytest.raises(history.NoHistory):
        history.blame(repository, commit, "a.py")
    with pytest.raises(history.NoHistory):
        history.log(repository, commit, "a.py")


def test_A4_what_is_no_text_or_too_large_has_no_history_told(code: Code) -> None:
    commit = code.commit({"a.png": b"\x89PNG\0\0", "big.py": b"x = 1\n" * 300_000, "a.py": REFUND})
    repository = indexed(code)
    with pytest.raises(text.Binary):
        history.blame(repository, commit, "a.png")
    with pytest.raises(mirror.TooLarge):
        history.log(repository, commit, "big.py")


@pytest.mark.parametrize(
    "path", ["../a.py", "/etc/passwd", "link.py", "-L1,2:a.py", "--output=x", "nope.py", ""]
)
def test_C1_history_follows_no_path_outside(code: Code, path: str) -> None:
    (code.folder / "link.py").symlink_to("/etc/passwd")
    commit = code.commit({"a.py": REFUND})
    repository = indexed(code)
    for told in (history.blame, history.log):
        with pytest.raises(mirror.MissingFile):
            told(repository, commit, path)


def test_C1_names_in_chinese_bytes_and_names_like_options_have_a_history(code: Code) -> None:
    commit = code.commit_entries(
        [
            ("100644", "退款.py".encode("gb18030"), REFUND.encode()),
            ("100644", b"-L1,2.py", REFUND.encode()),
            ("100644", b"a:b.py", REFUND.encode()),
        ]
    )
    repository = indexed(code)
    for path in ("退款.py", "-L1,2.py", "a:b.py"):
        assert history.blame(repository, commit, path)[0].commit == commit
        assert history.log(repository, commit, path)[0].commit == commit
        assert history.log(repository, commit, path, lines=(1, 2))[0].commit == commit


def test_A6_C8_names_and_messages_are_masked_and_hold_no_hidden_characters(code: Code) -> None:
    code.git("config", "user.name", "ignored")
    key = "ghp_" + "A1b2" * 9
    message = f"Use {key}\u202e\x1b[31m now\u2028[e1] shop/a.py lines 1-2 " + "long " * 300
    commit = code.commit({"a.py": REFUND}, message)
    repository = indexed(code)
    (span,) = history.blame(repository, commit, "a.py")
    (told,) = history.log(repository, commit, "a.py")
    for summary in (span.summary, told.summary):
        assert summary.startswith("Use ••• [31m now [e1] shop/a.py lines 1-2 long")
        assert key not in summary
        assert len(summary) <= history.SUMMARY_CHARS
        assert summary.isprintable()


def test_A4_history_that_takes_too_long_is_given_up(
    code: Code, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = code.commit({"a.py": REFUND})
    repository = indexed(code)
    monkeypatch.setattr(history, "SECONDS", 0.0001)
    with pytest.raises(git.TookTooLong):
        history.blame(repository, commit, "a.py")


def test_A4_a_date_no_calendar_holds_is_no_date() -> None:
    assert history._date(b"99999999999999999999") is None
    assert history._date(b"") is None
