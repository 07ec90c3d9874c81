"""People, tapes and topics for the tests of this folder; all of it is really committed."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.accounts.models import User
from tapes import store
from tests.topics import acting
from topics import asking

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tapes.models import Tape
    from topics.models import Topic, Turn


@pytest.fixture(autouse=True)
def _real_commits(committed_database: None) -> None:
    """Rules about transactions are tested with transactions."""


@pytest.fixture(autouse=True)
def _own_hooks_alone(settings: Any) -> None:
    """Topics are tested by themselves; what hooks of other layers add is tested with those."""
    settings.TOPIC_HOOKS = {"pre_topic_initial": ["topics.finalize_prev.topic_finalize_prev"]}


@pytest.fixture
def person() -> User:
    """The product manager."""
    return User.objects.create_user("mei", display_name="Mei")


@pytest.fixture
def tape() -> Tape:
    """An empty tape."""
    return store.create("work")


@pytest.fixture
def topic(tape: Tape, person: User) -> Topic:
    """An open topic on that tape."""
    return acting.start(tape, person, title="Refunds")


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module `broken_hooks` that raises, with a password in its words, when it is imported."""
    (tmp_path / "broken_hooks.py").write_text("raise RuntimeError('no login as hunter2')\n")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.fixture
def asked(topic: Topic, person: User) -> Callable[..., Turn]:
    """Ask a question in that topic, each time with a key of its own."""
    keys = count(1)

    def ask(content: str = "Who may refund?", **more: Any) -> Turn:
        question = {
            "asker_id": person.pk,
            "content": content,
            "idempotency_key": f"key {next(keys)}",
            **more,
        }
        return asking.ask(topic.pk, **question)

    return ask
