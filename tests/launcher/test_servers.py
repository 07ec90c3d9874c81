"""The embedded servers live exactly as long as someone uses them."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import psycopg
import pytest

from kb_agent.launcher import servers
from kb_agent.launcher.place import BASE_DIR, Place
from tests.launcher.conftest import (
    SOON,
    environment,
    keeper_of,
    kill,
    postgres_of,
    running_in,
    until,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.launcher.conftest import HolderMaker


def query(place: Place, statement: str, role: str = "postgres") -> list[tuple[object, ...]]:
    """Rows of one statement; nothing is kept open."""
    address = {"host": str(place.sockets), "user": role, "dbname": "kb_agent"}
    with psycopg.connect(**address, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def test_R1_servers_start_with_the_first_user_and_stop_with_the_last(
    place: Place, hold: HolderMaker
) -> None:
    first, second = hold(), hold()
    first.await_held()
    second.await_held()
    first.end()
    assert query(place, "SELECT 1") == [(1,)]
    second.end()
    assert until(lambda: not running_in(place), seconds=SOON)


def test_R1_commands_started_at_the_same_moment_share_one_keeper(
    place: Place, hold: HolderMaker
) -> None:
    holders = [hold() for _ in range(6)]
    for holder in holders:
        holder.await_held()
    keepers = running_in(place, "kb_agent.launcher.keeper")
    assert [keeper.pid for keeper in keepers] == [keeper_of(place).pid]


def test_R1_commands_one_right_after_the_other_never_meet_a_stopping_server(
    place: Place, hold: HolderMaker
) -> None:
    for _ in range(4):
        holder = hold()
        holder.await_held()
        assert query(place, "SELECT 1") == [(1,)]
        holder.kill()


def test_R1_killing_the_last_user_leaves_no_process_behind(place: Place, hold: HolderMaker) -> None:
    holder = hold()
    holder.await_held()
    holder.kill()
    assert until(lambda: not running_in(place), seconds=SOON)


def test_R1_a_killed_postgres_is_started_again_with_its_data(
    place: Place, hold: HolderMaker
) -> None:
    hold().await_held()
    query(place, "CREATE TABLE kept AS SELECT 42 AS n")
    killed = postgres_of(place)
    kill(killed)
    assert until(lambda: answers(place), seconds=SOON)
    assert query(place, "SELECT n FROM kept") == [(42,)]


def test_R1_after_the_keeper_is_killed_the_next_command_starts_another(
    place: Place, hold: HolderMaker
) -> None:
    hold().await_held()
    query(place, "CREATE TABLE kept AS SELECT 42 AS n")
    killed = keeper_of(place)
    kill(killed)
    hold().await_held()
    assert keeper_of(place).pid != killed.pid
    assert query(place, "SELECT n FROM kept") == [(42,)]


def test_a_long_path_gets_its_sockets_in_a_short_folder(place: Place, hold: HolderMaker) -> None:
    long = Place(place.var / ("long" * 30))
    place.var.mkdir(mode=0o711)
    with servers.use(long):
        assert query(long, "SELECT 1") == [(1,)]
        assert len(str(long.postgres_socket)) < 108
    assert until(lambda: not running_in(long), seconds=SOON)
    long.sockets.rmdir()


def test_R1_a_folder_below_closed_ones_works_for_root_too(place: Place, hold: HolderMaker) -> None:
    place.var.parent.chmod(0o700)
    hold().await_held()
    assert query(place, "SELECT 1") == [(1,)]


def test_only_this_user_reaches_the_servers(place: Place, hold: HolderMaker) -> None:
    hold().await_held()
    for folder in (place.sockets, place.postgres_data, place.valkey_data, place.locks):
        assert folder.stat().st_mode & 0o077 == 0, folder


def test_R6_the_database_is_utf8_with_one_locale_and_its_extensions(
    place: Place, hold: HolderMaker
) -> None:
    hold().await_held()
    statement = (
        "SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale, datcollate"
        " FROM pg_database WHERE datname = current_database()"
    )
    assert query(place, statement) == [("UTF8", "b", "C.UTF-8", "C.UTF-8")]
    extensions = {name for (name,) in query(place, "SELECT extname FROM pg_extension")}
    assert {"vector", "pg_trgm"} <= extensions


def test_T2_neither_role_is_a_superuser(place: Place, hold: HolderMaker) -> None:
    hold().await_held()
    for role in ("kb_agent_owner", "kb_agent_app"):
        assert query(place, "SELECT current_setting('is_superuser')", role) == [("off",)]


def test_a_folder_that_cannot_be_made_is_one_clear_sentence() -> None:
    said = command_in("/sys/kb-agent")
    assert said.returncode == 1
    assert said.stderr.startswith("No permission to write to /sys/kb-agent")
    assert len(said.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("database", "redis", "needed"),
    [
        ("", "", ["postgres", "valkey"]),
        ("postgres://db/kb", "", ["valkey"]),
        ("postgres://db/kb", "redis://cache", []),
    ],
)
def test_R1_a_server_named_by_its_url_is_not_started(
    monkeypatch: pytest.MonkeyPatch, database: str, redis: str, needed: list[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.setenv("REDIS_URL", redis)
    assert servers.needed() == needed


def answers(place: Place) -> bool:
    """Whether a query goes through."""
    try:
        return query(place, "SELECT 1") == [(1,)]
    except psycopg.OperationalError:
        return False


def command_in(folder: Path | str) -> subprocess.CompletedProcess[str]:
    """`manage.py check` with its data there."""
    variables = {**environment(Place(BASE_DIR)), "KB_AGENT_VAR": os.fspath(folder)}
    command = [sys.executable, "manage.py", "check"]
    return subprocess.run(
        command, cwd=BASE_DIR, env=variables, capture_output=True, text=True, check=False
    )
