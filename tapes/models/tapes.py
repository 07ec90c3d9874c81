"""The rows of tapes; only the database functions behind `tapes.store` and `tapes.forks` write them."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Cast


class Tape(models.Model):
    """One append-only record; `head` and `head_hash` name its newest entry."""

    name = models.CharField(max_length=200)
    head = models.BigIntegerField()
    head_hash = models.BinaryField()
    created_at = models.DateTimeField()
    archived_at = models.DateTimeField(null=True)
    imported_head = models.BigIntegerField(null=True)
    """Entries 1 to this one came from a file."""

    class Meta:
        """A name is free again once its tape is archived."""

        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["name"], condition=models.Q(archived_at=None), name="tapes_tape_name"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Fork(models.Model):
    """A set of entries that no default view shows until merged; `token` fences out old writers."""

    OPEN, MERGED, DISCARDED = "open", "merged", "discarded"

    tape = models.ForeignKey(Tape, models.PROTECT, db_index=False, related_name="forks")
    state = models.CharField(max_length=9, choices=[(s, s) for s in (OPEN, MERGED, DISCARDED)])
    token = models.BigIntegerField()
    base_seq = models.BigIntegerField()
    closed_seq = models.BigIntegerField(null=True)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        """A view asks only for the forks that its own stretch of the tape may hide."""

        indexes: ClassVar = [models.Index(fields=["tape", "closed_seq"], name="tapes_fork_closed")]

    def __str__(self) -> str:
        return f"fork {self.pk} of tape {self.tape_id}, {self.state}"


class Entry(models.Model):
    """One fact; its table is partitioned by ranges of tape id, see the first migration.

    Keys to tape and fork are held by the append function, which has both rows locked; a foreign
    key would look them up once more for every row.
    """

    pk = models.CompositePrimaryKey("tape_id", "seq")
    tape = models.ForeignKey(
        Tape, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    seq = models.BigIntegerField()
    kind = models.TextField()
    payload_text = models.TextField()
    meta_text = models.TextField()
    payload = models.GeneratedField(
        expression=Cast("payload_text", models.JSONField()),
        output_field=models.JSONField(),
        db_persist=True,
    )
    salt = models.BinaryField(null=True)
    digest = models.BinaryField()
    hash = models.BinaryField()
    fork = models.ForeignKey(
        Fork, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="+"
    )
    topic_id = models.BigIntegerField(null=True)
    turn_id = models.BigIntegerField(null=True)
    step = models.IntegerField(null=True)
    part = models.IntegerField(null=True)
    actor = models.TextField()
    why = models.TextField()
    sources = ArrayField(models.BigIntegerField())
    date = models.DateTimeField()

    class Meta:
        """What a step recorded can be recorded once."""

        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tape", "turn_id", "step", "part"], name="tapes_entry_step"
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["tape", "topic_id", "seq"],
                condition=models.Q(topic_id__isnull=False),
                name="tapes_entry_topic",
            ),
            # What was corrected is asked for with every page that people look at.
            models.Index(
                fields=["tape", "seq"],
                condition=models.Q(kind="event", payload__name="correction"),
                name="tapes_entry_correction",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tape_id}:{self.seq} {self.kind}"


class Anchor(models.Model):
    """The row beside an anchor entry, written by the same function, so that look-ups stay short."""

    pk = models.CompositePrimaryKey("tape_id", "seq")
    tape = models.ForeignKey(
        Tape, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    seq = models.BigIntegerField()
    name = models.CharField(max_length=200)
    state = models.JSONField(null=True)
    moves_window = models.BooleanField()
    fork = models.ForeignKey(
        Fork, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="+"
    )

    class Meta:
        """Both look-ups go backwards from the newest."""

        indexes: ClassVar = [
            models.Index(fields=["tape", "name", "seq"], name="tapes_anchor_name"),
            models.Index(
                fields=["tape", "seq"],
                condition=models.Q(moves_window=True),
                name="tapes_anchor_window",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tape_id}:{self.seq} {self.name}"


class Verification(models.Model):
    """What the last check of a tape found; a request newer than that waits for a worker."""

    tape = models.OneToOneField(Tape, models.PROTECT, primary_key=True, related_name="verification")
    requested_at = models.DateTimeField()
    at = models.DateTimeField(null=True)
    ok = models.BooleanField(null=True)
    first_bad_seq = models.BigIntegerField(null=True)
    reason = models.TextField(blank=True, default="")
    entries = models.BigIntegerField(null=True)

    def __str__(self) -> str:
        return f"check of tape {self.tape_id}: {self.ok}"


class ArchiveCopy(models.Model):
    """Where the whole of a closed tape was copied to, and whether its rows have left since."""

    tape = models.OneToOneField(Tape, models.PROTECT, primary_key=True, related_name="copy")
    folder = models.TextField()
    """The copy's place in the archive; every copy has a new one."""
    digest = models.CharField(max_length=64)
    """SHA-256 of the copy's manifest, which holds those of its parts."""
    bytes = models.BigIntegerField()
    copied_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True)
    """When the rows left the database with their partition; None while they are there too."""

    def __str__(self) -> str:
        return f"copy of tape {self.tape_id} in {self.folder}"


class Spill(models.Model):
    """A text too large or too often repeated for entries, stored once under its SHA-256."""

    digest = models.CharField(max_length=64, primary_key=True)
    text = models.TextField()

    def __str__(self) -> str:
        return self.digest
