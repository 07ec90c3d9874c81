"""Brings the index of one branch to its commit: reads only blobs never read before (C3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.db.models.functions import Now

from kb_agent.repositories import catalogues, mirror
from kb_agent.repositories.indexing import analysis, labels, postings
from kb_agent.repositories.models import Blob, Branch, File, IndexRun, Repository, Skipped
from kb_agent.repositories.structure import languages, roles, skipping

if TYPE_CHECKING:
    from kb_agent.repositories.indexing.leases import Pulse

BATCH_BLOBS = 200
MOST_LOOKED_UP = 5000
BATCH_BYTES = 4_000_000
# Blobs are shared by all repositories: one worker writes them at a time (an advisory lock's number).
WRITING = 0x626C6F62
CATALOGUE = "catalogue"
CHUNK_COLUMNS = "blob_id, ordinal, kind, symbol, start_line, end_line"
SYMBOL_COLUMNS = "blob_id, name, qualified, kind, start_line, end_line"


@dataclass(frozen=True)
class Wanted:
    """A file to be indexed: which blob, read how."""

    path: str
    sha: str
    size: int
    language: str
    catalogue: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What its blob row is known by."""
        return self.sha, self.reading

    @property
    def reading(self) -> str:
        """The language a blob is read as; a catalogue is read apart."""
        return f"catalogue:{self.catalogue}" if self.catalogue else self.language


@dataclass
class Listing:
    """What a commit holds: files to index, and those left out with the reason."""

    wanted: list[Wanted] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)


def read_branch(branch: Branch, pulse: Pulse) -> bool:
    """Index the branch at its commit; says whether texts that vocabulary is mined from came or went."""
    if not behind(branch):
        Branch.objects.filter(pk=branch.pk).update(indexed_at=Now())
        return False
    pulse.phase("list")
    listing = list_commit(branch.repository, branch.commit)
    with _writing():  # a tidying that is under way is waited for
        known = _known(listing.wanted)
    missing = list(
        {wanted.key: wanted for wanted in listing.wanted if wanted.key not in known}.values()
    )
    pulse.phase("read", len(missing))
    for batch in _batches(missing):
        _read_blobs(branch.repository, batch)
        pulse.step(len(batch))
    pulse.phase("write")
    return _write(branch, listing)


def behind(branch: Branch) -> bool:
    """Whether the branch's index is not that of its commit, or was made by another reading."""
    return branch.indexed_commit != branch.commit or branch.analyser != analysis.ANALYSER


def list_commit(repository: Repository, commit: str) -> Listing:
    """Every file of a commit, sorted into wanted and left out."""
    entries = list(mirror.tree(repository, commit))
    attributes = _attributes(repository, entries)
    listing = Listing()
    for entry in entries:
        if entry.path is None:
            listing.skipped.append((entry.shown, "name"))
            continue
        form, language = catalogues.reader(entry.path)
        kept = form and language != "other"
        reason = skipping.by_entry(entry.mode, entry.path, entry.size, catalogue=bool(kept))
        reason = attributes.reason(entry.path) or reason
        if not reason and form and not kept:
            reason = "translation"
        if reason:
            listing.skipped.append((entry.path, reason))
        else:
            listing.wanted.append(
                Wanted(
                    entry.path,
                    entry.sha,
                    entry.size,
                    languages.language(entry.path),
                    form if kept else "",
                )
            )
    return listing


def _attributes(repository: Repository, entries: list[mirror.TreeEntry]) -> skipping.Attributes:
    found = {
        entry.sha: entry.path
        for entry in entries
        if entry.path
        and entry.path.rpartition("/")[2] == ".gitattributes"
        and entry.mode in mirror.REGULAR
        and entry.size < 100_000
    }
    return skipping.Attributes(
        (found[sha], data.decode(errors="replace")) for sha, data in mirror.blobs(repository, found)
    )


def _known(wanted: Iterable[Wanted]) -> set[tuple[str, str]]:
    return set(_blobs(wanted))


def _batches(wanted: list[Wanted]) -> Iterator[list[Wanted]]:
    batch: list[Wanted] = []
    size = 0
    for each in wanted:
        batch.append(each)
        size += each.size
        if len(batch) >= BATCH_BLOBS or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _read_blobs(repository: Repository, wanted: list[Wanted]) -> None:
    """Analyse blobs and write what was learnt, in one transaction; a blob another worker wrote first is left."""
    read = mirror.blobs(repository, [each.sha for each in wanted])
    found = [
        (each, analysis.analyse(data, each.language, catalogue=each.catalogue))
        for each, (_, data) in zip(wanted, read, strict=True)
    ]
    with _writing():
        known = _known(wanted)
        _write_blobs([(each, learnt) for each, learnt in found if each.key not in known])


