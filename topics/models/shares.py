"""The rows that open a topic or a named view to others: Share (written by `sharing`), and who came by its link (P9)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class ShareKind(models.TextChoices):
    """To whom something is opened. Shared with the company it is open knowledge."""

    PERSON = "person"
    GROUP = "group"
    COMPANY = "company"
    LINK = "link"


def _once(of: str, *, prefix: str = "") -> list[models.UniqueConstraint]:
    """That a topic, or a view, is open to each at most once."""
    whom = {"person": "a_person", "group": "a_group", "company": "with_the_company"}
    return [
        models.UniqueConstraint(
            fields=[of] if kind == "company" else [of, kind],
            condition=Q(kind=kind, revoked_at=None),
            name=f"{prefix}share_once_{said}",
        )
        for kind, said in whom.items()
    ]


class Share(models.Model):
    """One opening of one topic or one named view. Revoked or expired it opens nothing; the row stays as its record.

    A view's openings go with the view: its name and definition are kept for nobody once it is forgotten.
    """

    topic = models.ForeignKey("topics.Topic", models.PROTECT, null=True, related_name="shares")
    view = models.ForeignKey("topics.NamedView", models.CASCADE, null=True, related_name="shares")
    kind = models.CharField(max_length=7, choices=ShareKind.choices)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="shares_given"
    )
    group = models.ForeignKey(Group, models.CASCADE, null=True, related_name="topic_shares")
    token_hash = models.CharField(max_length=64, blank=True, default="")
    """SHA-256 in hex of a link's token, which is told once and kept nowhere."""

    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="shares_made"
    )
    """Empty when the command line did it."""

    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=(
                    Q(kind="person", person__isnull=False, group=None, token_hash="")
                    | Q(kind="group", person=None, group__isnull=False, token_hash="")
                    | Q(kind="company", person=None, group=None, token_hash="")
                    | (Q(kind="link", person=None, group=None) & ~Q(token_hash=""))
                ),
                name="share_kind_has_its_who",
            ),
            models.CheckConstraint(
                condition=Q(topic=None, view__isnull=False) | Q(topic__isnull=False, view=None),
                name="share_of_one_thing",
            ),
            *_once("topic"),
            *_once("view", prefix="view_"),
            models.UniqueConstraint(
                fields=["token_hash"], condition=Q(kind="link"), name="share_token_once"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["person", "topic"],
                condition=Q(kind="person", revoked_at=None),
                name="share_by_person",
            ),
            models.Index(
                fields=["person", "view"],
                condition=Q(kind="person", revoked_at=None),
                name="view_share_by_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} shared ({self.kind})"

    @property
    def subject(self) -> str:
        """What it opens, as audit lines write it: `topic:12`, `view:3`."""
        return f"view:{self.view_id}" if self.topic_id is None else f"topic:{self.topic_id}"


class ShareVisit(models.Model):
    """A person came by a link: while it holds, they see what it opens."""

    share = models.ForeignKey(Share, models.CASCADE, related_name="visits")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="links_followed"
    )
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["share", "person"], name="share_visit_once_a_person"),
        ]

    def __str__(self) -> str:
        return f"person {self.person_id} by share {self.share_id}"
