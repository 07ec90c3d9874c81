"""What a person can do with facts: propose one from an answer, take it back; review them (P10, C10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction

from kb_agent.accounts import audit
from kb_agent.repositories import evidence, mirror, secrets
from kb_agent.repositories.models import Branch, Evidence
from kb_agent.topic_hooks import said_in_topic
from kb_agent.usecases import fact_showing, refusals
from kb_agent.usecases.access import Access
from tapes import views
from topics import facts
from topics.facts import Cited, Draft

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from kb_agent.usecases.fact_showing import ShownFact
    from topics.models import Topic
    from topics.models.facts import Fact

MAY_NOT_REVIEW = (
    "Facts are accepted, edited and rejected by reviewers who may read all their sources."
)


@dataclass(frozen=True)
class Place:
    """Lines where the index of a repository's branch stands now."""

    repository: int
    path: str
    start_line: int
    end_line: int
    branch: str = ""


def propose(
    user: User, topic_id: int, *, turn: int, text: str, evidence_ids: Sequence[int]
) -> ShownFact:
    """Propose what an answer of one's own topic says as a fact, on places that it cites."""
    access = Access(user)
    topic = access.own_topic(topic_id)
    asked = topic.turns.filter(pk=turn, answer_seq__isnull=False).first()
    if asked is None:
        raise refusals.NotFound("answer")
    (said,) = views.at([(topic.tape_id, asked.answer_seq or 0)])
    if not access.shows(said.sources):
        raise refusals.Forbidden("This answer rests on code that you may not read.")
    draft = Draft(
        topic_id=topic.pk,
        text=secrets.mask(text).text,
        evidence=_cited(access, topic, evidence_ids),
        sources=said.sources,
        first_seq=asked.question_seq,
        last_seq=said.seq,
        contributor_id=user.pk,
        origin="person",
        actor=f"person:{user.pk}",
    )
    with _refused():
        return fact_showing.shown(access, [access.fact(facts.propose(draft).pk)])[0]


def accept(by: User, fact_id: int, *, version: int) -> Fact:
    """Let a fact take part in answering."""
    fact = _reviewed(by, fact_id)
    with _refused(), transaction.atomic():
        done = facts.accept(fact.pk, version=version, actor=_actor(by))
        _note(by, "fact_accepted", done)
    return done


def edit(
    by: User, fact_id: int, *, version: int, text: str, places: Sequence[Place] | None = None
) -> Fact:
    """Write a new version: other words, and other lines where the code has moved on."""
    fact = _reviewed(by, fact_id)
    with _refused(), transaction.atomic():
        done = facts.edit(
            fact.pk,
            version=version,
            text=secrets.mask(text).text,
            evidence=_kept(fact) if places is None else _anew(by, fact, places),
            actor=_actor(by),
        )
        _note(by, "fact_edited", done)
    return done


def reject(by: User, fact_id: int, *, version: int, reason: str) -> Fact:
    """Let a fact be none, with the reason for its contributor."""
    fact = _reviewed(by, fact_id)
    with _refused(), transaction.atomic():
        said = secrets.mask(reason).text
        done = facts.reject(fact.pk, version=version, reason=said, actor=_actor(by))
        _note(by, "fact_rejected", done)
    return done


def withdraw(user: User, fact_id: int, *, version: int, reason: str = "") -> Fact:
    """Take one's own fact back."""
    fact = Access(user).fact(fact_id)
    if fact.contributor_id != user.pk:
        raise refusals.Forbidden("Only who contributed a fact may take it back.")
    with _refused():
        said = secrets.mask(reason).text
        return facts.withdraw(fact.pk, version=version, reason=said, actor=f"person:{user.pk}")


def _reviewed(by: User, fact_id: int) -> Fact:
    access = Access(by)
    fact = access.fact(fact_id)
    if not access.reviews or not access.shows(fact.sources):
        raise refusals.Forbidden(MAY_NOT_REVIEW)
    return fact


def _cited(access: Access, topic: Topic, ids: Sequence[int]) -> list[Cited]:
    """Places minted in the topic that are true to git, which this person may read. Raises `Invalid`."""
    rows = list(
        Evidence.objects.filter(pk__in=ids, topic_id=topic.pk, repository__in=access.readable)
    )
    standing = evidence.standing(rows)
    valid = {row.pk: row for row in rows if standing[row.pk].valid}
    if set(ids) - valid.keys():
        raise refusals.Invalid(
            "A fact rests on places that this topic's answers cite.", code="unknown_evidence"
        )
    return [said_in_topic.cited_as(valid[pk]) for pk in dict.fromkeys(ids)]


def _anew(by: User, fact: Fact, places: Sequence[Place]) -> list[Cited]:
    """The lines that a reviewer names, at the indexed commit, kept for good. Raises `NotFound`, `Invalid`."""
    if len(places) > facts.MOST_PLACES:
        # Before any is looked for: each is read from git.
        raise refusals.Invalid(
            f"A fact rests on {facts.MOST_PLACES} places at most.", code="too_many_places"
        )
    wanted = [_placed(by, place) for place in places]
    turn = fact.topic.turns.order_by("pk").values_list("pk", flat=True).last() or 0
    try:
        return [said_in_topic.cited_as(row) for row in evidence.mint(fact.topic_id, turn, wanted)]
    except mirror.MissingFile as missing:
        raise refusals.Invalid(str(missing), code="missing_lines") from missing


def _placed(by: User, place: Place) -> evidence.Place:
    repository = Access(by).repositories().filter(pk=place.repository).first()
    if repository is None:
        raise refusals.NotFound("repository")
    name = place.branch or repository.default_branch
    branch = Branch.objects.filter(repository=repository, name=name).exclude(indexed_commit="")
    found = branch.first()
    if found is None:
        raise refusals.NotFound("branch")
    return evidence.Place(
        repository_id=repository.pk,
        commit=found.indexed_commit,
        branch=found.name,
        path=place.path,
        start_line=place.start_line,
        end_line=place.end_line,
    )


def _kept(fact: Fact) -> list[Cited]:
    return [Cited(**place) for place in fact.versions.get(number=fact.version).evidence]


def _actor(by: User) -> str:
    return f"person:{by.pk}"


def _note(by: User, action: str, fact: Fact) -> None:
    details: dict[str, Any] = {"version": fact.version}
    audit.note(by, action, f"fact:{fact.pk}", details=details)


@contextmanager
def _refused() -> Iterator[None]:
    """What the rules of facts refuse, in the kinds that a browser tells apart."""
    try:
        yield
    except facts.FactRefused as refused:
        moved = refused.code in {"fact_moved", "fact_decided", "fact_stale"}
        kind = refusals.Conflict if moved else refusals.Invalid
        raise kind(str(refused), code=refused.code) from refused
