"""New terms go into two indexes at once: searches read the lists beside them whole."""

import django.contrib.postgres.indexes
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("topics", "0011_spans")]

    operations = [
        migrations.RemoveIndex(model_name="topicterm", name="topic_term_by_trigram"),
        migrations.RemoveIndex(model_name="topicwords", name="topic_words_by_source"),
        migrations.AddIndex(
            model_name="topicterm",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass("term", "gin_trgm_ops"),
                fastupdate=False,
                name="topic_term_by_trigram",
            ),
        ),
        migrations.AddIndex(
            model_name="topicwords",
            index=django.contrib.postgres.indexes.GinIndex(
                condition=models.Q(("whole", True)),
                fastupdate=False,
                fields=["sources"],
                name="topic_words_by_source",
            ),
        ),
    ]
