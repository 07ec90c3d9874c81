"""A small company with indexed code, browsers, and one real worker for a whole file of tests."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Group

from kb_agent.llm import endpoints
from tests.agent import shops
from tests.api import company
from tests.flows import aftermath, harness, wholeness
from tests.flows.steady import SteadyServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kb_agent.accounts.models import User
    from kb_agent.repositories.models import Repository

RETRY = '''\
"""How failed refunds are tried again."""

MAX_ATTEMPTS = 3
BACKOFF = (60, 600, 3600)


def retry_failed(refund, now):
    """退款失败后自动重试,最多 MAX_ATTEMPTS 次。"""
    if refund.attempts >= MAX_ATTEMPTS:
        return to_manual(refund, reason="exhausted")
    refund.attempts += 1
    return send(refund)
'''
MANUAL = '''\
def to_manual(refund, reason):
    """转为人工处理,并通知运营。"""
    refund.state = "manual"
'''


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Before a test's model goes: a hook that asks it once more would try for seconds, into the next test."""
    if "shop" in getattr(item, "funcargs", {}):
        aftermath.let_rest()


@pytest.fixture
def shop(committed_database: None, tmp_path: Path) -> Repository:
    """A small repository about refunds, read by the group `product`."""
    files = {"payments/retry.py": RETRY, "payments/manual.py": MANUAL}
    group = Group.objects.create(name="product")
    return shops.indexed("shop", files, group=group, place=tmp_path / "shop")


@pytest.fixture
def mei(shop: Repository) -> User:
    """The product manager, who may read the shop."""
    return company.person("mei", Group.objects.get(name="product"))


@pytest.fixture
def steady(shop: Repository) -> Iterator[SteadyServer]:
    """The company's model in fault tests: three steps, and the same again when it is asked again."""
    server = SteadyServer(*wholeness.STEPS)
    with server.running():
        endpoints.add("scripted", base_url=server.url, model="m")
        yield server


@pytest.fixture
def gao(shop: Repository) -> User:
    """Someone without any grant."""
    return company.person("gao")


@pytest.fixture(scope="module")
def a_worker(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[harness.Process]:
    """A real Celery worker serving every queue."""
    command = [
        *(sys.executable, "-m", "celery", "-A", "kb_agent.celery:app", "worker"),
        *("--queues", "turns,indexing,upkeep", "--pool", "threads", "--concurrency", "8"),
        *("--without-gossip", "--without-mingle", "--loglevel", "INFO"),
    ]
    log = tmp_path_factory.mktemp("worker") / "worker.log"
    with harness.running(command, log, ready=_is_ready) as process:
        yield process


def _is_ready(process: harness.Process) -> bool:
    return any(" ready." in line for line in process.lines())
