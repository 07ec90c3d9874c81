"""What people correct in the vocabulary, and what evaluations measure; descriptions that were drafted."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("repositories", "0004_weighted_terms"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Correction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("word", models.CharField(max_length=80)),
                ("key", models.CharField(max_length=160)),
                ("code", models.CharField(max_length=80)),
                ("code_key", models.CharField(max_length=160)),
                ("state", models.CharField(max_length=10)),
                ("note", models.CharField(blank=True, default="", max_length=500)),
                ("origin", models.CharField(blank=True, default="", max_length=60)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name="Evaluation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100, unique=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("measured", models.CharField(blank=True, default="", max_length=64)),
                ("behind_since", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="EvaluationOutcome",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "right",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), size=None
                    ),
                ),
                ("repo_first", models.BooleanField()),
                ("file_rank", models.PositiveIntegerField(null=True)),
                ("span", models.BooleanField()),
                ("whole", models.BooleanField()),
                ("found", models.BooleanField()),
                ("first", models.JSONField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="EvaluationQuestion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ordinal", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=100)),
                ("language", models.CharField(max_length=10)),
                ("text", models.TextField()),
                ("places", models.JSONField()),
                ("also", models.JSONField(default=list)),
                ("line", models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name="EvaluationRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "trigger",
                    models.CharField(
                        choices=[("person", "Person"), ("index", "Index"), ("command", "Command")],
                        max_length=10,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("ended_at", models.DateTimeField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("token", models.PositiveIntegerField(default=0)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("seconds", models.FloatField(default=0)),
                ("figures", models.JSONField(default=dict)),
                ("error", models.TextField(blank=True, default="")),
            ],
        ),
        migrations.AddField(
            model_name="repository",
            name="description_drafted",
            field=models.BooleanField(default=False),
        ),
        migrations.AddIndex(
            model_name="vocabulary",
            index=models.Index(
                models.F("repository"),
                models.OrderBy(models.F("weight"), descending=True),
                models.OrderBy(models.F("id"), descending=True),
                condition=models.Q(("kind__in", ["catalogue", "label", "enum", "comment"])),
                name="vocabulary_page",
            ),
        ),
        migrations.AddField(
            model_name="correction",
            name="author",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="corrections",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="correction",
            name="repository",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="corrections",
                to="repositories.repository",
            ),
        ),
        migrations.AddField(
            model_name="evaluation",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="evaluations",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="evaluationquestion",
            name="evaluation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="questions",
                to="repositories.evaluation",
            ),
        ),
        migrations.AddField(
            model_name="evaluationoutcome",
            name="question",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="outcomes",
                to="repositories.evaluationquestion",
            ),
        ),
        migrations.AddField(
            model_name="evaluationrun",
            name="asked_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="evaluation_runs",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="evaluationrun",
            name="evaluation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="runs",
                to="repositories.evaluation",
            ),
        ),
        migrations.AddField(
            model_name="evaluationoutcome",
            name="run",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="outcomes",
                to="repositories.evaluationrun",
            ),
        ),
        migrations.AddConstraint(
            model_name="correction",
            constraint=models.UniqueConstraint(
                fields=("key", "code_key", "repository"),
                name="correction_once",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="correction",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("added", "suppressed"))),
                name="correction_state_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="evaluationquestion",
            constraint=models.UniqueConstraint(
                fields=("evaluation", "name"), name="evaluation_question_once"
            ),
        ),
        migrations.AddIndex(
            model_name="evaluationrun",
            index=models.Index(fields=["evaluation", "-id"], name="evaluation_trend"),
        ),
        migrations.AddConstraint(
            model_name="evaluationrun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status__in", ["waiting", "running"])),
                fields=("evaluation",),
                name="one_unfinished_evaluation",
            ),
        ),
        migrations.AddConstraint(
            model_name="evaluationoutcome",
            constraint=models.UniqueConstraint(
                fields=("run", "question"), name="evaluation_outcome_once"
            ),
        ),
    ]