def _write_blobs(found: list[tuple[Wanted, analysis.Analysis]]) -> None:
    rows = Blob.objects.bulk_create([_row(each, learnt) for each, learnt in found])
    learnt = [(row.pk, analysis_) for row, (_, analysis_) in zip(rows, found, strict=True)]
    with connection.cursor() as cursor:
        with cursor.copy(f"COPY repositories_chunk ({CHUNK_COLUMNS}) FROM STDIN") as copy:
            for pk, each in learnt:
                for ordinal, chunk in enumerate(each.chunks):
                    place = (chunk.start_line, chunk.end_line)
                    copy.write_row((pk, ordinal, chunk.kind, chunk.symbol, *place))
        with cursor.copy(f"COPY repositories_symbol ({SYMBOL_COLUMNS}) FROM STDIN") as copy:
            for pk, each in learnt:
                for found_ in each.definitions:
                    place = (found_.start_line, found_.end_line)
                    copy.write_row((pk, found_.name, found_.qualified, found_.kind, *place))


def _row(wanted: Wanted, learnt: analysis.Analysis) -> Blob:
    return Blob(
        sha=wanted.sha,
        language=wanted.reading,
        analyser=analysis.ANALYSER,
        skipped=learnt.skipped,
        lines=learnt.lines,
        masked=learnt.masked,
        terms=learnt.terms,
        texts=learnt.texts,
    )


def _write(branch: Branch, listing: Listing) -> bool:
    """Make the branch's files, left-out list and postings those of the commit, all at once."""
    wanted, left_out = _sorted(branch, listing)
    with transaction.atomic():
        _take_time()
        if not Branch.objects.select_for_update().filter(pk=branch.pk).exists():
            return False  # nobody follows it any more
        removed = _removed(branch, wanted)
        # Another reading may be another name of the repository, which stands in every chunk's words.
        reread = branch.analyser != analysis.ANALYSER
        retold = reread or _retells(branch, removed, wanted)
        spoke = File.objects.filter(pk__in=removed).exclude(blob__texts=b"").exists()
        File.objects.filter(pk__in=removed).delete()
        kept = set(branch.files.values_list("path", flat=True))
        added = File.objects.bulk_create(
            [file for path, file in wanted.items() if path not in kept], batch_size=2000
        )
        if retold:
            postings.rewrite(branch)
        elif removed or added or not kept:
            postings.update(branch, removed=removed, added=[file.pk for file in added])
        branch.skipped.all().delete()
        Skipped.objects.bulk_create(
            [Skipped(branch=branch, path=path, reason=reason) for path, reason in left_out],
            batch_size=5000,
        )
        branch.indexed_commit, branch.analyser = branch.commit, analysis.ANALYSER
        branch.save(update_fields=["indexed_commit", "analyser"])
        Branch.objects.filter(pk=branch.pk).update(indexed_at=Now())
    speaks = Blob.objects.filter(pk__in={file.blob_id for file in added}).exclude(texts=b"")
    return spoke or speaks.exists()


def _retells(branch: Branch, removed: list[int], wanted: dict[str, File]) -> bool:
    """Whether messages that are joined to code change: then every chunk may say something else."""
    held = dict(branch.files.filter(role=CATALOGUE).values_list("path", "pk"))
    changed = {path for path, pk in held.items() if pk in set(removed)}
    come = {path for path, file in wanted.items() if file.role == CATALOGUE and path not in held}
    return any(labels.speak(path) for path in changed | come)


def _sorted(branch: Branch, listing: Listing) -> tuple[dict[str, File], list[tuple[str, str]]]:
    """(files the branch should have, by path; paths left out with the reason)."""
    blobs = _blobs(listing.wanted)
    left_out = list(listing.skipped)
    wanted: dict[str, File] = {}
    for each in listing.wanted:
        pk, reason = blobs[each.key]
        if reason:
            left_out.append((each.path, reason))
        else:
            role = CATALOGUE if each.catalogue else roles.role(each.path)
            wanted[each.path] = File(branch=branch, path=each.path, blob_id=pk, role=role)
    return wanted, left_out


def _removed(branch: Branch, wanted: dict[str, File]) -> list[int]:
    """Ids of the branch's files that are gone or changed."""
    rows = branch.files.values_list("pk", "path", "blob_id", "role")
    return [
        pk
        for pk, path, blob, role in rows
        if path not in wanted or (blob, role) != (wanted[path].blob_id, wanted[path].role)
    ]


def _take_time() -> None:
    """Postings are worked out while this transaction waits: longer than a turn's may."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = '1h'")


def _blobs(wanted: Iterable[Wanted]) -> dict[tuple[str, str], tuple[int, str]]:
    """(id, why it was left out) of the blobs that are known, looked up some thousands at a time."""
    shas = sorted({each.sha for each in wanted})
    found: dict[tuple[str, str], tuple[int, str]] = {}
    for start in range(0, len(shas), MOST_LOOKED_UP):
        some = shas[start : start + MOST_LOOKED_UP]
        rows = Blob.objects.filter(analyser=analysis.ANALYSER, sha__in=some)
        for pk, sha, language, skipped in rows.values_list("pk", "sha", "language", "skipped"):
            found[sha, language] = (pk, skipped)
    return found


@contextmanager
def _writing() -> Iterator[None]:
    """A transaction in which no other worker writes or removes blobs."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [WRITING])
        yield


def tidy() -> int:
    """Remove blobs that no branch holds any more, when nothing is being indexed; returns how many."""
    with _writing():
        if IndexRun.objects.filter(status__in=["waiting", "running"]).exists():
            return 0
        gone = Blob.objects.filter(files=None)
        count = gone.count()
        gone.delete()
    return count
