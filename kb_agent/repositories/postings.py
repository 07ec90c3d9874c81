"""The packed index of one branch: written by indexing, read by search, one row a term.

A document is a chunk of a file. Documents are numbered in the order they were added; a removed file's documents
stay as dead numbers until the scope is written anew. A term's row holds, for every document it stands in, the
document's number and how often the term stands in its symbol, body and path. Packing follows a trial in which rows
of packed postings took a tenth of the space and a twentieth of the time of a row a posting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from django.db import connection

from kb_agent.repositories import analysis, roles
from kb_agent.repositories.models import Blob, Branch, File, Scope, Term

DOCUMENT = np.dtype(
    [("file", "<i8"), ("ordinal", "<u4"), ("length", "<u2"), ("role", "u1"), ("dead", "u1")]
)
POSTING = np.dtype([("document", "<u4"), ("symbol", "u1"), ("body", "u1"), ("path", "u1")])
# Dead documents and many small rows cost every query; past this share writing anew is cheaper.
REWRITE_SHARE = 0.25
BATCH = 2000


@dataclass
class Batch:
    """Documents and postings gathered for a scope, before they are written."""

    first: int = 0
    numbers: dict[str, int] = field(default_factory=dict)
    terms: list[np.ndarray] = field(default_factory=list)
    postings: list[np.ndarray] = field(default_factory=list)
    documents: list[np.ndarray] = field(default_factory=list)
    size: int = 0

    def add(self, file: File, found: analysis.Terms) -> None:
        """Add the chunks of one file as documents."""
        count = len(found.lengths)
        if not count:
            return
        documents = np.zeros(count, DOCUMENT)
        documents["file"] = file.pk
        documents["ordinal"] = np.arange(count)
        documents["length"] = found.lengths
        documents["role"] = roles.ROLES.index(file.role)
        self._add_body(found)
        self._add_path(file.path, count)
        self.documents.append(documents)
        self.size += count

    def rows(self) -> Iterator[tuple[str, bytes]]:
        """(term, packed postings) of everything added, each term once."""
        if not self.terms:
            return
        terms = np.concatenate(self.terms)
        postings = np.concatenate(self.postings)
        order = np.lexsort((postings["document"], terms))
        terms, postings = terms[order], postings[order]
        names = list(self.numbers)
        starts = np.flatnonzero(np.r_[True, terms[1:] != terms[:-1]])
        ends = np.r_[starts[1:], len(terms)]
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            yield names[terms[start]], _merged(postings[start:end]).tobytes()

    def _add_body(self, found: analysis.Terms) -> None:
        numbers = self.numbers
        local = np.fromiter(
            (numbers.setdefault(name, len(numbers)) for name in found.names),
            "<u4",
            len(found.names),
        )
        rows = np.zeros(len(found.occurrences), POSTING)
        rows["document"] = found.occurrences["chunk"].astype("<u4") + self.first + self.size
        rows["symbol"] = found.occurrences["symbol"]
        rows["body"] = found.occurrences["body"]
        self.terms.append(local[found.occurrences["term"]] if len(rows) else np.empty(0, "<u4"))
        self.postings.append(rows)

    def _add_path(self, path: str, count: int) -> None:
        names = sorted(analysis.path_terms(path))
        numbers = [self.numbers.setdefault(name, len(self.numbers)) for name in names]
        rows = np.zeros(count * len(names), POSTING)
        rows["document"] = np.tile(np.arange(count), len(names)) + self.first + self.size
        rows["path"] = 1
        self.terms.append(np.repeat(np.array(numbers, "<u4"), count))
        self.postings.append(rows)


def _merged(rows: np.ndarray) -> np.ndarray:
    """One posting a document: a path's and a body's posting of the same term are joined."""
    same = np.flatnonzero(rows["document"][1:] == rows["document"][:-1]) + 1
    if not len(same):
        return rows
    rows = rows.copy()
    for name in ("symbol", "body", "path"):
        rows[name][same - 1] |= rows[name][same]
    return np.delete(rows, same)


def rewrite(branch: Branch) -> int:
    """Write a branch's scope anew from its files; returns the number of documents. Needs a transaction."""
    scope, _ = Scope.objects.get_or_create(branch=branch)
    batch = _gather(branch.files.order_by("path"), first=0)
    Term.objects.filter(scope=scope).delete()
    with (
        connection.cursor() as cursor,
        cursor.copy("COPY repositories_term (scope_id, term, postings) FROM STDIN") as copy,
    ):
        for term, packed in batch.rows():
            copy.write_row((scope.pk, term[:80], packed))
    scope.documents = b"".join(part.tobytes() for part in batch.documents)
    scope.dead = 0
    scope.save(update_fields=["documents", "dead"])
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
    batch = _gather(File.objects.filter(pk__in=list(added)).order_by("path"), first=len(documents))
    if dead + batch.size > (len(documents) + batch.size) * REWRITE_SHARE:
        return rewrite(branch)
    _append(scope, batch)
    scope.documents = documents.tobytes() + b"".join(part.tobytes() for part in batch.documents)
    scope.dead = dead
    scope.save(update_fields=["documents", "dead"])
    return len(documents) + batch.size - dead


def _gather(files: Iterable[File], *, first: int) -> Batch:
    """A batch of files with their blobs' terms; blobs are loaded a few hundred at a time."""
    batch = Batch(first=first)
    rows = list(files)
    for start in range(0, len(rows), BATCH):
        some = rows[start : start + BATCH]
        blobs = Blob.objects.filter(pk__in={row.blob_id for row in some}).values_list("pk", "terms")
        packed = dict(blobs)
        for row in some:
            batch.add(row, analysis.unpack(bytes(packed[row.blob_id])))
    return batch


def _append(scope: Scope, batch: Batch) -> None:
    rows = [(scope.pk, term[:80], packed) for term, packed in batch.rows()]
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO repositories_term (scope_id, term, postings) VALUES (%s, %s, %s)"
            " ON CONFLICT (scope_id, term) DO UPDATE SET postings = repositories_term.postings || excluded.postings",
            rows,
        )
