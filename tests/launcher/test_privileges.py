"""T2: what the application's role may do on the database itself."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import ProgrammingError, connection, connections, transaction

from kb_agent.accounts.models import User


@pytest.mark.django_db
def test_T2_tests_and_the_product_work_as_the_application() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, session_user")
        assert cursor.fetchone() == ("kb_agent_app", "kb_agent_app")


@pytest.mark.django_db
def test_the_application_reads_and_writes_ordinary_tables() -> None:
    user = User.objects.create(username="lin")
    user.display_name = "Lin"
    user.save()
    user.delete()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE accounts_user CASCADE",
        "DROP TABLE accounts_user",
        "ALTER TABLE tapes_entry DISABLE TRIGGER ALL",
        "CREATE TABLE mine (id int)",
        "SET ROLE kb_agent_owner",
    ],
)
def test_T2_the_application_changes_no_table_itself(statement: str) -> None:
    with pytest.raises(ProgrammingError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_T2_a_partition_made_at_run_time_opens_no_door(committed_database: None) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute("CREATE TABLE parent (id int) PARTITION BY RANGE (id)")
        cursor.execute("CREATE TABLE child PARTITION OF parent FOR VALUES FROM (0) TO (10)")
        try:
            call_command("migrate", verbosity=0)
            rights = [_may(cursor, "parent", "INSERT"), _may(cursor, "child", "SELECT")]
        finally:
            cursor.execute("DROP TABLE parent")
    assert rights == [True, False]


def _may(cursor: object, table: str, right: str) -> bool:
    cursor.execute("SELECT has_table_privilege('kb_agent_app', %s, %s)", [table, right])  # type: ignore[attr-defined]
    return bool(cursor.fetchone()[0])  # type: ignore[attr-defined]
