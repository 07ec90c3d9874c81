"""C2: a push that a server announces is searchable at once, without waiting for any clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.accounts import roles
from kb_agent.repositories import search
from kb_agent.repositories.models import IndexRun
from tests.api import company, test_webhooks
from tests.flows import harness
from tests.repositories.code import REFUND, Code, indexed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.flows.harness import StartWorker


def test_C2_a_pushed_commit_is_searchable_within_seconds(
    start_worker: StartWorker, tmp_path: Path
) -> None:
    code = Code(tmp_path / "shop")
    code.commit({"refund.py": REFUND, **{f"m{n}.py": REFUND + f"\nN = {n}\n" for n in range(200)}})
    shop = indexed(code)
    root = company.person("root")
    roles.grant(root, "administrator", by=None)
    made = company.browser(root).post(f"/api/repositories/{shop.pk}/webhook", format="json").json()
    path = made["urls"]["gitlab"]
    server = test_webhooks.Server("gitlab", path[path.index("/api/") :], made["secret"])
    start_worker("indexing")
    code.commit({"voucher.py": "def stack_vouchers(vouchers):\n    return vouchers\n"})
    said = test_webhooks.answered(server.says(test_webhooks.push("gitlab")))
    assert said == (202, "queued")
    # No beat runs here: nothing but the push can have made the worker look.
    harness.until(lambda: bool(search.search("stack vouchers", readable=[shop.pk]).hits), within=60)
    harness.until(lambda: not IndexRun.objects.exclude(status="done").exists())
    assert IndexRun.objects.count() == 2
