"""Spaces of vectors, and the functions by which the application has the owner make and drop their indexes."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgvector.django.halfvec
from django.db import migrations, models

# An index of one space: an expression, for vectors of spaces differ in length; and partial, so that filters on the space
# and neighbours go together. Run by the owner's rights: the application's role makes no indexes.
FUNCTIONS = """
CREATE FUNCTION repositories_order_space(space bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, {schema}, pg_temp SET maintenance_work_mem = '256MB' AS $$
DECLARE
  numbers integer;
BEGIN
  SELECT dimension INTO STRICT numbers FROM repositories_space WHERE id = space;
  EXECUTE format(
    'CREATE INDEX IF NOT EXISTS vector_order_%s ON repositories_vector'
    ' USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops) WHERE space_id = %s',
    space, numbers, space);
END $$;
CREATE FUNCTION repositories_forget_order(space bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, {schema}, pg_temp AS $$
BEGIN
  EXECUTE format('DROP INDEX IF EXISTS vector_order_%s', space);
END $$;
"""


def _functions(_, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_schema())")
        (schema,) = cursor.fetchone()
        cursor.execute(FUNCTIONS.format(schema=schema))


class Migration(migrations.Migration):
    dependencies = [
        ("repositories", "0007_run_figures"),
    ]

    operations = [
        migrations.CreateModel(
            name="Space",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("endpoint", models.CharField(max_length=100)),
                ("model", models.CharField(max_length=200)),
                ("inputs", models.CharField(max_length=10)),
                ("dimension", models.PositiveIntegerField(null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("filling", "Filling"),
                            ("active", "Active"),
                            ("retired", "Retired"),
                        ],
                        default="filling",
                        max_length=10,
                    ),
                ),
                ("ordered", models.BooleanField(default=False)),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("seen", models.CharField(blank=True, default="", max_length=64)),
                ("error", models.TextField(blank=True, default="")),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("paused_until", models.DateTimeField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("token", models.PositiveIntegerField(default=0)),
                ("cancelled", models.BooleanField(default=False)),
                ("spent_on", models.DateField(null=True)),
                ("spent", models.BigIntegerField(default=0)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Vector",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ordinal", models.PositiveIntegerField()),
                ("key", models.BinaryField(max_length=16)),
                ("embedding", pgvector.django.halfvec.HalfVectorField(null=True)),
                (
                    "blob",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="repositories.blob",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vectors",
                        to="repositories.space",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="space",
            constraint=models.UniqueConstraint(
                fields=("endpoint", "model", "inputs"), name="space_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="space",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["filling", "active"])),
                fields=("state",),
                name="one_space_a_state",
            ),
        ),
        migrations.AddConstraint(
            model_name="vector",
            constraint=models.UniqueConstraint(
                fields=("space", "blob", "ordinal"), name="vector_once"
            ),
        ),
        migrations.AddIndex(
            model_name="vector",
            index=models.Index(fields=["key", "space"], name="vector_key"),
        ),
        migrations.RunPython(_functions),
    ]
