"""The packed index of one branch: written by indexing, read by search, one row a term.

A document is a chunk of a file. Documents are numbered in the order they were added, those of a file one after another;
a removed file's documents stay as dead numbers until the scope is written anew. A term's row holds, for every document
it stands in, the document's number and the term's weighted frequency over all fields, in tenths.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from django.db import connection

from kb_agent.repositories import terms
from kb_agent.repositories.indexing import analysis, fields, labels
from kb_agent.repositories.models import Blob, Branch, File, Scope, Term
from kb_agent.repositories.structure import roles

DOCUMENT = np.dtype(
    [
        ("file", "<i8"),
        ("ordinal", "<u4"),
        ("length", "<u4"),
        ("start", "<u4"),
        ("end", "<u4"),
        ("role", "u1"),
        ("kind", "u1"),
        ("decisions", "u1"),
        ("dead", "u1"),
    ]
)
POSTING = np.dtype([("document", "<u4"), ("weight", "<u2")])
ROW = np.dtype([("term", "<u4"), ("document", "<u4"), ("weight", "<u4")])
# Dead documents and many small rows cost every query; past this share writing anew is cheaper.
REWRITE_SHARE = 0.25
BATCH = 2000
HEAVIEST = 65535


@dataclass
class Batch:
    """Documents and postings gathered for a scope, before they are written."""

    first: int = 0
    repository: str = ""
    said: labels.Labels | None = None
    numbers: dict[str, int] = field(default_factory=dict)
    rows: list[np.ndarray] = field(default_factory=list)
    documents: list[np.ndarray] = field(default_factory=list)
    size: int = 0

    def add(self, file: File, found: analysis.Terms) -> None:
        """Add the chunks of one file as documents."""
        count = len(found.places)
        if not count:
            return
        documents = np.zeros(count, DOCUMENT)
        documents["file"] = file.pk
        documents["ordinal"] = np.arange(count)
        for name in ("length", "decisions", "kind", "start", "end"):
            documents[name] = found.places[name]
        documents["role"] = roles.ROLES.index(file.role)
        documents["length"] += self._add_path(file.path, count)
        self._add_content(found)
        self._add_labels(found, documents)
        self.documents.append(documents)
        self.size += count

    def packed(self) -> Iterator[tuple[str, bytes]]:
        """(term, packed postings) of everything added, each term once."""
        rows = np.concatenate([np.empty(0, ROW), *self.rows])
        self.rows.clear()
        if not len(rows):
            return
        rows = rows[np.lexsort((rows["document"], rows["term"]))]
        joined = _joined(rows)
        names = list(self.numbers)
        starts = np.flatnonzero(np.r_[True, joined["term"][1:] != joined["term"][:-1]])
        ends = np.r_[starts[1:], len(joined)]
        postings = np.empty(len(joined), POSTING)
        postings["document"] = joined["document"]
        postings["weight"] = np.minimum(joined["weight"], HEAVIEST)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            yield names[joined["term"][start]], postings[start:end].tobytes()

    def _number(self, term: str) -> int:
        return self.numbers.setdefault(term, len(self.numbers))

    def _add_content(self, found: analysis.Terms) -> None:
        local = np.fromiter((self._number(name) for name in found.names), "<u4", len(found.names))
        rows = np.empty(len(found.occurrences), ROW)
        rows["term"] = local[found.occurrences["term"]] if len(rows) else 0
        rows["document"] = found.occurrences["chunk"].astype("<u4") + self.first + self.size
        rows["weight"] = found.occurrences["weight"]
        self.rows.append(rows)

    def _add_path(self, path: str, count: int) -> int:
        """Words of the path and the repository's name stand in every chunk; returns what they add to its length."""
        counted = terms.count(f"{analysis.without_ending(path)} {self.repository}")
        rows = np.empty(count * len(counted), ROW)
        rows["term"] = np.repeat(np.array([self._number(name) for name in counted], "<u4"), count)
        rows["document"] = np.tile(np.arange(count), len(counted)) + self.first + self.size
        rows["weight"] = np.repeat(np.array(list(counted.values()), "<u4") * fields.PATH, count)
        self.rows.append(rows)
        return fields.PATH * sum(n for term, n in counted.items() if term[0] != "=")

    def _add_labels(self, found: analysis.Terms, documents: np.ndarray) -> None:
        """What the catalogues say of the messages that a chunk names."""
        if self.said is None or not len(found.literals):
            return
        rows: list[tuple[int, int, int]] = []
        for chunk, hash_ in found.literals.tolist():
            for term, weight in self.said.of(hash_):
                rows.append((self._number(term), chunk + self.first + self.size, weight))
                documents["length"][chunk] += weight
        if rows:
            self.rows.append(np.array(rows, ROW))


