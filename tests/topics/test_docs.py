"""docs/topics.md says what is true: it names every hook point and entry, and its example runs."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connections
from django.db.models.functions import Now

import topics
from tests.topics import acting
from topics import acts, continuing, hooks, lifecycle
from topics.hooks import runner
from topics.models import HookRun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.fixtures import SettingsWrapper

    from kb_agent.accounts.models import User
    from tapes.models import Tape

SOURCES = Path(topics.__file__).parent
DOCS = (SOURCES.parent / "docs" / "topics.md").read_text()
CODE = re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL)


@pytest.mark.parametrize("stage", list(hooks.Stage))
def test_every_hook_point_has_its_heading(stage: hooks.Stage) -> None:
    assert f"### `{stage.value}`" in DOCS


def test_every_anchor_event_and_error_of_topics_is_told() -> None:
    source = "\n".join(path.read_text() for path in SOURCES.rglob("*.py"))
    written = set(re.findall(r"(?:entries)\.(?:event|error|anchor)\(\s*\"(\w+)\"", source))
    written |= {lifecycle.INITIAL, lifecycle.FINALIZED, continuing.RECALL}
    assert {"hook", "turn_ended", "topic_refused"} <= written
    assert [name for name in sorted(written) if f"`{name}`" not in DOCS] == []


def _installed(name: str, module: str, place: Path) -> None:
    """Install a package of one module as pip does: from a wheel, with its metadata."""
    wheel = place / f"{name}-1.0-py3-none-any.whl"
    told = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr(f"{name}.py", module)
        packed.writestr(f"{told}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        packed.writestr(
            f"{told}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        packed.writestr(f"{told}/RECORD", "")
    install = ["install", "--quiet", "--no-index", "--no-deps", "--target", str(place), str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True)


@pytest.fixture
def acme(
    settings: SettingsWrapper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """The documented package, installed, its archive not answering at first, its table there."""
    module, configuration = CODE
    _installed("acme_hooks", module, tmp_path)
    _installed(
        "acme_archive",
        "asked = []\n\n\ndef file(title):\n    asked.append(title)\n"
        "    if len(asked) == 1:\n        raise ConnectionError('no answer')\n    return 7\n",
        tmp_path,
    )
    monkeypatch.syspath_prepend(tmp_path)
    with connections["owner"].cursor() as cursor:
        cursor.execute("CREATE TABLE acme_filed (topic bigint, number int)")
        cursor.execute("GRANT INSERT, SELECT ON acme_filed TO PUBLIC")
    named: dict[str, Any] = {}
    exec(configuration, named)  # noqa: S102 — the documented settings, as a settings module has them
    settings.TOPIC_HOOKS = named["TOPIC_HOOKS"]
    yield
    with connections["owner"].cursor() as cursor:
        cursor.execute("DROP TABLE acme_filed")
    for name in ("acme_hooks", "acme_archive"):
        sys.modules.pop(name, None)


def test_P3_the_documented_package_of_a_third_party_refuses_changes_writes_and_is_retried(
    tape: Tape, person: User, acme: None
) -> None:
    with pytest.raises(acts.TopicRefused, match="ask your manager"):
        acting.start(tape, person, title="Salary of Li")
    topic = acting.start(tape, person, title="Refunds")
    assert topic.title == "ACME: Refunds"
    lifecycle.finalize(topic.pk, reason="owner", actor=f"person:{person.pk}")
    run = HookRun.objects.get(hook="acme_hooks.file")
    assert HookRun.objects.count() > 1, "those of the product are there as before"
    assert runner.run(run.pk)
    assert acting.last(tape, "hook_failed").payload["message"] == "ConnectionError"
    HookRun.objects.filter(pk=run.pk).update(due_at=Now())
    assert runner.run(run.pk)
    filed = acting.last(tape, "acme_filed")
    assert (filed.topic_id, filed.actor) == (topic.pk, "hook:acme_hooks.file")
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT topic, number FROM acme_filed")
        assert cursor.fetchall() == [(topic.pk, 7)]
    run.refresh_from_db()
    assert run.outcome == "filed as 7"
    assert not runner.run(run.pk)
