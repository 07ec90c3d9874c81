"""Imports that keep their dates, tapes that are closed, and where copies of them are archived."""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

SQL = Path(__file__).parent / "sql"


def _functions(_, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_schema())")
        (schema,) = cursor.fetchone()
        text = (SQL / "0002_stores.sql").read_text(encoding="utf-8")
        cursor.execute(text.replace("__SCHEMA__", schema))


class Migration(migrations.Migration):
    """Later migrations that write `tapes_append` anew keep its parameter `p_dates`."""

    dependencies = [("tapes", "0001_initial")]

    operations = [
        migrations.AddField("tape", "imported_head", models.BigIntegerField(null=True)),
        migrations.CreateModel(
            name="ArchiveCopy",
            fields=[
                (
                    "tape",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="copy",
                        serialize=False,
                        to="tapes.tape",
                    ),
                ),
                ("folder", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("bytes", models.BigIntegerField()),
                ("copied_at", models.DateTimeField()),
                ("left_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.RunPython(_functions),
    ]
