"""Hooks over HTTP and on the command line: listed in their order, switched, audited."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from kb_agent.accounts.models import Audit
from tests.api.company import browser

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

    from tests.api.company import Company

ESSENTIAL = "topics.finalize_prev.topic_finalize_prev"
NOTE = "tests.topics.sample_hooks.note"


@pytest.fixture(autouse=True)
def _hooked(settings: SettingsWrapper) -> None:
    settings.TOPIC_HOOKS = {
        "pre_topic_initial": [ESSENTIAL, "nowhere.at.all"],
        "post_topic_finalized": [NOTE],
    }


def test_P4_the_page_lists_stage_order_hook_what_it_does_and_figures(small: Company) -> None:
    first, broken, note = browser(small.administrator).get("/api/hooks").json()["results"]
    assert (first["stage"], first["order"], first["hook"]) == ("pre_topic_initial", 1, ESSENTIAL)
    assert all(first[name] for name in ("essential", "on", "does_en", "does_zh"))
    assert (broken["order"], broken["problem"]) == (
        2,
        "nowhere.at.all cannot be imported: ModuleNotFoundError",
    )
    assert (note["does_en"], note["does_zh"]) == ("Notes something on the tape.", "")
    assert note["figures"]["runs"] == 0


def test_P4_switching_is_audited_once_and_shown(small: Company) -> None:
    client = browser(small.administrator)
    client.patch(f"/api/hooks/{NOTE}", {"on": False}, format="json")
    answer = client.patch(f"/api/hooks/{NOTE}", {"on": False}, format="json")
    note = answer.json()["results"][-1]
    assert (note["on"], note["changed_by"]) == (False, small.administrator.shown_name)
    lines = Audit.objects.filter(action__startswith="hook_")
    assert list(lines.values_list("actor", "action", "object")) == [
        (small.administrator.pk, "hook_switched_off", f"hook:{NOTE}")
    ]


def test_P4_an_essential_hook_is_refused_by_name(small: Company) -> None:
    client = browser(small.administrator)
    answer = client.patch(f"/api/hooks/{ESSENTIAL}", {"on": False}, format="json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "hook_essential")
    answer = client.patch("/api/hooks/no.such.hook", {"on": False}, format="json")
    assert answer.status_code == 404


def test_P4_the_command_shows_and_switches(small: Company) -> None:
    out = StringIO()
    call_command("hooks", "--off", NOTE, "--json", stdout=out)
    shown = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [each["on"] for each in shown] == [True, True, False]
    out = StringIO()
    call_command("hooks", "--on", NOTE, stdout=out)
    assert f"1. {NOTE} (on): Notes something on the tape. [no runs]" in out.getvalue()
    with pytest.raises(CommandError, match="essential"):
        call_command("hooks", "--off", ESSENTIAL)
