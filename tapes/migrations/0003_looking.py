"""What the last check of a tape found, and an index for corrections, shown beside what they correct."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tapes", "0002_stores"),
    ]

    operations = [
        migrations.CreateModel(
            name="Verification",
            fields=[
                (
                    "tape",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="verification",
                        serialize=False,
                        to="tapes.tape",
                    ),
                ),
                ("requested_at", models.DateTimeField()),
                ("at", models.DateTimeField(null=True)),
                ("ok", models.BooleanField(null=True)),
                ("first_bad_seq", models.BigIntegerField(null=True)),
                ("reason", models.TextField(blank=True, default="")),
                ("entries", models.BigIntegerField(null=True)),
            ],
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                condition=models.Q(("kind", "event"), ("payload__name", "correction")),
                fields=["tape", "seq"],
                name="tapes_entry_correction",
            ),
        ),
    ]
