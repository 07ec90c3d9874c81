"""Servers of code announce pushes: who they are is proven, what they say makes one run (C2)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus, urlencode

import pytest
from rest_framework.test import APIClient

from kb_agent.repositories import indexing
from kb_agent.repositories.indexing import leases
from kb_agent.repositories.indexing.webhooks import LARGEST
from kb_agent.repositories.models import IndexRun
from kb_agent.repositories.models.webhooks import Webhook
from tests.api.company import Company, browser

if TYPE_CHECKING:
    from pytest_django import Settings

PROVIDERS = ("github", "gitlab", "gitee")
ZEROS = "0" * 40


@dataclass
class Server:
    """A server of code that was given an address and a secret."""

    provider: str
    path: str
    secret: str

    def says(self, payload: Any, *, event: str = "", secret: str = "", **headers: str) -> Any:
        """Send a payload as this provider does; the answer."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        sent = self.signed(body, secret or self.secret) | {
            f"X-{self.provider.title()}-Event": event or self.event(payload)
        }
        kind = headers.pop("content_type", "application/json")
        return APIClient(enforce_csrf_checks=True).post(
            self.path, body, content_type=kind, headers=sent | headers
        )

    def event(self, payload: Any) -> str:
        """The event's name in this provider's words."""
        if self.provider == "github":
            return "push"
        tag = isinstance(payload, dict) and str(payload.get("ref")).startswith("refs/tags/")
        return "Tag Push Hook" if tag else "Push Hook"

    def signed(self, body: bytes, secret: str) -> dict[str, str]:
        """The headers that prove who speaks."""
        if self.provider == "github":
            digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
            return {"X-Hub-Signature-256": f"sha256={digest}", "X-GitHub-Delivery": "72d3162e"}
        if self.provider == "gitlab":
            return {"X-Gitlab-Token": secret, "X-Gitlab-Event-UUID": str(time.time_ns())}
        return gitee(secret, time.time())


def gitee(secret: str, at: float) -> dict[str, str]:
    """Gitee's signature of a moment."""
    stamp = str(int(at * 1000))
    digest = hmac.new(secret.encode(), f"{stamp}\n{secret}".encode(), hashlib.sha256).digest()
    return {"X-Gitee-Timestamp": stamp, "X-Gitee-Token": base64.b64encode(digest).decode()}


def push(provider: str, ref: str = "refs/heads/main", after: str = "a" * 40) -> dict[str, Any]:
    """A push as each provider words it; `after` of zeros deletes."""
    common = {"ref": ref, "before": "b" * 40, "after": after, "time": time.time_ns()}
    commit = {"id": after, "message": "Fix refunds", "timestamp": "2026-11-30T12:00:00+08:00"}
    if provider == "github":
        return common | {
            "created": False,
            "deleted": after == ZEROS,
            "forced": False,
            "repository": {"id": 1, "full_name": "shop/shop", "pushed_at": 1796000000},
            "pusher": {"name": "mei"},
            "commits": [commit],
        }
    kind = "tag_push" if ref.startswith("refs/tags/") else "push"
    if provider == "gitlab":
        return common | {
            "object_kind": kind,
            "event_name": kind,
            "checkout_sha": None if after == ZEROS else after,
            "project": {"path_with_namespace": "shop/shop", "default_branch": "main"},
            "commits": [commit],
            "total_commits_count": 1,
        }
    return common | {
        "hook_name": f"{kind}_hooks",
        "deleted": after == ZEROS,
        "created": False,
        "repository": {"full_name": "shop/shop"},
        "commits": [commit],
    }


@pytest.fixture(params=PROVIDERS)
def server(request: pytest.FixtureRequest, small: Company) -> Server:
    """The shop's server, one of each provider."""
    return opened(small, request.param)


