"""R3: a run's lease is kept by a thread of its own, with real commits."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from kb_agent.repositories import indexing
from kb_agent.repositories.indexing import leases
from kb_agent.repositories.models import IndexRun
from tests.repositories.code import REFUND, Code, add


@pytest.mark.usefixtures("committed_database")
def test_R3_the_lease_is_renewed_while_a_phase_takes_long(
    code: Code, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.05)
    code.commit({"refund.py": REFUND})
    waiting = indexing.queue(add(code))
    run = leases.claim(waiting.pk)
    assert run is not None
    with leases.renewing(run):
        IndexRun.objects.update(lease_until=Now() - timedelta(seconds=1))
        deadline = time.monotonic() + 10
        while indexing.due() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert indexing.due() == []
