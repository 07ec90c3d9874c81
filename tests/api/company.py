"""Who works at the company of these tests, what it owns, and what was asked there."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import Group
from rest_framework.test import APIClient

from kb_agent.accounts import roles
from kb_agent.accounts.models import User
from kb_agent.repositories.models import Branch, Evidence, Grant, Repository
from tapes import entries, store
from topics import asking, lifecycle, turns

if TYPE_CHECKING:
    from tapes.entries import Entry
    from topics.models import Topic, Turn
    from topics.turns import Claimed

KEYS = count(1)
ANSWER = "Yes, **up to three times**. [e1] After that a person takes over."


@dataclass
class Company:
    """Everyone and everything."""

    owner: User
    colleague: User
    stranger: User
    administrator: User
    auditor: User
    shop: Repository
    topic: Topic
    turn: Turn
    evidence: Evidence

    def people(self) -> dict[str, User | None]:
        """Everyone who may knock, by what they are to the topic and its code."""
        return {
            "owner": self.owner,
            "colleague": self.colleague,
            "stranger": self.stranger,
            "administrator": self.administrator,
            "auditor": self.auditor,
            "anonymous": None,
        }


def founded() -> Company:
    """The owner has asked about the shop's code and was answered; the colleague reads that code."""
    product = Group.objects.create(name="product")
    shop = Repository.objects.create(
        name="shop", source="/srv/shop", kind="git_local", status="fresh"
    )
    Branch.objects.create(repository=shop, name="main", commit="c" * 40, indexed_commit="c" * 40)
    Grant.objects.create(repository=shop, group=product)
    owner, colleague = (person(name, product) for name in ("mei", "li"))
    stranger, administrator, auditor = (person(name) for name in ("gao", "root", "audit"))
    roles.grant(administrator, "administrator", by=None)
    roles.grant(auditor, "auditor", by=None)
    topic = opened(owner)
    turn = answered(topic, "Is a failed refund retried?", ANSWER, sources=[shop.pk])
    evidence = Evidence.objects.get(topic_id=topic.pk)
    topic.refresh_from_db()
    return Company(owner, colleague, stranger, administrator, auditor, shop, topic, turn, evidence)


def person(name: str, *groups: Group) -> User:
    """Someone with the password `secret <name>`."""
    user = User.objects.create_user(name, password=f"secret {name}", display_name=name.title())
    user.groups.add(*groups)
    return user


def opened(owner: User, title: str = "Refunds") -> Topic:
    """A topic on a tape of its own."""
    tape = store.create(f"person/{owner.pk}/{next(KEYS)}")
    return lifecycle.start(
        tape_id=tape.pk, owner_id=owner.pk, title=title, actor=f"person:{owner.pk}"
    )


def asked(topic: Topic, content: str, **more: Any) -> Turn:
    """A question that waits."""
    key = f"key {next(KEYS)}"
    return asking.ask(
        topic.pk, asker_id=topic.owner_id, content=content, idempotency_key=key, **more
    )


def claimed(topic: Topic, content: str = "Why?", **more: Any) -> turns.Claimed:
    """A question that a worker is at."""
    claim = turns.claim(asked(topic, content, **more).pk, "worker of this test")
    assert claim
    return claim


def answered(topic: Topic, question: str, answer: str, *, sources: list[int]) -> Turn:
    """A question with its answer, as the loop records it: one call, one cited place."""
    claim = claimed(topic, question)
    context = {"topic_id": topic.pk, "turn_id": claim.turn.pk, "actor": "agent", "sources": sources}
    ended = {
        "call": 1,
        "status": "ok",
        "usage": {"input": 90, "cached": 10, "output": 20, "reasoning": 5},
        "price": "0.21",
        "currency": "CNY",
    }
    place = Evidence.objects.create(
        topic_id=topic.pk,
        turn_id=claim.turn.pk,
        number=Evidence.objects.filter(topic_id=topic.pk).count() + 1,
        repository_id=sources[0],
        commit="c" * 40,
        branch="main",
        path="refunds/retry.py",
        start_line=28,
        end_line=45 + claim.turn.pk,
        content_hash="h" * 64,
    )
    cited = {"number": 1, "id": "e1", "evidence_id": place.pk, "repository": "shop", "valid": True}
    said = entries.message(
        "assistant", answer, meta={"citations": [cited], "verified": True}, **context
    )
    called = entries.event("model_call_ended", ended, **context)
    return turns.finish(claim, "done", entries=[said, called], answer_seq_from=0)


def paid(topic: Topic, price: str, *, call: str = "c1") -> None:
    """A model call that belongs to a topic and cost so much: the two events it leaves."""
    told = {"model": "m", "purpose": "title", "payer": topic.owner_id, "endpoint": "e"}
    used = {"input": 100, "cached": 0, "output": 10, "reasoning": 0}
    ended = {"status": "ok", "model": "m", "usage": used, "price": price, "currency": "CNY"}
    both = [("model_call_started", told), ("model_call_ended", ended)]
    new = [
        entries.event(name, {"call": call, **data}, topic_id=topic.pk, actor="system")
        for name, data in both
    ]
    store.append(topic.tape_id, new)


def browser(user: User | None) -> APIClient:
    """A browser in which this person is signed in; writes are checked for their token."""
    client = APIClient(enforce_csrf_checks=True)
    if user is not None:
        client.force_login(user)
    client.get("/api/session")
    client.credentials(HTTP_X_CSRFTOKEN=client.cookies["csrftoken"].value)
    return client


def stepped(claim: Claimed, number: int, text: str = "thinking") -> list[Entry]:
    """A whole step of a turn: a call and its result."""
    context = {"topic_id": claim.turn.topic_id, "turn_id": claim.turn.pk, "step": number}
    call = {"id": f"c{number}", "type": "function", "function": {"name": "x", "arguments": "{}"}}
    result = {"id": f"c{number}", "name": "x", "content": text}
    new = [
        entries.tool_call([call], part=0, actor="agent", **context),
        entries.tool_result([result], part=1, actor="agent", **context),
    ]
    return store.append(claim.turn.tape_id, new, fork=claim.fork)
