"""The function that takes words away for good, and an index of who names a spilled text."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql"


def _functions(_, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_schema())")
        (schema,) = cursor.fetchone()
        text = (SQL / "0004_erasing.sql").read_text(encoding="utf-8")
        cursor.execute(text.replace("__SCHEMA__", schema))


class Migration(migrations.Migration):
    """Whoever keeps words of entries in other tables writes `tapes_forget` anew."""

    dependencies = [("tapes", "0003_looking")]

    operations = [migrations.RunPython(_functions)]
