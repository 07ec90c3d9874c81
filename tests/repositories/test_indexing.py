"""C3, C4: indexing reads only what is new, shows its progress, survives a kill and can be cancelled."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from kb_agent.repositories import files, indexing, measuring, search, vocabulary
from kb_agent.repositories.indexing import analysis, leases, reading
from kb_agent.repositories.models import Blob, Chunk, File, IndexRun, Repository, Scope
from tests.repositories.code import REFUND, Code, add, index, indexed, make_due

pytestmark = pytest.mark.django_db
COUPON = "def combine_coupons(coupons):\n    return len(coupons) < 3\n"


def found(repository: Repository, words: str) -> list[str]:
    """Paths that a search finds."""
    return [hit.path for hit in search.search(words, readable=[repository.pk]).hits]


def test_a_run_ends_with_files_chunks_and_seconds(code: Code) -> None:
    code.commit({"refund.py": REFUND, "coupon.py": COUPON})
    repository = add(code)
    run = index(repository)
    assert (run.status, run.files, run.chunks) == ("done", 2, Chunk.objects.count())
    assert run.seconds > 0
    assert (repository.status, repository.default_branch) == ("fresh", "main")


def test_C3_an_unchanged_blob_is_never_read_again_in_any_repository(
    code: Code, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    code.commit({"refund.py": REFUND, "same.py": REFUND, "coupon.py": COUPON})
    read: list[bytes] = []
    analyse = analysis.analyse

    def counting(data: bytes, language: str, *, catalogue: str = "") -> analysis.Analysis:
        read.append(data)
        return analyse(data, language, catalogue=catalogue)

    monkeypatch.setattr(analysis, "analyse", counting)
    indexed(code)
    assert len(read) == 2
    copy = Code(code.folder.parent / "copy")
    copy.commit({"moved/refund.py": REFUND, "new.py": "NEW = 1\n"})
    indexed(copy, "copy")
    assert read[2:] == [b"NEW = 1\n"]


def test_C3_a_commit_that_changes_one_file_changes_only_its_rows(code: Code) -> None:
    code.commit(
        {
            "refund.py": REFUND,
            "coupon.py": COUPON,
            **{f"f{n}.py": f"def f{n}():\n    return {n}\n" for n in range(20)},
        }
    )
    repository = indexed(code)
    kept = set(File.objects.exclude(path="coupon.py").values_list("pk", flat=True))
    code.commit({"coupon.py": "def stack_vouchers(vouchers):\n    return vouchers\n"})
    index(repository)
    assert kept < set(File.objects.values_list("pk", flat=True))
    assert Scope.objects.get().dead == 1
    assert found(repository, "stack vouchers") == ["coupon.py"]
    assert found(repository, "combine coupons") == ["coupon.py"]  # by its path alone
    exactly = measuring.Signals(frozenset(["synonyms"]))
    assert not search.search("combine", readable=[repository.pk], signals=exactly).hits


def test_C3_removed_files_leave_the_index_at_once(code: Code) -> None:
    code.commit({"refund.py": REFUND, "coupon.py": COUPON})
    repository = indexed(code)
    code.commit({"coupon.py": None})
    index(repository)
    assert found(repository, "combine coupons") == []
    assert files.listing(repository, "main") == ["refund.py"]


def test_C3_a_branch_moved_by_force_is_followed(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    code.git("checkout", "--quiet", "--orphan", "fresh")
    code.commit({"refund.py": None, "coupon.py": COUPON})
    code.git("branch", "--force", "main", "fresh")
    index(repository)
    assert files.listing(repository, "main") == ["coupon.py"]
    assert found(repository, "failed refund") == []


def test_C3_many_small_changes_end_in_the_same_index_as_one_reading(code: Code) -> None:
    code.commit(
        {f"m{n}.py": f"def rule_{n}(order):\n    return order.total > {n}\n" for n in range(12)}
    )
    repository = indexed(code)
    for n in range(12):
        code.commit(
            {
                f"m{n}.py": f"def changed_{n}(order):\n    return order.total < {n}\n",
                "extra.py": f"EXTRA = {n}\n",
            }
        )
        index(repository)
    fresh = indexed(code, "fresh")
    words = ("changed order total", "rule order", "extra", "changed 7")
    for question in words:
        assert found(repository, question) == found(fresh, question)


def test_C3_an_unchanged_commit_is_not_listed_again(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    phases: list[str] = []
    indexing.run(indexing.queue(repository).pk, lambda run: phases.append(run.phase))
    assert "list" not in phases


def test_C3_progress_is_told_and_cancelling_stops_the_run(
    code: Code, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 0.0)
    monkeypatch.setattr(reading, "BATCH_BLOBS", 2)
    code.commit({f"m{n}.py": f"RULE_{n} = {n}\n" for n in range(9)})
    repository = add(code)
    seen: list[tuple[str, int, int]] = []

    def listener(run: IndexRun) -> None:
        seen.append((run.phase, run.done, run.total))
        if run.done == 4:
            indexing.cancel(run.pk)

    run = indexing.run(indexing.queue(repository).pk, listener)
    assert run is not None
    assert run.status == "cancelled"
    assert ("read", 2, 9) in seen
    assert Blob.objects.count() == 4
    assert index(repository).status == "done"
    assert Blob.objects.count() == 9


def test_a_waiting_run_is_cancelled_at_once_and_one_run_waits_a_repository(code: Code) -> None:
    repository = add(code)
    run = indexing.queue(repository)
    assert indexing.queue(repository).pk == run.pk
    indexing.cancel(run.pk)
    run.refresh_from_db()
    assert run.status == "cancelled"
    assert indexing.run(run.pk) is None


def test_R3_a_run_whose_worker_died_is_taken_over_and_the_dead_one_is_refused(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = add(code)
    waiting = indexing.queue(repository)
    dead = leases.claim(waiting.pk)
    assert dead is not None
    assert indexing.due() == []
    assert indexing.run(waiting.pk) is None
    IndexRun.objects.filter(pk=waiting.pk).update(lease_until=Now() - timedelta(seconds=1))
    assert indexing.due() == [waiting.pk]
    done = indexing.run(waiting.pk)
    assert done is not None
    assert done.status == "done"
    with pytest.raises(leases.Lost):
        leases.Pulse(dead, None).beat(now=True)


def test_C3_fetching_all_queues_a_run_only_where_a_branch_moved_and_notes_what_failed(
    code: Code,
) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    make_due()
    indexing.fetch_due()
    assert indexing.due() == []
    code.commit({"coupon.py": COUPON})
    make_due()
    indexing.fetch_due()
    (waiting,) = indexing.due()
    assert indexing.run(waiting) is not None
    assert found(repository, "combine coupons") == ["coupon.py"]
    code.folder.rename(code.folder.with_name("away"))
    make_due()
    indexing.fetch_due()
    repository.refresh_from_db()
    assert "no such folder" in repository.error
    code.folder.with_name("away").rename(code.folder)
    make_due()
    indexing.fetch_due()
    repository.refresh_from_db()
    assert (repository.error, repository.status) == ("", "fresh")


def test_R3_a_run_that_takes_its_worker_down_is_given_up_after_a_few_times(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = add(code)
    waiting = indexing.queue(repository)
    for _ in range(leases.MOST_CLAIMS):
        assert leases.claim(waiting.pk) is not None
        IndexRun.objects.update(lease_until=Now() - timedelta(seconds=1))
    assert indexing.run(waiting.pk) is None
    waiting.refresh_from_db()
    assert (waiting.status, "given up" in waiting.error) == ("failed", True)
    assert indexing.due() == []
    assert index(repository).status == "done"


def test_ended_runs_are_kept_up_to_a_number(code: Code, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "KEPT_RUNS", 2)
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    newest = [index(repository).pk for _ in range(3)][1:]
    assert sorted(repository.runs.values_list("pk", flat=True)) == newest


def test_C3_blobs_that_no_branch_holds_are_tidied_away_only_when_nothing_is_indexed(
    code: Code,
) -> None:
    code.commit({"refund.py": REFUND, "coupon.py": COUPON})
    repository = indexed(code)
    code.commit({"coupon.py": None})
    index(repository)
    waiting = indexing.queue(repository)
    assert reading.tidy() == 0
    indexing.cancel(waiting.pk)
    assert reading.tidy() == 1
    assert files.listing(repository, "main") == ["refund.py"]
    assert set(found(repository, "failed refund")) == {"refund.py"}


def test_C3_vocabulary_is_mined_again_only_when_its_texts_changed(
    code: Code, monkeypatch: pytest.MonkeyPatch
) -> None:
    mined: list[str] = []
    mine = vocabulary.mine

    def counting(repository: Repository) -> int:
        mined.append(repository.name)
        return mine(repository)

    monkeypatch.setattr(vocabulary, "mine", counting)
    code.commit(
        {"a.py": COUPON, "locales/zh.json": '{"a": "订单"}', "locales/en.json": '{"a": "Order"}'}
    )
    repository = indexed(code)
    code.commit({"a.py": REFUND})
    index(repository)
    assert len(mined) == 1
    for texts in ('{"a": "退款"}', None):
        code.commit({"locales/zh.json": texts})
        index(repository)
    assert len(mined) == 3


def test_a_repository_without_a_single_word_is_indexed_too(code: Code) -> None:
    code.commit({"a.py": "x = 1\n"})
    repository = indexed(code, "other")
    assert search.search("x", readable=[repository.pk]).hits == []
