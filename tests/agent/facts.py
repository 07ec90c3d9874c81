"""Ways to facts that many tests share: a finished topic, a fact drawn from it, a reviewer's word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kb_agent.accounts.models import User
from kb_agent.repositories import evidence
from kb_agent.repositories.models import Branch
from kb_agent.topic_hooks import said_in_topic
from tapes import store
from topics import facts, lifecycle
from topics.facts import Draft
from topics.hooks import runner
from topics.models import Topic

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from topics.models.facts import Fact

RETRIED = "退款失败后自动重试，最多 3 次。"


def finished(owner: User, title: str = "退款") -> Topic:
    """A topic of this person that has ended."""
    tape = store.create(f"person/{owner.pk}/{title}/{Topic.objects.count()}")
    topic = lifecycle.start(
        tape_id=tape.pk, owner_id=owner.pk, title=title, actor=f"person:{owner.pk}"
    )
    return lifecycle.finalize(topic.pk, reason="owner", actor=f"person:{owner.pk}")


def finish(topic: Topic) -> None:
    """End a topic and run its hooks, as a worker does."""
    lifecycle.finalize(topic.pk, reason="owner", actor=f"person:{topic.owner_id}")
    for hook_run_id in runner.due():
        runner.run(hook_run_id)


def place(repository: Repository, path: str, first: int, last: int) -> evidence.Place:
    """Lines of a file where the index stands."""
    branch = Branch.objects.get(repository=repository)
    return evidence.Place(
        repository_id=repository.pk,
        commit=branch.indexed_commit,
        branch=branch.name,
        path=path,
        start_line=first,
        end_line=last,
    )


def proposed(topic: Topic, text: str, *places: evidence.Place, **more: Any) -> Fact:
    """A fact that a person proposed, resting on these lines."""
    minted = evidence.mint(topic.pk, 1, places)
    said: dict[str, Any] = {
        "topic_id": topic.pk,
        "text": text,
        "evidence": [said_in_topic.cited_as(row) for row in minted],
        "sources": [],
        "first_seq": topic.initial_seq,
        "last_seq": topic.finalized_seq,
        "contributor_id": topic.owner_id,
        "origin": "person",
        "actor": f"person:{topic.owner_id}",
        **more,
    }
    return facts.propose(Draft(**said))


def accepted(fact: Fact, by: User) -> Fact:
    """The fact, accepted by this reviewer."""
    return facts.accept(fact.pk, version=fact.version, actor=f"person:{by.pk}")


def reviewer(name: str, *groups: Any) -> User:
    """Someone who reviews facts."""
    person = User.objects.create_user(name, display_name=name)
    person.groups.add(*groups)
    person.roles.create(name="reviewer")
    return person
