"""Sums by thirds of a month and by month beside those by day, two more of code, and what ranks topics.

All of them are filled here, in the transaction that makes them, so that nobody reads half of a sum.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

SUMS = [
    *("calls", "turns", "failed", "retries", "unpriced"),
    *("input", "cached", "output", "reasoning", "amount"),
]
# As rolling.py has it: whoever adds calls up waits until this is done.
ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('topics.ledger.rolling', 0))"
# Else rows written below could still be waiting for a check when a table is changed at the end.
CHECKED_AT_ONCE = "SET CONSTRAINTS ALL IMMEDIATE"
FIRST_DAYS = {
    1: "day",
    10: "date_trunc('month', day)::date + least((extract(day FROM day)::int - 1) / 10, 2) * 10",
    31: "date_trunc('month', day)::date",
}
SPANNED = {
    "topics_costday": "payer_id, model, purpose",
    "topics_costmodelday": "model, purpose",
    "topics_costpayerday": "payer_id",
    "topics_costcodeday": "repository",
}
FINER = {
    "topics_costcodemodelday": "repository, model, purpose",
    "topics_costcodepayerday": "repository, payer_id",
}
RANKED = {
    "topics_topicuseday": ("payer_id, purpose, model", ""),
    "topics_topiccodeday": (
        "payer_id, repository",
        "CROSS JOIN LATERAL unnest(repositories) AS repository",
    ),
}


def spanned(table: str, source: str, keys: str, span: int) -> str:
    """The statement that adds up one span of a table from the days of another."""
    names, sums = ", ".join(SUMS), ", ".join(f"sum({name})" for name in SUMS)
    only = "WHERE span = 1" if table == source else ""
    return (
        f"INSERT INTO {table} (span, day, {keys}, currency, {names})"  # noqa: S608 — constants of this module
        f" SELECT {span}, {FIRST_DAYS[span]}, {keys}, currency, {sums} FROM {source} {only}"
        f" GROUP BY 2, {keys}, currency"
    )


def ranked(table: str, keys: str, in_view: str) -> str:
    """The statement that adds up what topics are ranked by, of the calls that the sums hold."""
    return f"""
    INSERT INTO {table} (day, topic, {keys}, currency, calls, tokens, amount)
    SELECT day, topic_id, {keys}, currency, count(*),
        sum(coalesce(input, 0) + coalesce(cached, 0) + coalesce(output, 0) + coalesce(reasoning, 0)),
        sum(coalesce(amount, 0))
    FROM topics_call {in_view} WHERE rolled AND topic_id IS NOT NULL
    GROUP BY day, topic_id, {keys}, currency"""  # noqa: S608 — constants of this module


FILLED = [
    *(spanned(table, table, keys, span) for table, keys in SPANNED.items() for span in (10, 31)),
    *(
        spanned(table, "topics_costrepositoryday", keys, span)
        for table, keys in FINER.items()
        for span in (1, 10, 31)
    ),
    *(ranked(table, *of) for table, of in RANKED.items()),
]


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0010_shared_views"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(ALONE, migrations.RunSQL.noop),
        migrations.CreateModel(
            name="CostCodeModelDay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("currency", models.CharField(blank=True, default="", max_length=3)),
                ("calls", models.BigIntegerField(default=0)),
                ("turns", models.BigIntegerField(default=0)),
                ("failed", models.BigIntegerField(default=0)),
                ("retries", models.BigIntegerField(default=0)),
                ("unpriced", models.BigIntegerField(default=0)),
                ("input", models.BigIntegerField(default=0)),
                ("cached", models.BigIntegerField(default=0)),
                ("output", models.BigIntegerField(default=0)),
                ("reasoning", models.BigIntegerField(default=0)),
                ("amount", models.DecimalField(decimal_places=12, default=0, max_digits=30)),
                (
                    "span",
                    models.SmallIntegerField(
                        choices=[(1, "Day"), (10, "Ten Days"), (31, "Month")], default=1
                    ),
                ),
                ("day", models.DateField()),
                ("repository", models.BigIntegerField()),
                ("model", models.CharField(max_length=200)),
                ("purpose", models.CharField(max_length=40)),
            ],
        ),
        migrations.CreateModel(
            name="CostCodePayerDay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("currency", models.CharField(blank=True, default="", max_length=3)),
                ("calls", models.BigIntegerField(default=0)),
                ("turns", models.BigIntegerField(default=0)),
                ("failed", models.BigIntegerField(default=0)),
                ("retries", models.BigIntegerField(default=0)),
                ("unpriced", models.BigIntegerField(default=0)),
                ("input", models.BigIntegerField(default=0)),
                ("cached", models.BigIntegerField(default=0)),
                ("output", models.BigIntegerField(default=0)),
                ("reasoning", models.BigIntegerField(default=0)),
                ("amount", models.DecimalField(decimal_places=12, default=0, max_digits=30)),
                (
                    "span",
                    models.SmallIntegerField(
                        choices=[(1, "Day"), (10, "Ten Days"), (31, "Month")], default=1
                    ),
                ),
                ("day", models.DateField()),
                ("repository", models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="TopicCodeDay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("currency", models.CharField(blank=True, default="", max_length=3)),
                ("calls", models.BigIntegerField(default=0)),
                ("tokens", models.BigIntegerField(default=0)),
                ("amount", models.DecimalField(decimal_places=12, default=0, max_digits=30)),
                ("repository", models.BigIntegerField()),
                ("topic", models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="TopicUseDay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("currency", models.CharField(blank=True, default="", max_length=3)),
                ("calls", models.BigIntegerField(default=0)),
                ("tokens", models.BigIntegerField(default=0)),
                ("amount", models.DecimalField(decimal_places=12, default=0, max_digits=30)),
                ("purpose", models.CharField(max_length=40)),
                ("model", models.CharField(max_length=200)),
                ("topic", models.BigIntegerField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="costcodeday",
            name="cost_code_day_once",
        ),
        migrations.RemoveConstraint(
            model_name="costday",
            name="cost_day_once",
        ),
        migrations.RemoveConstraint(
            model_name="costmodelday",
            name="cost_model_day_once",
        ),
        migrations.RemoveConstraint(
            model_name="costpayerday",
            name="cost_payer_day_once",
        ),
        migrations.AddField(
            model_name="costcodeday",
            name="span",
            field=models.SmallIntegerField(
                choices=[(1, "Day"), (10, "Ten Days"), (31, "Month")], default=1
            ),
        ),
        migrations.AddField(
            model_name="costday",
            name="span",
            field=models.SmallIntegerField(
                choices=[(1, "Day"), (10, "Ten Days"), (31, "Month")], default=1
            ),
        ),
        migrations.AddField(
            model_name="costmodelday",
            name="span",
            field=models.SmallIntegerField(
                choices=[(1, "Day"), (10, "Ten Days"), (31, "Month")], default=1
            ),
        ),
        migrations.AddField(
            model_name="costpayerday",
            name="span",
            field=models.SmallIntegerField(
                choices=[(1, "Day"), (10, "Ten Days"), (31, "Month")], default=1
            ),
        ),
        migrations.AlterField(
            model_name="costday",
            name="payer",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="costday",
            index=models.Index(fields=["payer", "span", "day"], name="cost_day_by_payer"),
        ),
        migrations.AddIndex(
            model_name="costday",
            index=models.Index(
                condition=models.Q(("span", 1), ("unpriced__gt", 0)),
                fields=["day"],
                name="cost_day_unpriced",
            ),
        ),
        migrations.AddConstraint(
            model_name="costcodeday",
            constraint=models.UniqueConstraint(
                fields=("span", "day", "repository", "currency"),
                name="cost_code_day_once",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="costday",
            constraint=models.UniqueConstraint(
                fields=("span", "day", "payer", "model", "purpose", "currency"),
                name="cost_day_once",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="costmodelday",
            constraint=models.UniqueConstraint(
                fields=("span", "day", "model", "purpose", "currency"),
                name="cost_model_day_once",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="costpayerday",
            constraint=models.UniqueConstraint(
                fields=("span", "day", "payer", "currency"),
                name="cost_payer_day_once",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="costcodemodelday",
            constraint=models.UniqueConstraint(
                fields=("span", "day", "repository", "model", "purpose", "currency"),
                name="cost_code_model_day_once",
                nulls_distinct=False,
            ),
        ),
        migrations.AddField(
            model_name="costcodepayerday",
            name="payer",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="topiccodeday",
            name="payer",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="topicuseday",
            name="payer",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="costcodepayerday",
            index=models.Index(
                fields=["payer", "span", "day"], name="cost_code_payer_day_by_payer"
            ),
        ),
        migrations.AddConstraint(
            model_name="costcodepayerday",
            constraint=models.UniqueConstraint(
                fields=("repository", "span", "day", "payer", "currency"),
                name="cost_code_payer_day_once",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="topiccodeday",
            constraint=models.UniqueConstraint(
                fields=("repository", "day", "topic", "payer", "currency"),
                include=("amount", "tokens", "calls"),
                name="topic_code_day_once",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="topicuseday",
            constraint=models.UniqueConstraint(
                fields=("purpose", "model", "day", "topic", "payer", "currency"),
                include=("amount", "tokens", "calls"),
                name="topic_use_day_once",
                nulls_distinct=False,
            ),
        ),
        migrations.RunSQL(CHECKED_AT_ONCE, migrations.RunSQL.noop),
        *(migrations.RunSQL(each, migrations.RunSQL.noop) for each in FILLED),
        *(
            migrations.RunSQL(migrations.RunSQL.noop, f"DELETE FROM {table} WHERE span > 1")  # noqa: S608
            for table in SPANNED
        ),
    ]
