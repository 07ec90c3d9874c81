"""Settings are documented, and mean what they say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from django.conf import settings

from kb_agent.doctor.configuration import known_names
from kb_agent.launcher.place import BASE_DIR


def test_every_variable_has_its_heading_and_no_heading_is_left_over() -> None:
    text = (BASE_DIR / "docs" / "settings.md").read_text()
    assert set(re.findall(r"(?m)^### `([A-Z_]+)`$", text)) == known_names()


IDLE = "-c idle_in_transaction_session_timeout=30s"


def databases(**variables: str) -> dict[str, dict[str, str]]:
    """The two aliases as a process with these variables sees them."""
    code = (
        "import json; from django.conf import settings; print(json.dumps({alias:"
        " {'user': d['USER'], 'host': d['HOST'], 'options': d['OPTIONS'].get('options', ''),"
        " 'password': d.get('PASSWORD', ''), 'name': d['NAME']}"
        " for alias, d in settings.DATABASES.items()}))"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "kb_agent.settings", **variables}
    said = subprocess.run(
        [sys.executable, "-c", code],
        cwd=BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(json.loads(said.stdout))


def test_T2_by_default_two_roles_use_the_embedded_server() -> None:
    found = databases()
    assert found["default"]["user"] == "kb_agent_app"
    assert found["owner"]["user"] == "kb_agent_owner"
    assert found["default"]["host"] == found["owner"]["host"] == str(settings.PLACE.sockets)


def test_T2_one_url_serves_both_and_the_application_lowers_its_own_rights() -> None:
    found = databases(DATABASE_URL="postgres://kb:s%2Fcret@db.example:5433/knowledge")
    assert found["owner"] == {
        "user": "kb",
        "host": "db.example",
        "options": "",
        "password": "s/cret",
        "name": "knowledge",
    }
    assert found["default"] == found["owner"] | {"options": f"-c role=kb_agent_app {IDLE}"}


def test_T2_two_urls_are_two_logins() -> None:
    found = databases(
        DATABASE_URL="postgres://app:a@db.example/kb",
        DATABASE_OWNER_URL="postgres://owner:b@db.example/kb",
    )
    assert (found["default"]["user"], found["owner"]["user"]) == ("app", "owner")
    assert (found["default"]["options"], found["owner"]["options"]) == (IDLE, "")


def test_R3_an_idle_transaction_of_the_application_lasts_as_long_as_a_lease() -> None:
    address = "postgres://kb:x@db.example/kb?options=-c%20work_mem%3D8MB"
    found = databases(DATABASE_URL=address, KB_AGENT_TURN_LEASE_SECONDS="7")
    assert found["default"]["options"] == (
        "-c work_mem=8MB -c role=kb_agent_app -c idle_in_transaction_session_timeout=7s"
    )


@pytest.mark.parametrize(
    ("redis_url", "broker_url"),
    [
        ("redis://cache.example:6379/2", "redis://cache.example:6379/2"),
        ("unix:///run/v.sock?db=3", "redis+socket:///run/v.sock?virtual_host=3"),
    ],
)
def test_celery_uses_the_same_redis(redis_url: str, broker_url: str) -> None:
    code = "from kb_agent.celery import app; print(app.conf.broker_url)"
    said = subprocess.run(
        [sys.executable, "-c", code],
        cwd=BASE_DIR,
        env={**os.environ, "REDIS_URL": redis_url},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == broker_url


def test_no_secret_is_shown_when_settings_are_printed() -> None:
    code = "from kb_agent.settings import ENVIRONMENT; print(repr(ENVIRONMENT))"
    said = subprocess.run(
        [sys.executable, "-c", code],
        cwd=BASE_DIR,
        env={
            **os.environ,
            "KB_AGENT_LLM_API_KEY": "sk-very-secret",
            "DATABASE_URL": "postgres://u:very-secret@h/d",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert "very-secret" not in said.stdout
