"""C1, C4: whatever a repository holds, each file is indexed or left out for a stated reason, and nothing outside it is read."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from django.db import connection

from kb_agent.repositories import files, mirror, search
from kb_agent.repositories.models import File, Repository, Skipped
from kb_agent.repositories.structure import skipping
from tests.repositories.code import REFUND, Code, add, index, indexed

pytestmark = pytest.mark.django_db
MANY = 100_000
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12\n"


def imported(code: Code, entries: list[tuple[str, bytes, bytes]]) -> str:
    """Commit (mode, raw path, content) through fast-import, which takes names a file system may refuse."""
    stream = [b"commit refs/heads/main\ncommitter T <t@example.com> 0 +0000\ndata 0\n"]
    for mode, path, content in entries:
        quoted = b'"' + b"".join(b"\\%03o" % byte for byte in path) + b'"'
        stream.append(b"M " + mode.encode() + b" inline " + quoted + b"\n")
        stream.append(b"data %d\n" % len(content) + content + b"\n")
    code.git("fast-import", "--quiet", "--force", stdin=b"".join(stream))
    return code.git("rev-parse", "main")


def planted(code: Code, entries: list[tuple[str, str, bytes]]) -> str:
    """Commit trees that git itself would refuse to write: (mode, name, object) of one folder."""
    body = b"".join(
        mode.encode() + b" " + name.encode() + b"\0" + raw for mode, name, raw in entries
    )
    tree = code.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=body)
    commit = code.git("commit-tree", tree, "-m", "Strange.")
    code.git("update-ref", "refs/heads/main", commit)
    return commit


def blob(code: Code, content: bytes) -> bytes:
    """The raw name of an object with this content."""
    return bytes.fromhex(code.git("hash-object", "-w", "--stdin", stdin=content))


def reasons(repository: Repository) -> dict[str, str]:
    """Why files were left out."""
    rows = Skipped.objects.filter(branch__repository=repository)
    return dict(rows.values_list("path", "reason"))


def test_C1_links_out_of_the_tree_are_listed_and_never_followed(code: Code, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("zwiebelkuchen outside\n")
    commit = imported(
        code,
        [
            ("100644", b"refund.py", REFUND.encode()),
            ("120000", b"outside.txt", str(tmp_path / "secret.txt").encode()),
            ("120000", b"up.py", b"../../../../etc/passwd"),
            ("120000", b"folder", b".."),
        ],
    )
    repository = indexed(code)
    assert reasons(repository) == dict.fromkeys(("outside.txt", "up.py", "folder"), "symlink")
    assert not search.search("zwiebelkuchen", readable=[repository.pk]).hits
    for path in ("outside.txt", "folder/secret.txt", "up.py"):
        with pytest.raises(mirror.MissingFile):
            mirror.read(repository, commit, path)


def test_C1_a_path_with_dots_reaches_nothing(code: Code) -> None:
    code.commit({"x": "x"})
    good, bad = blob(code, REFUND.encode()), blob(code, b"def zwiebelkuchen():\n    return 1\n")
    inner = code.git(
        "hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=b"100644 evil.py\0" + bad
    )
    commit = planted(code, [("40000", "..", bytes.fromhex(inner)), ("100644", "refund.py", good)])
    repository = add(code)
    run = index(repository)
    assert run.status == "done"
    assert reasons(repository) == {"../evil.py": "name"}
    assert files.listing(repository, "main") == ["refund.py"]
    with pytest.raises(mirror.MissingFile):
        mirror.read(repository, commit, "../evil.py")


def test_C4_names_in_gbk_and_line_ends_of_windows_are_read_as_people_wrote_them(code: Code) -> None:
    imported(
        code,
        [
            ("100644", "退款/规则.py".encode("gb18030"), REFUND.replace("\n", "\r\n").encode()),
            ("100644", "说明.txt".encode("gb18030"), "结余转入下一年度".encode("gb18030")),
            ("100644", b"new\nline.py", b"x = 1\n"),
            ("100644", b"\xff\xfe\xfd.py", b"x = 1\n"),
        ],
    )
    repository = indexed(code)
    assert set(files.listing(repository, "main")) == {"退款/规则.py", "说明.txt"}
    assert set(reasons(repository).values()) == {"name"}
    hit = search.search("retry refund", readable=[repository.pk]).hits[0]
    assert (hit.path, hit.symbol, "\r" in hit.excerpt) == ("退款/规则.py", "retry_refund", False)
    assert search.search("结余转入", readable=[repository.pk]).hits[0].path == "说明.txt"


def test_C4_what_is_large_or_not_what_it_says_is_left_out_or_read_as_far_as_it_goes(
    code: Code,
) -> None:
    code.commit({"refund.py": REFUND})
    commit = code.git("rev-parse", "HEAD")
    code.commit(
        {
            "huge.sql": b"INSERT INTO t VALUES (1);\n" * 8_000_000,
            "line.js": b"var a=" + b"1+" * 2_500_000 + b"1;\n",
            "short.js": b"var b=" + b"1+" * 300_000 + b"1;\n",
            "picture.py": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)),
            "word.java": b"PK\x03\x04\0\0" + bytes(200),
            "model.py": LFS,
            "page.json": "<html><body>库存预警</body></html>",
            "script.xml": REFUND.replace("retry_refund", "from_markup"),
            "half.py": REFUND.replace("retry_refund", "before")
            + "x = ((\n\n\ndef after():\n    return 1\n",
            "half.java": "class Half {\n  void first( {\n  }\n  void second() {\n    return;\n  }\n}\n",
            "empty.py": "",
            "blank.py": " \n\n",
        }
    )
    code.git("update-index", "--add", "--cacheinfo", f"160000,{commit},library")
    code.git("commit", "--quiet", "--message", "Submodule.")
    code.git("commit", "--quiet", "--allow-empty", "--message", "Nothing.")
    started = time.monotonic()
    repository = indexed(code)
    assert time.monotonic() - started < 60
    assert reasons(repository) == {
        "huge.sql": "huge",
        "line.js": "huge",
        "short.js": "minified",
        "picture.py": "binary",
        "word.java": "binary",
        "model.py": "lfs",
        "library": "submodule",
        "empty.py": "empty",
        "blank.py": "empty",
    }
    assert set(reasons(repository).values()) <= set(skipping.REASONS)
    kept = {"refund.py", "page.json", "script.xml", "half.py", "half.java"}
    assert set(files.listing(repository, "main")) == kept
    for asked, path in (("库存预警", "page.json"), ("after", "half.py"), ("second", "half.java")):
        assert search.search(asked, readable=[repository.pk]).hits[0].path == path


def test_C3_a_commit_without_files_leaves_an_empty_index(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    code.commit({"refund.py": None})
    index(repository)
    assert files.listing(repository, "main") == []
    assert not search.search("retry refund", readable=[repository.pk]).hits


@pytest.mark.timeout(600)
def test_C3_a_hundred_thousand_files_are_indexed_in_bounded_time_whatever_the_statistics_say(
    code: Code,
) -> None:
    with connection.cursor() as cursor:
        # What a plan falls back to where statistics still say that the tables are empty.
        cursor.execute("SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off")
    stream = [
        b"blob\nmark :1\ndata %d\n" % len(REFUND.encode()) + REFUND.encode() + b"\n",
        b"commit refs/heads/main\nmark :2\ncommitter T <t@example.com> 0 +0000\ndata 0\n",
    ]
    stream += [b"M 100644 :1 a%d/b%d/f%d.py\n" % (n % 100, n // 1000, n) for n in range(MANY)]
    code.git("fast-import", "--quiet", stdin=b"".join(stream))
    repository = indexed(code)
    assert File.objects.filter(branch__repository=repository).count() == MANY
    assert search.search("retry refund", readable=[repository.pk]).hits
