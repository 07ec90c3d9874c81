"""A5: evidence is minted once a place, tied to a commit and a hash of raw bytes, and checked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from kb_agent.repositories import evidence, mirror
from kb_agent.repositories.mirror import git
from kb_agent.repositories.models import Evidence, Repository
from tests.repositories.code import REFUND, Code, index, indexed

pytestmark = pytest.mark.django_db


def place(
    repository: Repository, path: str = "refund.py", start: int = 4, end: int = 9
) -> evidence.Place:
    """Lines at the indexed commit."""
    commit = repository.branches.get().indexed_commit
    return evidence.Place(
        repository_id=repository.pk,
        commit=commit,
        branch="main",
        path=path,
        start_line=start,
        end_line=end,
    )


def test_A5_numbers_count_up_in_a_topic_and_a_place_keeps_its_number(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    first, second, again = evidence.mint(
        7, 1, [place(repository), place(repository, start=5), place(repository)]
    )
    (later,) = evidence.mint(7, 2, [place(repository)])
    (elsewhere,) = evidence.mint(8, 3, [place(repository, start=6)])
    assert [row.number for row in (first, second, again, later, elsewhere)] == [1, 2, 1, 1, 1]


def test_A5_a_place_that_is_not_there_mints_nothing(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    for path, start, end in (
        ("nope.py", 1, 1),
        ("refund.py", 99, 99),
        ("refund.py", 5, 4),
        ("../refund.py", 1, 1),
    ):
        with pytest.raises(mirror.MissingFile):
            evidence.mint(1, 1, [place(repository, path, start, end)])
    assert not Evidence.objects.exists()


@pytest.mark.parametrize("ends", ["\n", ""])
def test_A5_a_place_that_goes_on_past_its_files_end_ends_there(code: Code, ends: str) -> None:
    code.commit({"refund.py": f"one\ntwo\nthree{ends}"})
    repository = indexed(code)
    (row,) = evidence.mint(1, 1, [place(repository, start=2, end=10**12)])
    assert (row.start_line, row.end_line) == (2, 3)
    assert evidence.check(row)
    with pytest.raises(mirror.MissingFile):
        evidence.mint(1, 1, [place(repository, start=4, end=10**12)])


def test_A5_evidence_is_checked_against_the_git_object(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    (row,) = evidence.mint(1, 1, [place(indexed(code))])
    assert evidence.check(row)
    row.content_hash = "0" * 64
    assert not evidence.check(row)


def test_A5_changed_since_says_whether_the_branch_moved_under_the_lines(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    (row,) = evidence.mint(1, 1, [place(repository)])
    assert not evidence.changed_since(row)
    code.commit({"refund.py": "# A line above moves it, and changes nothing.\n" + REFUND})
    index(repository)
    assert not evidence.changed_since(row)
    code.commit({"refund.py": REFUND.replace("range(3)", "range(5)")})
    index(repository)
    assert evidence.changed_since(row)
    code.commit({"refund.py": None, "other.py": REFUND})
    index(repository)
    assert evidence.changed_since(row)
    assert evidence.check(row)


def test_A5_opened_lines_carry_their_numbers_and_say_which_are_cited(code: Code) -> None:
    code.commit({"refund.py": REFUND.replace("\n", "\r\n")})
    (row,) = evidence.mint(1, 1, [place(indexed(code))])
    opened = evidence.open(row, context=2)
    assert [(line.number, line.cited) for line in opened.lines] == [
        (number, 4 <= number <= 9) for number in range(2, 10)
    ]
    assert opened.lines[2].text == "def retry_refund(refund, gateway):"
    assert (opened.total_lines, opened.language) == (9, "py")


def test_A5_lines_of_a_file_in_chinese_bytes_are_shown_as_text(code: Code) -> None:
    code.commit({"refund.py": "# 退款失败后重试\nRETRIES = 3\n".encode("gb18030")})
    (row,) = evidence.mint(1, 1, [place(indexed(code), start=1, end=2)])
    assert evidence.open(row).lines[0].text == "# 退款失败后重试"
    assert evidence.check(row)


def test_A5_many_places_are_checked_by_a_few_git_processes(
    code: Code, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"f{number}.py" for number in range(30)]
    code.commit(dict.fromkeys(names, REFUND))
    repository = indexed(code)
    places = [place(repository, name, start, 9) for name in names for start in (3, 4)]
    rows = evidence.mint(1, 1, places)
    code.commit({"f0.py": None, "f1.py": REFUND.replace("range(3)", "range(4)")})
    index(repository)
    begun: list[object] = []
    command = git.command

    def counting(mirror: Path | None, arguments: Sequence[str | bytes]) -> list[str | bytes]:
        begun.append(arguments)
        return command(mirror, arguments)

    monkeypatch.setattr(git, "command", counting)
    found = evidence.standing(rows)
    assert len(begun) <= 4
    assert all(standing.valid and not standing.missing for standing in found.values())
    changed = {row.path for row in rows if found[row.pk].changed_since}
    assert changed == {"f0.py", "f1.py"}


def test_A5_evidence_whose_commit_was_lost_is_missing(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    (row,) = evidence.mint(1, 1, [place(indexed(code))])
    row.commit = "0" * 40
    assert evidence.standing([row])[row.pk] == evidence.Standing(
        valid=False, changed_since=True, missing=True
    )
