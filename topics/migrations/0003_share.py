"""Who opened a topic to whom, and who came by which link."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("topics", "0002_named_view"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Share",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("person", "Person"),
                            ("group", "Group"),
                            ("company", "Company"),
                            ("link", "Link"),
                        ],
                        max_length=7,
                    ),
                ),
                ("token_hash", models.CharField(blank=True, default="", max_length=64)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("expires_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shares_made",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "group",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="topic_shares",
                        to="auth.group",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shares_given",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "topic",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shares",
                        to="topics.topic",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ShareVisit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="links_followed",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "share",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="visits",
                        to="topics.share",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="share",
            index=models.Index(
                condition=models.Q(("kind", "person"), ("revoked_at", None)),
                fields=["person", "topic"],
                name="share_by_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="share",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("group", None),
                        ("kind", "person"),
                        ("person__isnull", False),
                        ("token_hash", ""),
                    ),
                    models.Q(
                        ("group__isnull", False),
                        ("kind", "group"),
                        ("person", None),
                        ("token_hash", ""),
                    ),
                    models.Q(
                        ("group", None), ("kind", "company"), ("person", None), ("token_hash", "")
                    ),
                    models.Q(
                        ("group", None),
                        ("kind", "link"),
                        ("person", None),
                        models.Q(("token_hash", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="share_kind_has_its_who",
            ),
        ),
        migrations.AddConstraint(
            model_name="share",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "person"), ("revoked_at", None)),
                fields=("topic", "person"),
                name="share_once_a_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="share",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "group"), ("revoked_at", None)),
                fields=("topic", "group"),
                name="share_once_a_group",
            ),
        ),
        migrations.AddConstraint(
            model_name="share",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "company"), ("revoked_at", None)),
                fields=("topic",),
                name="share_once_with_the_company",
            ),
        ),
        migrations.AddConstraint(
            model_name="share",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "link")),
                fields=("token_hash",),
                name="share_token_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="sharevisit",
            constraint=models.UniqueConstraint(
                fields=("share", "person"), name="share_visit_once_a_person"
            ),
        ),
    ]
