"""Turns that are asked as experiments."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0007_ledger"),
    ]

    operations = [
        migrations.AddField(
            model_name="turn",
            name="experiment",
            field=models.BooleanField(default=False),
        ),
    ]
