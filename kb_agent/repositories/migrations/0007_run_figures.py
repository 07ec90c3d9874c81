"""What an index run counts more: symbols, and files left out."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("repositories", "0006_sources"),
    ]

    operations = [
        migrations.AddField(
            model_name="indexrun",
            name="skipped",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="indexrun",
            name="symbols",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
