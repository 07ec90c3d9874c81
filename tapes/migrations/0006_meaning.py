"""Vectors of entries, and the functions that make, drop and forget them by the owner's rights."""

from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.deletion
import pgvector.django.halfvec
from django.db import migrations, models

SQL = Path(__file__).parent / "sql"


def _functions(_, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_schema())")
        (schema,) = cursor.fetchone()
        text = (SQL / "0006_meaning.sql").read_text(encoding="utf-8")
        cursor.execute(text.replace("__SCHEMA__", schema))


class Migration(migrations.Migration):
    """Nothing to fill: a worker embeds what there is, where an endpoint is set up."""

    dependencies = [
        ("tapes", "0005_search"),
    ]

    operations = [
        migrations.CreateModel(
            name="MeaningSpace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=400, unique=True)),
                ("dimension", models.PositiveIntegerField(null=True)),
                ("ordered", models.BooleanField(default=False)),
                ("error", models.TextField(blank=True, default="")),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("paused_until", models.DateTimeField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("token", models.PositiveIntegerField(default=0)),
                ("spent_on", models.DateField(null=True)),
                ("spent", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="MeaningMark",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tape_id",
                        "space_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("tape_id", models.BigIntegerField()),
                ("upto", models.BigIntegerField()),
                (
                    "space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="marks",
                        to="tapes.meaningspace",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EntryVector",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tape_id",
                        "seq",
                        "part",
                        "space_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("tape_id", models.BigIntegerField()),
                ("seq", models.BigIntegerField()),
                ("part", models.IntegerField()),
                ("begins", models.IntegerField()),
                ("kind", models.TextField()),
                ("topic_id", models.BigIntegerField(null=True)),
                ("fork_id", models.BigIntegerField(null=True)),
                (
                    "sources",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), size=None
                    ),
                ),
                ("embedding", pgvector.django.halfvec.HalfVectorField()),
                (
                    "space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vectors",
                        to="tapes.meaningspace",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("topic_id__isnull", False)),
                        fields=["topic_id"],
                        name="tapes_entryvector_topic",
                    )
                ],
            },
        ),
        migrations.RunPython(_functions),
    ]
