"""Have the words of every topic made anew: some may count an answer's among those of its title."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    """The sweep makes them, some hundred topics at a time; until then the old ones serve."""

    dependencies: ClassVar = [("topics", "0012_terms_at_once")]

    operations: ClassVar = [
        migrations.RunSQL("UPDATE topics_topicindexing SET stale = true", migrations.RunSQL.noop)
    ]
