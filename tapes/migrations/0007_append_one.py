"""The function that appends one entry, and an index of events by name."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql"


def _functions(_, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_schema())")
        (schema,) = cursor.fetchone()
        text = (SQL / "0007_append_one.sql").read_text(encoding="utf-8")
        cursor.execute(text.replace("__SCHEMA__", schema))


class Migration(migrations.Migration):
    """The index is made of what there is: on a long-lived database it takes its time."""

    dependencies = [("tapes", "0006_meaning")]

    operations = [migrations.RunPython(_functions)]
