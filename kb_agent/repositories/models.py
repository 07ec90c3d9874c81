"""The rows of code and its index; a repository's steward is a group, its text is never stored whole."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.models import Group
from django.db import models
from django.db.models.functions import Now

# Django finds rows of other modules here.
from kb_agent.repositories.evaluation_models import (  # noqa: F401
    Evaluation,
    EvaluationOutcome,
    EvaluationQuestion,
    EvaluationRun,
)
from kb_agent.repositories.vector_models import Space, Vector  # noqa: F401
from kb_agent.repositories.vocabulary_models import Correction  # noqa: F401
from kb_agent.repositories.webhook_models import Delivery, Webhook  # noqa: F401


class Repository(models.Model):
    """One code base that questions can land in."""

    class Kind(models.TextChoices):
        GIT_LOCAL = "git_local"
        GIT_REMOTE = "git_remote"
        DIRECTORY = "directory"

    class Status(models.TextChoices):
        NEW = "new"
        INDEXING = "indexing"
        FRESH = "fresh"
        FAILED = "failed"

    class Answers(models.TextChoices):
        """Who may read prose drawn from this code (C7): its readers, or the whole company."""

        READERS = "readers"
        COMPANY = "company"

    name = models.CharField(max_length=100)
    source = models.TextField()
    kind = models.CharField(max_length=20, choices=Kind.choices)
    description_zh = models.TextField(blank=True, default="")
    description_en = models.TextField(blank=True, default="")
    description_drafted = models.BooleanField(default=False)
    """Whether the descriptions were drafted from the code and nobody has edited them (see `describing`)."""

    default_branch = models.CharField(max_length=250, blank=True, default="")
    follows_default = models.BooleanField(default=True)
    """Whether the default branch is whatever the source says it is, and not one that a person named."""

    answers = models.CharField(max_length=10, choices=Answers.choices, default=Answers.READERS)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.NEW)
    error = models.TextField(blank=True, default="")
    error_code = models.CharField(max_length=30, blank=True, default="")
    sample_questions = models.JSONField(default=list, blank=True)
    mined = models.JSONField(default=dict, blank=True)
    schedule_minutes = models.PositiveIntegerField(null=True)
    """How often it is fetched; null is as often as the installation says, 0 never by itself."""

    next_fetch_at = models.DateTimeField(db_default=Now())
    created_at = models.DateTimeField(db_default=Now())
    removed_at = models.DateTimeField(null=True)
    """When a person removed it: no row of its index is left, cited commits stay (`registry.remove`)."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["name"],
                condition=models.Q(removed_at=None),
                name="repository_name_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Branch(models.Model):
    """A branch or tag that is followed, where it stands now and where it stood when indexed."""

    repository = models.ForeignKey(Repository, models.CASCADE, related_name="branches")
    name = models.CharField(max_length=250)
    commit = models.CharField(max_length=64, blank=True, default="")
    committed_at = models.DateTimeField(null=True)
    indexed_commit = models.CharField(max_length=64, blank=True, default="")
    indexed_at = models.DateTimeField(null=True)
    missing = models.BooleanField(default=False)
    """Whether the source had no such branch or tag when it was last fetched; its index stays."""

    analyser = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["repository", "name"], name="branch_once"),
        ]

    def __str__(self) -> str:
        return f"{self.repository_id}:{self.name}"


class Grant(models.Model):
    """A group whose members read a repository (C7)."""

    repository = models.ForeignKey(Repository, models.CASCADE, related_name="grants")
    group = models.ForeignKey(Group, models.CASCADE, related_name="repository_grants")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["repository", "group"], name="grant_once"),
        ]

    def __str__(self) -> str:
        return f"{self.repository_id} to {self.group_id}"


class Credential(models.Model):
    """How this installation signs in to one git server over https; the token is sealed."""

    host = models.CharField(max_length=260, unique=True)
    username = models.CharField(max_length=200)
    sealed = models.TextField()

    def __str__(self) -> str:
        return self.host


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


class Vocabulary(models.Model):
    """A count that a repository's catalogues give: how often two words went together, or one stood there (see `vocabulary`)."""

    repository = models.ForeignKey(
        Repository, models.CASCADE, related_name="vocabulary", db_index=False
    )
    word = models.CharField(max_length=80)
    code = models.CharField(max_length=80)
    weight = models.FloatField()
    kind = models.CharField(max_length=20)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["word", "kind", "code", "repository"], name="vocabulary_once"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["repository", "kind"], name="vocabulary_repository"),
            models.Index(fields=["code", "kind"], name="vocabulary_code"),
            models.Index(
                "repository",
                models.F("weight").desc(),
                models.F("id").desc(),
                name="vocabulary_page",
                condition=models.Q(kind__in=["catalogue", "label", "enum", "comment"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.word} = {self.code}"


class IndexRun(models.Model):
    """One indexing of a repository: claimed with a lease, followed by its figures, cancelled by a flag."""

    class Status(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    repository = models.ForeignKey(Repository, models.CASCADE, related_name="runs")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    phase = models.CharField(max_length=20, blank=True, default="")
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())
    queued_at = models.DateTimeField(db_default=Now())
    """Since when it waits: a long run that lets others go first waits anew."""

    phase_at = models.DateTimeField(null=True)
    """When its phase began; what was done since tells how long the rest takes."""

    again = models.BooleanField(default=False)
    """Whether the source moved after it was fetched: another run follows."""

    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    token = models.PositiveIntegerField(default=0)
    cancel_requested = models.BooleanField(default=False)
    error = models.TextField(blank=True, default="")
    error_code = models.CharField(max_length=30, blank=True, default="")
    detail = models.TextField(blank=True, default="")
    files = models.PositiveIntegerField(default=0)
    chunks = models.PositiveIntegerField(default=0)
    symbols = models.PositiveIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["repository"],
                condition=models.Q(status__in=["waiting", "running"]),
                name="one_unfinished_run",
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk}"


class Evidence(models.Model):
    """A place in code that a topic rests on; `number` is what the model cites as `[e<number>]`."""

    topic_id = models.BigIntegerField()
    turn_id = models.BigIntegerField()
    number = models.PositiveIntegerField()
    repository = models.ForeignKey(Repository, models.PROTECT, related_name="evidence")
    commit = models.CharField(max_length=64)
    branch = models.CharField(max_length=250)
    path = models.TextField()
    start_line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["topic_id", "number"], name="evidence_number_once"),
            models.UniqueConstraint(
                fields=["topic_id", "repository", "commit", "path", "start_line", "end_line"],
                name="evidence_place_once",
            ),
        ]

    def __str__(self) -> str:
        return f"e{self.number}"
