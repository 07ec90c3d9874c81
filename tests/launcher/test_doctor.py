"""The doctor sees what is missing and says what to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.db import connections

from kb_agent import doctor
from kb_agent.doctor import archive, configuration, database, machine, services
from kb_agent.launcher.place import BASE_DIR
from tests.flows.harness import child_environment

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from tests.flows.harness import Process


def by_name(findings: list[doctor.Finding]) -> dict[str, doctor.Finding]:
    """Findings by their names."""
    return {finding.name: finding for finding in findings}


@pytest.mark.usefixtures("committed_database")
def test_R6_a_sound_installation_has_no_failure(worker: Process) -> None:
    found = doctor.examine()
    assert worker.popen.poll() is None
    failures = [f for f in found if f.level is doctor.Level.FAILED and f.name != "pages"]
    assert failures == []
    names = by_name(found)
    for name in ("postgresql", "locale", "extension vector", "roles", "tape rights", "redis"):
        assert names[name].level is doctor.Level.OK, names[name]
    assert names["worker turns"].level is doctor.Level.OK


@pytest.mark.usefixtures("committed_database")
def test_R6_without_a_worker_it_says_what_to_run() -> None:
    finding = by_name(list(services.look()))["worker turns"]
    assert finding.level is doctor.Level.WARNING
    assert "python -m kb_agent.launcher turns" in finding.advice


def test_T2_R6_a_right_that_came_back_is_found(committed_database: None) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute("GRANT DELETE ON tapes_entry TO kb_agent_app")
        try:
            finding = by_name(list(database.look()))["tape rights"]
        finally:
            cursor.execute("REVOKE DELETE ON tapes_entry FROM kb_agent_app")
    assert finding.level is doctor.Level.FAILED
    assert "DELETE on tapes_entry" in finding.said


def test_R6_redis_that_does_not_answer_is_found(settings: SettingsWrapper) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    (finding,) = list(services.look())
    assert finding.level is doctor.Level.FAILED
    assert "REDIS_URL" in finding.advice


@pytest.mark.usefixtures("committed_database")
def test_R6_an_archive_that_takes_nothing_is_found(
    settings: SettingsWrapper, tmp_path: Path
) -> None:
    settings.TAPES_ARCHIVE = {**settings.TAPES_ARCHIVE, "url": tmp_path.as_uri()}
    (finding,) = list(archive.look())
    assert (finding.level, finding.said.split(", ", 1)[1]) == (
        doctor.Level.OK,
        "0 tapes copied, 0 of them only there",
    )
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    (tmp_path / "file").touch()
    settings.TAPES_ARCHIVE = {**settings.TAPES_ARCHIVE, "url": (tmp_path / "file").as_uri()}
    (finding,) = list(archive.look())
    assert finding.level is doctor.Level.FAILED
    assert "KB_AGENT_ARCHIVE_URL" in finding.advice


def test_R6_a_misspelt_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_AGENT_TURN_TREADS", "4")
    finding = by_name(list(configuration.look()))["variables"]
    assert finding.level is doctor.Level.WARNING
    assert "KB_AGENT_TURN_TREADS" in finding.said


def test_R6_a_lease_shorter_than_two_heartbeats_fails(settings: SettingsWrapper) -> None:
    settings.TURN_LEASE_SECONDS, settings.TURN_HEARTBEAT_SECONDS = 10, 8
    assert by_name(list(configuration.look()))["turn lease"].level is doctor.Level.FAILED


def test_R6_a_key_others_can_read_is_found(settings: SettingsWrapper) -> None:
    key = settings.VAR / "secret-key"
    key.chmod(0o644)
    try:
        finding = by_name(list(machine.look()))["secret-key"]
    finally:
        key.chmod(0o600)
    assert finding.level is doctor.Level.FAILED


def test_R6_the_command_exits_1_on_a_failure_and_prints_json(committed_database: None) -> None:
    said = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--json"],
        cwd=BASE_DIR,
        env={**child_environment(), "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 1
    found = {finding["name"]: finding for finding in json.loads(said.stdout)}
    assert found["database (default)"]["level"] == "failed"
    assert "DATABASE_URL" in found["database (default)"]["advice"]
    assert os.path.sep in found["data folder"]["said"]