def _joined(rows: np.ndarray) -> np.ndarray:
    """One row a term and document, weights summed; rows come sorted."""
    new = np.r_[
        True,
        (rows["term"][1:] != rows["term"][:-1]) | (rows["document"][1:] != rows["document"][:-1]),
    ]
    starts = np.flatnonzero(new)
    joined: np.ndarray = rows[starts]
    joined["weight"] = np.add.reduceat(rows["weight"], starts)
    return joined


def rewrite(branch: Branch) -> int:
    """Write a branch's scope anew from its files; returns the number of documents. Needs a transaction."""
    scope, _ = Scope.objects.get_or_create(branch=branch)
    batch = _gather(branch, branch.files.order_by("path"), first=0)
    Term.objects.filter(scope=scope).delete()
    with (
        connection.cursor() as cursor,
        cursor.copy("COPY repositories_term (scope_id, term, root, postings) FROM STDIN") as copy,
    ):
        for term, packed in batch.packed():
            copy.write_row((scope.pk, term[:80], terms.family(term), packed))
    _save(scope, b"", batch, dead=0)
    return batch.size


def update(branch: Branch, *, removed: Iterable[int], added: Iterable[int]) -> int:
    """Take files (by id) out of a branch's scope and put others in; returns the number of live documents.

    Needs a transaction, with the removed files' rows gone or about to go and the added ones there.
    """
    scope = Scope.objects.filter(branch=branch).first()
    if scope is None:
        return rewrite(branch)
    documents = np.frombuffer(scope.documents, DOCUMENT).copy()
    gone = np.isin(documents["file"], np.fromiter(removed, "<i8"))
    documents["dead"][gone] = 1
    dead = int(documents["dead"].sum())
    files = File.objects.filter(pk__in=list(added)).order_by("path")
    batch = _gather(branch, files, first=len(documents))
    if dead + batch.size > (len(documents) + batch.size) * REWRITE_SHARE:
        return rewrite(branch)
    _append(scope, batch)
    _save(scope, documents.tobytes(), batch, dead=dead)
    return len(documents) + batch.size - dead


def _save(scope: Scope, documents: bytes, batch: Batch, *, dead: int) -> None:
    """Documents under a new edition, so that no process takes what it remembers for them."""
    scope.documents = documents + b"".join(part.tobytes() for part in batch.documents)
    scope.dead = dead
    scope.edition = secrets.randbits(62)
    scope.save(update_fields=["documents", "dead", "edition"])


def _gather(branch: Branch, files: Iterable[File], *, first: int) -> Batch:
    """A batch of files with their blobs' terms; blobs are loaded a few hundred at a time."""
    rows = list(files)
    said = labels.of(branch) if rows else None
    batch = Batch(first=first, repository=branch.repository.name, said=said)
    for start in range(0, len(rows), BATCH):
        some = rows[start : start + BATCH]
        blobs = Blob.objects.filter(pk__in={row.blob_id for row in some}).values_list("pk", "terms")
        packed = dict(blobs)
        for row in some:
            batch.add(row, analysis.unpack(bytes(packed[row.blob_id])))
    return batch


def _append(scope: Scope, batch: Batch) -> None:
    rows = [(scope.pk, term[:80], terms.family(term), packed) for term, packed in batch.packed()]
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO repositories_term (scope_id, term, root, postings) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (term, scope_id) DO UPDATE SET postings = repositories_term.postings || excluded.postings",
            rows,
        )