def opened(company: Company, provider: str) -> Server:
    """A webhook that the administrator made."""
    path = f"/api/repositories/{company.shop.pk}/webhook"
    made = browser(company.administrator).post(path, format="json").json()
    address = str(made["urls"][provider])
    return Server(provider, address[address.index("/api/") :], str(made["secret"]))


def answered(response: Any) -> tuple[int, str]:
    """(status, why)."""
    said = response.json()
    return response.status_code, said["error"]["code"] if "error" in said else said["reason"]


def test_C2_a_push_to_a_followed_branch_queues_a_run_without_a_session(
    server: Server, small: Company
) -> None:
    assert answered(server.says(push(server.provider))) == (202, "queued")
    (run,) = IndexRun.objects.all()
    assert (run.repository_id, run.status) == (small.shop.pk, "waiting")


def test_C2_a_burst_of_pushes_makes_one_run(server: Server) -> None:
    for _ in range(20):
        assert answered(server.says(push(server.provider))) == (202, "queued")
    assert IndexRun.objects.count() == 1


def test_C2_a_push_after_the_run_has_fetched_makes_one_more(server: Server, small: Company) -> None:
    run = leases.claim(indexing.queue(small.shop).pk)
    assert run is not None
    leases.Pulse(run, None).phase("read", 10)
    for _ in range(3):
        server.says(push(server.provider))
    assert IndexRun.objects.count() == 1
    leases.end(run, "done")
    assert list(IndexRun.objects.order_by("pk").values_list("status", flat=True)) == [
        "done",
        "waiting",
    ]


def test_C2_what_is_not_followed_queues_nothing_and_a_followed_tag_does(
    server: Server, small: Company
) -> None:
    small.shop.default_branch = "main"
    small.shop.save()
    assert answered(server.says(push(server.provider, "refs/heads/try"))) == (202, "not_followed")
    tagged = push(server.provider, "refs/tags/v1.0")
    assert answered(server.says(tagged)) == (202, "not_followed")
    assert not IndexRun.objects.exists()
    small.shop.branches.create(name="v1.0")
    again = push(server.provider, "refs/tags/v1.0")
    assert answered(server.says(again)) == (202, "queued")


def test_C2_a_deleted_branch_that_is_followed_is_looked_at(server: Server) -> None:
    gone = push(server.provider, after=ZEROS)
    assert answered(server.says(gone)) == (202, "queued")


@pytest.mark.parametrize("secret", ["wrong", "w" * 5000, "密钥"])
def test_C2_another_signature_or_token_is_refused_in_plain_words(
    server: Server, secret: str
) -> None:
    if server.provider == "gitlab":
        secret = quote_plus(secret)
    response = server.says(push(server.provider), secret=secret)
    assert answered(response) == (403, "bad_signature")
    assert "not the one that was agreed on" in response.json()["error"]["message"]
    assert server.secret not in response.content.decode()
    assert not IndexRun.objects.exists()


def test_C2_a_message_without_signature_or_key_is_refused(server: Server) -> None:
    bare = APIClient().post(server.path, push(server.provider), format="json")
    assert answered(bare) == (403, "bad_signature")
    nowhere = server.path.rpartition("/")[0] + "/" + "k" * 32
    unknown = APIClient().post(nowhere, push(server.provider), format="json")
    assert answered(unknown) == (404, "not_found")
    other = APIClient().post("/api/webhooks/bitbucket/x", {}, format="json")
    assert answered(other) == (404, "not_found")


def test_C2_the_same_message_is_taken_once(server: Server) -> None:
    payload = push(server.provider)
    body = json.dumps(payload).encode()
    headers = server.signed(body, server.secret)
    assert answered(server.says(body, event=server.event(payload), **headers)) == (202, "queued")
    IndexRun.objects.all().delete()
    again = server.says(body, event=server.event(payload), **headers)
    assert answered(again) == (409, "replayed")
    assert not IndexRun.objects.exists()


