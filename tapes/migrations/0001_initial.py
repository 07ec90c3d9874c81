"""Tables of tapes, with every column an entry will ever need, and the functions that write them."""

from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.functions.comparison
from django.db import migrations, models

SQL = Path(__file__).parent / "sql"


def _key_to(model, **options):
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=models.DO_NOTHING,
        related_name="+",
        to=f"tapes.{model}",
        **options,
    )


def _composite_key():
    return models.CompositePrimaryKey(
        "tape_id", "seq", blank=True, editable=False, primary_key=True, serialize=False
    )


def _run(name):
    def forwards(_, schema_editor):
        with schema_editor.connection.cursor() as cursor:
            cursor.execute("SELECT quote_ident(current_schema())")
            (schema,) = cursor.fetchone()
            text = (SQL / name).read_text(encoding="utf-8")
            cursor.execute(text.replace("__SCHEMA__", schema))

    return migrations.RunPython(forwards)


class Migration(migrations.Migration):
    """The first migration."""

    initial = True
    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Spill",
            fields=[
                (
                    "digest",
                    models.CharField(max_length=64, primary_key=True, serialize=False),
                ),
                ("text", models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name="Tape",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("head", models.BigIntegerField()),
                ("head_hash", models.BinaryField()),
                ("created_at", models.DateTimeField()),
                ("archived_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("archived_at", None)),
                        fields=("name",),
                        name="tapes_tape_name",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Fork",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("merged", "merged"),
                            ("discarded", "discarded"),
                        ],
                        max_length=9,
                    ),
                ),
                ("token", models.BigIntegerField()),
                ("base_seq", models.BigIntegerField()),
                ("closed_seq", models.BigIntegerField(null=True)),
                ("opened_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "tape",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="forks",
                        to="tapes.tape",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["tape", "closed_seq"], name="tapes_fork_closed")],
            },
        ),
        migrations.CreateModel(
            name="Anchor",
            fields=[
                ("pk", _composite_key()),
                ("seq", models.BigIntegerField()),
                ("name", models.CharField(max_length=200)),
                ("state", models.JSONField(null=True)),
                ("moves_window", models.BooleanField()),
                ("fork", _key_to("fork", null=True)),
                ("tape", _key_to("tape")),
            ],
            options={
                "indexes": [
                    models.Index(fields=["tape", "name", "seq"], name="tapes_anchor_name"),
                    models.Index(
                        condition=models.Q(("moves_window", True)),
                        fields=["tape", "seq"],
                        name="tapes_anchor_window",
                    ),
                ],
            },
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[_run("0001_entry.sql")],
            state_operations=[
                migrations.CreateModel(
                    name="Entry",
                    fields=[
                        ("pk", _composite_key()),
                        ("seq", models.BigIntegerField()),
                        ("kind", models.TextField()),
                        ("payload_text", models.TextField()),
                        ("meta_text", models.TextField()),
                        (
                            "payload",
                            models.GeneratedField(
                                db_persist=True,
                                expression=django.db.models.functions.comparison.Cast(
                                    "payload_text", models.JSONField()
                                ),
                                output_field=models.JSONField(),
                            ),
                        ),
                        ("salt", models.BinaryField(null=True)),
                        ("digest", models.BinaryField()),
                        ("hash", models.BinaryField()),
                        ("topic_id", models.BigIntegerField(null=True)),
                        ("turn_id", models.BigIntegerField(null=True)),
                        ("step", models.IntegerField(null=True)),
                        ("part", models.IntegerField(null=True)),
                        ("actor", models.TextField()),
                        ("why", models.TextField()),
                        (
                            "sources",
                            django.contrib.postgres.fields.ArrayField(
                                base_field=models.BigIntegerField(), size=None
                            ),
                        ),
                        ("date", models.DateTimeField()),
                        ("fork", _key_to("fork", null=True)),
                        ("tape", _key_to("tape")),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("tape", "turn_id", "step", "part"),
                                name="tapes_entry_step",
                            )
                        ],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("topic_id__isnull", False)),
                                fields=["tape", "topic_id", "seq"],
                                name="tapes_entry_topic",
                            )
                        ],
                    },
                )
            ],
        ),
        _run("0001_functions.sql"),
    ]
