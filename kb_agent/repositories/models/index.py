"""The rows of the index: blobs read once, files of branches, packed postings; text is never stored whole."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from kb_agent.repositories.models.repositories import Branch


class Blob(models.Model):
    """What was learnt from one git blob read as one language; shared by every branch that holds it (C3)."""

    sha = models.CharField(max_length=64)
    language = models.CharField(max_length=20, blank=True, default="")
    analyser = models.PositiveSmallIntegerField()
    skipped = models.CharField(max_length=20, blank=True, default="")
    lines = models.PositiveIntegerField(default=0)
    masked = models.PositiveIntegerField(default=0)
    terms = models.BinaryField(default=b"")
    texts = models.BinaryField(default=b"")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sha", "language", "analyser"], name="blob_once"),
        ]

    def __str__(self) -> str:
        return self.sha


class Chunk(models.Model):
    """A stretch of a blob's lines that belongs together, as the code's own structure has it (C4)."""

    blob = models.ForeignKey(Blob, models.CASCADE, related_name="chunks")
    ordinal = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    symbol = models.CharField(max_length=300, blank=True, default="")
    start_line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["blob", "ordinal"], name="chunk_once"),
        ]

    def __str__(self) -> str:
        return f"{self.blob_id}#{self.ordinal}"


class Symbol(models.Model):
    """A definition in a blob."""

    blob = models.ForeignKey(Blob, models.CASCADE, related_name="symbols")
    name = models.CharField(max_length=200)
    qualified = models.CharField(max_length=300)
    kind = models.CharField(max_length=20)
    start_line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["name"], name="symbol_name")]

    def __str__(self) -> str:
        return self.qualified


class File(models.Model):
    """An indexed file of a branch. A changed file is a new row, so that an old reading never mixes with it."""

    branch = models.ForeignKey(Branch, models.CASCADE, related_name="files")
    path = models.TextField()
    blob = models.ForeignKey(Blob, models.PROTECT, related_name="files")
    role = models.CharField(max_length=20)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["branch", "path"], name="file_once"),
        ]

    def __str__(self) -> str:
        return self.path


class Skipped(models.Model):
    """A file left out of the index, and why."""

    branch = models.ForeignKey(Branch, models.CASCADE, related_name="skipped")
    path = models.TextField()
    reason = models.CharField(max_length=20)

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class Scope(models.Model):
    """The packed index of one branch: a record a chunk, in document order (see `postings`)."""

    branch = models.OneToOneField(Branch, models.CASCADE, related_name="scope")
    documents = models.BinaryField(default=b"")
    dead = models.PositiveIntegerField(default=0)
    edition = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"scope of {self.branch_id}"


class Term(models.Model):
    """Where one term stands in one scope, packed."""

    scope = models.ForeignKey(Scope, models.CASCADE, related_name="terms", db_index=False)
    term = models.CharField(max_length=80)
    root = models.CharField(max_length=80, null=True)  # noqa: DJ001 - no root is not an empty one
    postings = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["term", "scope"], name="term_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["scope"], name="term_scope"),
            models.Index(fields=["root"], name="term_root", condition=models.Q(root__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.term
