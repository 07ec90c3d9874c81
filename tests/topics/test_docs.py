"""docs/topics.md says what is true: it names every hook point and entry, and its example runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import topics
from tests.topics import acting
from topics import acts, continuing, hooks, lifecycle, runner

if TYPE_CHECKING:
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
    source = "\n".join(path.read_text() for path in SOURCES.glob("*.py"))
    written = set(re.findall(r"(?:entries)\.(?:event|error|anchor)\(\s*\"(\w+)\"", source))
    written |= {lifecycle.INITIAL, lifecycle.FINALIZED, continuing.RECALL}
    assert {"hook", "turn_ended", "topic_refused"} <= written
    assert [name for name in sorted(written) if f"`{name}`" not in DOCS] == []


def test_P3_the_documented_hook_of_a_third_party_works(
    tape: Tape,
    person: User,
    settings: SettingsWrapper,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module, configuration = CODE
    (tmp_path / "acme_hooks.py").write_text(module)
    monkeypatch.syspath_prepend(tmp_path)
    named: dict[str, Any] = {}
    exec(configuration, named)  # noqa: S102 — the documented settings, as a settings module has them
    settings.TOPIC_HOOKS = named["TOPIC_HOOKS"]
    with pytest.raises(acts.TopicRefused, match="ask your manager"):
        acting.start(tape, person, title="Salary of Li")
    topic = acting.start(tape, person, title="Refunds")
    assert topic.title == "ACME: Refunds"
    lifecycle.finalize(topic.pk, reason="owner", actor=f"person:{person.pk}")
    for hook_run_id in runner.due():
        runner.run(hook_run_id)
    filed = acting.last(tape, "acme_filed")
    assert (filed.topic_id, filed.actor) == (topic.pk, "hook:acme_hooks.file")
