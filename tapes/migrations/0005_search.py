"""Segments of the search index, and the function that forgets what was erased."""

import uuid
from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

SQL = Path(__file__).parent / "sql"


def _functions(_, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_schema())")
        (schema,) = cursor.fetchone()
        text = (SQL / "0005_search.sql").read_text(encoding="utf-8")
        cursor.execute(text.replace("__SCHEMA__", schema))


class Migration(migrations.Migration):
    """Nothing to fill: upkeep seals the tapes there are."""

    dependencies = [("tapes", "0004_erasing")]

    operations = [
        migrations.CreateModel(
            name="SearchSegment",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("first_seq", models.BigIntegerField()),
                ("last_seq", models.BigIntegerField()),
                ("chars", models.BigIntegerField()),
                ("dictionary", models.BinaryField()),
                ("starts", models.BinaryField()),
                (
                    "tape",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes.tape",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tape", "first_seq"), name="tapes_searchsegment_first"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SearchPostings",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "segment_id",
                        "part",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("part", models.IntegerField()),
                ("postings", models.BinaryField()),
                (
                    "segment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tapes.searchsegment",
                    ),
                ),
            ],
        ),
        migrations.RunPython(_functions),
    ]
