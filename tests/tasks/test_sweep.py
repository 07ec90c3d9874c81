"""The sweep: what could not be sent is sent again, and one trouble hides no other."""

from __future__ import annotations

import pytest

from kb_agent import tasks
from tests.api import company
from topics.models import Topic


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What is put on the queue, by task name and row."""
    put: list[tuple[str, int]] = []
    for task in (tasks.run_turn, tasks.run_hook, tasks.index_repository):
        monkeypatch.setattr(
            task, "apply_async", lambda args, name=task.name, **_: put.append((name, args[0]))
        )
    return put


def test_R2_a_topic_that_cannot_be_ended_hides_no_waiting_turn(
    committed_database: None, sent: list[tuple[str, int]], settings: object
) -> None:
    founded = company.founded()
    Topic.objects.filter(pk=founded.topic.pk).update(
        finalize_requested="owner", finalize_actor="system"
    )
    settings.TOPIC_HOOKS = {"pre_topic_finalized": ["nowhere.at_all"]}  # type: ignore[attr-defined]
    waiting = company.asked(company.opened(founded.colleague), "Who?")
    sent.clear()
    tasks.sweep()
    assert ("kb_agent.tasks.run_turn", waiting.pk) in sent
