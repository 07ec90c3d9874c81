"""What finished topics are recalled by, and the functions by which the owner makes and drops indexes of its vectors."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
import pgvector.django.halfvec
from django.db import migrations, models

# As for the vectors of code: an index of one space, made by the owner's rights.
FUNCTIONS = """
CREATE FUNCTION topics_order_recall(space bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, {schema}, pg_temp AS $$
DECLARE
  numbers integer;
BEGIN
  SELECT dimension INTO STRICT numbers FROM topics_recallspace WHERE id = space;
  EXECUTE format(
    'CREATE INDEX IF NOT EXISTS recall_order_%s ON topics_recallvector'
    ' USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops) WHERE space_id = %s',
    space, numbers, space);
END $$;
CREATE FUNCTION topics_forget_recall_order(space bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, {schema}, pg_temp AS $$
BEGIN
  EXECUTE format('DROP INDEX IF EXISTS recall_order_%s', space);
END $$;
"""


def _functions(_, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_schema())")
        (schema,) = cursor.fetchone()
        cursor.execute(FUNCTIONS.format(schema=schema))


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0005_facts"),
    ]

    operations = [
        migrations.CreateModel(
            name="RecallSpace",
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
                ("serves", models.BooleanField(default=False)),
                ("ordered", models.BooleanField(default=False)),
                ("paused_until", models.DateTimeField(null=True)),
                ("error", models.TextField(blank=True, default="")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("endpoint", "model", "inputs"), name="recall_space_once"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("serves", True)),
                        fields=("serves",),
                        name="one_recall_space_serves",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Recollection",
            fields=[
                (
                    "topic",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="recollection",
                        serialize=False,
                        to="topics.topic",
                    ),
                ),
                ("language", models.CharField(max_length=2)),
                (
                    "words",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), default=list, size=None
                    ),
                ),
                ("landed", models.JSONField(default=list)),
                ("cited", models.JSONField(default=list)),
                ("text", models.TextField(blank=True, default="")),
                (
                    "sources",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
            options={
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        fields=["words"], name="recollection_by_words"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RecallVector",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("embedding", pgvector.django.halfvec.HalfVectorField(null=True)),
                (
                    "space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vectors",
                        to="topics.recallspace",
                    ),
                ),
                (
                    "recollection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vectors",
                        to="topics.recollection",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("space", "recollection"), name="recall_vector_once"
                    )
                ],
            },
        ),
        migrations.RunPython(_functions),
    ]
