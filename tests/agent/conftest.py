"""A shop's code under git and in the index, people with and without a grant, and turns to run."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Group

from kb_agent.accounts.models import User
from kb_agent.agent import loop
from kb_agent.llm import endpoints, scripted
from tapes import store
from tests.agent import shops
from topics import asking, lifecycle, turns
from topics.models import Turn

if TYPE_CHECKING:
    from pathlib import Path

    from kb_agent.repositories.models import Repository
    from topics.models import Topic

Ask = Callable[..., Turn]
Run = Callable[[Turn], Turn]
Model = Callable[..., scripted.ScriptedServer]

RETRY = '''\
"""How failed refunds are tried again."""

MAX_ATTEMPTS = 3
BACKOFF = (60, 600, 3600)  # 秒


def retry_failed(refund, now):
    """退款失败后自动重试，最多 MAX_ATTEMPTS 次。"""
    if refund.attempts >= MAX_ATTEMPTS:
        return to_manual(refund, reason="exhausted")
    refund.attempts += 1
    return send(refund)
'''
MANUAL = '''\
def to_manual(refund, reason):
    """转为人工处理，并通知运营。"""
    refund.state = "manual"
'''
SALARY = '''\
def salary_of(person):
    """工资的计算方法：底薪加奖金。"""
    return person.base + person.bonus
'''


@pytest.fixture(autouse=True)
def _real_commits(committed_database: None) -> None:
    """The pulse has a connection of its own: only what is committed is seen by it."""


@pytest.fixture
def staff() -> Group:
    """The group that may read the shop."""
    return Group.objects.create(name="staff")


@pytest.fixture
def shop(staff: Group, tmp_path: Path) -> Repository:
    """A small repository about refunds."""
    files = {"payments/retry.py": RETRY, "payments/manual.py": MANUAL}
    return shops.indexed("shop", files, group=staff, place=tmp_path / "shop")


@pytest.fixture
def payroll(tmp_path: Path) -> Repository:
    """A repository that the product manager may not read."""
    group = Group.objects.create(name="human resources")
    return shops.indexed("payroll", {"salary.py": SALARY}, group=group, place=tmp_path / "payroll")


@pytest.fixture
def mei(staff: Group) -> User:
    """The product manager."""
    person = User.objects.create_user("mei", display_name="Mei", language="zh")
    person.groups.add(staff)
    return person


@pytest.fixture
def topic(mei: User) -> Topic:
    """Mei's open topic on a fresh tape."""
    tape = store.create("refunds")
    return lifecycle.start(tape_id=tape.pk, owner_id=mei.pk, title="退款", actor=f"person:{mei.pk}")


@pytest.fixture
def ask(topic: Topic, mei: User) -> Ask:
    """Ask in that topic; the turn waits."""
    keys = count(1)

    def asked(content: str = "退款失败后会自动重试吗？", **more: Any) -> Turn:
        question: dict[str, Any] = {
            "asker_id": mei.pk,
            "content": content,
            "idempotency_key": f"key {next(keys)}",
            "language": "zh",
            **more,
        }
        return asking.ask(topic.pk, **question)

    return asked


@pytest.fixture
def run() -> Run:
    """Claim a turn and carry it to its end, as the worker does."""

    def carried(turn: Turn) -> Turn:
        claimed = turns.claim(turn.pk, "test")
        assert claimed is not None
        loop.run(claimed, asker=claimed.turn.asker)
        return Turn.objects.get(pk=turn.pk)

    return carried


@pytest.fixture
def model() -> Model:
    """Connect the scripted model as the only endpoint."""

    def connected(server: scripted.ScriptedServer, **terms: Any) -> scripted.ScriptedServer:
        endpoints.add("scripted", base_url=server.url, model="m", terms=endpoints.Terms(**terms))
        return server

    return connected
