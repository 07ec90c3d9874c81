"""Switches and runs of hooks; words and pins of topics. Topics there are wait for their words."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import topics.models.finding


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0003_share"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="HookSwitch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("hook", models.CharField(max_length=200, unique=True)),
                ("off", models.BooleanField(default=True)),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PreHookRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("stage", models.CharField(max_length=20)),
                ("hook", models.CharField(max_length=200)),
                ("outcome", models.CharField(max_length=20)),
                ("seconds", models.FloatField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name="TopicIndexing",
            fields=[
                (
                    "topic",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="indexing",
                        serialize=False,
                        to="topics.topic",
                    ),
                ),
                ("stale", models.BooleanField(default=True)),
            ],
        ),
        migrations.CreateModel(
            name="TopicPin",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name="TopicTerm",
            fields=[
                ("term", models.CharField(max_length=64, primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name="TopicWords",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("named", models.BooleanField(default=False)),
                ("whole", models.BooleanField(default=False)),
                (
                    "sources",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), default=list, size=None
                    ),
                ),
                ("words", topics.models.finding.Words()),
            ],
        ),
        migrations.AddIndex(
            model_name="hookrun",
            index=models.Index(fields=["stage", "hook", "-id"], name="hook_run_newest"),
        ),
        migrations.AddIndex(
            model_name="topic",
            index=models.Index(fields=["-last_activity_at", "-id"], name="topic_by_activity"),
        ),
        migrations.AddField(
            model_name="hookswitch",
            name="changed_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="prehookrun",
            index=models.Index(fields=["stage", "hook", "-id"], name="pre_hook_run_newest"),
        ),
        migrations.AddConstraint(
            model_name="prehookrun",
            constraint=models.CheckConstraint(
                condition=models.Q(("stage__in", ["pre_topic_initial", "pre_topic_finalized"])),
                name="pre_hook_run_stage_is_known",
            ),
        ),
        migrations.AddIndex(
            model_name="topicindexing",
            index=models.Index(
                condition=models.Q(("stale", True)), fields=["topic"], name="topic_words_stale"
            ),
        ),
        migrations.AddField(
            model_name="topicpin",
            name="person",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="topic_pins",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="topicpin",
            name="topic",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="pins", to="topics.topic"
            ),
        ),
        migrations.AddIndex(
            model_name="topicterm",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass("term", "gin_trgm_ops"),
                name="topic_term_by_trigram",
            ),
        ),
        migrations.AddField(
            model_name="topicwords",
            name="topic",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="words", to="topics.topic"
            ),
        ),
        migrations.AddConstraint(
            model_name="topicpin",
            constraint=models.UniqueConstraint(
                fields=("person", "topic"), name="topic_pinned_once"
            ),
        ),
        migrations.AddIndex(
            model_name="topicwords",
            index=django.contrib.postgres.indexes.GinIndex(
                fastupdate=False, fields=["words"], name="topic_words_by_word"
            ),
        ),
        migrations.AddIndex(
            model_name="topicwords",
            index=django.contrib.postgres.indexes.GinIndex(
                condition=models.Q(("whole", True)),
                fields=["sources"],
                name="topic_words_by_source",
            ),
        ),
        migrations.AddConstraint(
            model_name="topicwords",
            constraint=models.UniqueConstraint(
                fields=("topic", "named", "sources"), name="topic_words_once_a_source_set"
            ),
        ),
        migrations.AddConstraint(
            model_name="topicwords",
            constraint=models.UniqueConstraint(
                condition=models.Q(("whole", True)),
                fields=("topic",),
                name="topic_words_whole_once",
            ),
        ),
        migrations.RunSQL(
            "INSERT INTO topics_topicindexing (topic_id, stale) SELECT id, true FROM topics_topic",
            migrations.RunSQL.noop,
        ),
    ]
