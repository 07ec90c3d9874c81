"""Named views are opened to others as topics are: a share is of one or of the other."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("topics", "0009_smaller_sums"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="share",
            name="view",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="shares",
                to="topics.namedview",
            ),
        ),
        migrations.AlterField(
            model_name="share",
            name="topic",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="shares",
                to="topics.topic",
            ),
        ),
        migrations.AlterField(
            model_name="sharevisit",
            name="share",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="visits",
                to="topics.share",
            ),
        ),
        migrations.AddIndex(
            model_name="share",
            index=models.Index(
                condition=models.Q(("kind", "person"), ("revoked_at", None)),
                fields=["person", "view"],
                name="view_share_by_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="share",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("topic", None), ("view__isnull", False)),
                    models.Q(("topic__isnull", False), ("view", None)),
                    _connector="OR",
                ),
                name="share_of_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="share",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "person"), ("revoked_at", None)),
                fields=("view", "person"),
                name="view_share_once_a_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="share",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "group"), ("revoked_at", None)),
                fields=("view", "group"),
                name="view_share_once_a_group",
            ),
        ),
        migrations.AddConstraint(
            model_name="share",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "company"), ("revoked_at", None)),
                fields=("view",),
                name="view_share_once_with_the_company",
            ),
        ),
    ]