def test_C2_a_replay_under_another_delivery_number_is_known_again(small: Company) -> None:
    server = opened(small, "github")
    body = json.dumps(push("github")).encode()
    assert answered(server.says(body, event="push")) == (202, "queued")
    renamed = server.says(body, event="push", **{"X-GitHub-Delivery": "another"})
    assert answered(renamed) == (409, "replayed")


@pytest.mark.parametrize("seconds", [-3700, 3700])
def test_C2_gitees_signature_of_another_hour_is_refused(small: Company, seconds: int) -> None:
    server = opened(small, "gitee")
    old = gitee(server.secret, time.time() + seconds)
    assert answered(server.says(push("gitee"), **old)) == (403, "bad_signature")


def test_C2_gitee_may_send_the_password_itself_or_a_quoted_signature(small: Company) -> None:
    server = opened(small, "gitee")
    plain = {"X-Gitee-Token": server.secret}
    assert answered(server.says(push("gitee"), **plain)) == (202, "queued")
    quoted = gitee(server.secret, time.time())
    quoted["X-Gitee-Token"] = quote_plus(quoted["X-Gitee-Token"])
    assert answered(server.says(push("gitee"), **quoted)) == (202, "queued")


def test_C2_githubs_own_example_of_a_signature_holds(small: Company) -> None:
    server = opened(small, "github")
    example = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    signed = server.signed(b"Hello, World!", "It's a Secret to Everybody")
    assert signed["X-Hub-Signature-256"] == f"sha256={example}"


def test_C2_githubs_ping_form_and_other_events_are_answered(small: Company) -> None:
    server = opened(small, "github")
    assert answered(server.says({"zen": "Keep it logically awesome."}, event="ping")) == (
        202,
        "ping",
    )
    assert answered(server.says({"action": "opened"}, event="issues")) == (202, "other_event")
    form = urlencode({"payload": json.dumps(push("github"))}).encode()
    kind = "application/x-www-form-urlencoded"
    assert answered(server.says(form, event="push", content_type=kind)) == (202, "queued")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"ref": 7}',
        b'{"ref": "main"}',
        rb'{"ref": "refs/heads/\u0000"}',
        rb'{"ref": "refs/heads/\ud800"}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_C2_what_is_no_push_is_refused(server: Server, body: bytes) -> None:
    assert answered(server.says(body)) == (400, "unreadable")
    assert not IndexRun.objects.exists()


def test_C2_a_body_over_the_limit_is_refused(small: Company) -> None:
    server = opened(small, "github")
    assert answered(server.says(b" " * (LARGEST + 1))) == (413, "too_large")


def test_C2_the_secret_is_sealed_shown_once_and_replaced_by_a_new_one(small: Company) -> None:
    old = opened(small, "gitlab")
    assert old.secret not in str(Webhook.objects.values_list().get())
    new = opened(small, "gitlab")
    assert answered(old.says(push("gitlab"))) == (404, "not_found")
    assert answered(new.says(push("gitlab"))) == (202, "queued")
    shown = browser(small.administrator).get(f"/api/repositories/{small.shop.pk}")
    assert shown.json()["webhook"] is True
    assert new.secret not in shown.content.decode()
    gone = browser(small.administrator).delete(f"/api/repositories/{small.shop.pk}/webhook")
    assert gone.status_code == 204
    assert answered(new.says(push("gitlab"))) == (404, "not_found")
    lines = small.administrator.audit_lines.order_by("pk")
    assert list(lines.values_list("action", flat=True)) == [
        "webhook_opened",
        "webhook_opened",
        "webhook_closed",
    ]


def test_C2_a_changed_secret_key_is_told_plainly(small: Company, settings: Settings) -> None:
    server = opened(small, "github")
    settings.SECRET_KEY = "another one" * 5
    response = server.says(push("github"))
    assert answered(response) == (409, "secret_broken")
    assert "make a new webhook" in response.json()["error"]["message"]
