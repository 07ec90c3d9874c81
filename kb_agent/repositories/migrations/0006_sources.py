"""When sources are fetched, what became of branches and runs, removed repositories, and webhooks."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("repositories", "0005_corrections_and_evaluation"),
    ]

    operations = [
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("sealed", models.TextField()),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("heard_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddField(
            model_name="branch",
            name="missing",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="indexrun",
            name="again",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="indexrun",
            name="error_code",
            field=models.CharField(blank=True, default="", max_length=30),
        ),
        migrations.AddField(
            model_name="indexrun",
            name="phase_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="indexrun",
            name="queued_at",
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
        ),
        migrations.AddField(
            model_name="repository",
            name="error_code",
            field=models.CharField(blank=True, default="", max_length=30),
        ),
        migrations.AddField(
            model_name="repository",
            name="follows_default",
            # What stands there was named by a person, as far as anyone knows.
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name="repository",
            name="follows_default",
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name="repository",
            name="next_fetch_at",
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
        ),
        migrations.AddField(
            model_name="repository",
            name="removed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="repository",
            name="schedule_minutes",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name="repository",
            name="name",
            field=models.CharField(max_length=100),
        ),
        migrations.AddConstraint(
            model_name="repository",
            constraint=models.UniqueConstraint(
                condition=models.Q(("removed_at", None)),
                fields=("name",),
                name="repository_name_once",
            ),
        ),
        migrations.AddField(
            model_name="webhook",
            name="repository",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="webhook",
                to="repositories.repository",
            ),
        ),
        migrations.AddField(
            model_name="delivery",
            name="webhook",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="deliveries",
                to="repositories.webhook",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.UniqueConstraint(fields=("webhook", "digest"), name="delivery_once"),
        ),
    ]
