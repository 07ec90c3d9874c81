"""Facts are acts on a tape: their rows are folded from events, and go with the words they came from (P10, T19)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction

from tapes import entries, store, verify, views
from tapes.views import View
from tests.topics import acting
from topics import continuing, erasing, facts, lifecycle, resetting
from topics.facts import Cited, Draft, FactRefused, nearness, rebuild
from topics.models.facts import Fact, FactPlace, FactVersion

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from tapes.models import Tape
    from topics.models import Topic

PLACE = Cited(
    repository=7, commit="c" * 40, branch="main", path="refunds.py",
    start_line=3, end_line=9, content_hash="a" * 64,
)  # fmt: skip
WORDS = "A failed refund is retried three times by zebrafish."


@pytest.fixture
def ended(topic: Topic, person: User) -> Topic:
    """A topic that was asked in and has ended."""
    claimed = acting.claim(acting.ask(topic, person, "Is a refund retried?"))
    acting.answer(claimed)
    return lifecycle.finalize(topic.pk, reason="owner", actor=f"person:{person.pk}")


def draft(topic: Topic, text: str = WORDS, **more: Any) -> Draft:
    """A conclusion of the whole topic."""
    said: dict[str, Any] = {
        "topic_id": topic.pk,
        "text": text,
        "evidence": [PLACE],
        "sources": [7],
        "first_seq": topic.initial_seq,
        "last_seq": topic.finalized_seq,
        "contributor_id": topic.owner_id,
        "origin": "person",
        "actor": f"person:{topic.owner_id}",
    }
    return Draft(**said | more)


def _rows() -> list[Any]:
    known = FactVersion.objects.order_by("fact", "number").values()
    versions = [{name: row[name] for name in row if name != "id"} for row in known]
    drawn = Fact.objects.order_by("pk").values_list("pk", "drawn_from__topic", "drawn_from__at")
    return [list(Fact.objects.order_by("pk").values()), versions, list(drawn)]


def test_P10_every_act_is_an_event_under_the_topic_and_outside_its_range(
    ended: Topic, person: User
) -> None:
    fact = facts.propose(draft(ended))
    actor = f"person:{person.pk}"
    facts.accept(fact.pk, version=1, actor=actor)
    facts.note_standing(fact.pk, gone=list(fact.places.all()))
    facts.edit(fact.pk, version=1, text="Four times.", evidence=[PLACE], actor=actor)
    facts.reject(fact.pk, version=2, reason="no", actor=actor)
    said = [
        (entry.payload["name"], entry.topic_id)
        for entry in views.read(ended.tape_id, View.seqs(ended.finalized_seq, None).only("event"))
        if entry.payload["name"].startswith("fact_")
    ]
    names = ["fact_proposed", "fact_accepted", "fact_stale", "fact_edited", "fact_rejected"]
    assert said == [(name, ended.pk) for name in names]


def test_P1_fact_rows_thrown_away_are_rebuilt_the_same(
    ended: Topic, person: User, tape: Tape
) -> None:
    fact = facts.propose(draft(ended))
    facts.accept(fact.pk, version=1, actor=f"person:{person.pk}")
    facts.edit(fact.pk, version=1, text="Four times.", evidence=[PLACE], actor="system")
    facts.propose(draft(ended, "Something else."))
    other = acting.start(store.create("other"), person, title="Again")
    facts.join(fact.pk, draft(other, first_seq=1, last_seq=1))
    before = _rows()
    assert rebuild.of_tape(tape.pk) == 2
    assert _rows() == before


def test_P10_a_stale_fact_cannot_be_accepted_and_an_old_version_not_decided(
    ended: Topic, person: User
) -> None:
    fact = facts.propose(draft(ended))
    facts.note_standing(fact.pk, gone=list(fact.places.all()))
    with pytest.raises(FactRefused) as stale:
        facts.accept(fact.pk, version=1, actor="system")
    assert stale.value.code == "fact_stale"
    edited = facts.edit(fact.pk, version=1, text="Anew.", evidence=[PLACE], actor="system")
    assert (edited.stale, edited.version) == (False, 2)
    with pytest.raises(FactRefused) as moved:
        facts.accept(fact.pk, version=1, actor="system")
    assert moved.value.code == "fact_moved"


def test_P10_the_database_refuses_a_fact_without_evidence_or_reason(ended: Topic) -> None:
    fact = facts.propose(draft(ended))
    with pytest.raises(FactRefused):
        facts.propose(draft(ended, "No places.", evidence=[]))
    with pytest.raises(IntegrityError), transaction.atomic():
        FactVersion.objects.filter(fact=fact).update(evidence=[])
    with pytest.raises(IntegrityError), transaction.atomic():
        Fact.objects.filter(pk=fact.pk).update(status="rejected", decided_at=fact.proposed_at)


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("A failed refund is retried by zebrafish three times.", True),
        ("A failed refund is retried 5 times by zebrafish.", False),
        ("Orders can be cancelled until they are paid.", False),
    ],
)
def test_P10_the_same_conclusion_on_the_same_lines_joins_and_another_does_not(
    ended: Topic, person: User, said: str, *, same: bool
) -> None:
    fact = facts.propose(draft(ended))
    other = acting.start(store.create("other"), person, title="Again")
    known = nearness.propose_or_join(draft(other, said, first_seq=1, last_seq=1))
    assert known is not None
    assert (known.pk == fact.pk) == same
    assert fact.drawn_from.count() == (2 if same else 1)


def test_P10_what_reviewers_rejected_is_not_proposed_again(ended: Topic, person: User) -> None:
    fact = facts.propose(draft(ended))
    facts.reject(fact.pk, version=1, reason="wrong", actor="system")
    other = acting.start(store.create("other"), person, title="Again")
    assert nearness.propose_or_join(draft(other, first_seq=1, last_seq=1)) is None


def test_T19_an_erasure_takes_the_facts_drawn_from_its_words_wherever_they_are_said(
    ended: Topic, person: User
) -> None:
    fact = facts.propose(draft(ended))
    facts.accept(fact.pk, version=1, actor="system")
    elsewhere = acting.start(store.create("elsewhere"), person, title="Later")
    state = {"text": f"Fact: {WORDS}", "topics": [], "facts": [{"fact": fact.pk, "text": WORDS}]}
    noted = entries.anchor(continuing.RECALL, state, topic_id=elsewhere.pk)
    store.append(elsewhere.tape_id, [noted])
    wanted = erasing.Wanted(
        ended.tape_id, ended.initial_seq, ended.finalized_seq or 0, actor="system", why="law"
    )
    erasing.erase(wanted)
    assert not Fact.objects.exists()
    assert not FactPlace.objects.exists()
    for tape_id in (ended.tape_id, elsewhere.tape_id):
        assert "zebrafish" not in str([one.payload for one in views.read(tape_id, View.seqs())])
        assert verify.verify(tape_id).ok
    assert rebuild.of_tape(ended.tape_id) == 0


def test_T19_a_fact_stays_when_only_a_topic_that_joined_it_is_erased(
    ended: Topic, person: User
) -> None:
    fact = facts.propose(draft(ended))
    other = acting.start(store.create("other"), person, title="Again")
    facts.join(fact.pk, draft(other, first_seq=1, last_seq=1))
    erasing.erase(erasing.Wanted(other.tape_id, 1, 2, actor="system", why="law"))
    assert [source.topic_id for source in fact.drawn_from.all()] == [ended.pk]


def test_T12_a_fact_of_a_tape_that_was_reset_can_still_be_decided(
    ended: Topic, person: User
) -> None:
    fact = facts.propose(draft(ended))
    resetting.reset(ended.tape_id, actor=f"person:{person.pk}", why="")
    facts.accept(fact.pk, version=1, actor=f"person:{person.pk}")
    before = _rows()
    assert before[0][0]["status"] == "accepted"
    rebuild.of_tape(ended.tape_id)
    assert _rows() == before


def test_P1_facts_made_anew_leave_those_of_other_tapes_that_take_no_more(
    ended: Topic, person: User
) -> None:
    actor = f"person:{person.pk}"
    facts.propose(draft(ended))
    other = acting.start(store.create("other"), person, title="Again")
    theirs = facts.propose(draft(other, "Theirs.", first_seq=1, last_seq=1))
    for tape_id in (ended.tape_id, other.tape_id):
        resetting.reset(tape_id, actor=actor, why="")
    facts.edit(theirs.pk, version=1, text="Anew.", evidence=[PLACE], actor=actor)
    facts.withdraw(theirs.pk, version=2, actor=actor)
    before = _rows()
    assert rebuild.of_tape(ended.tape_id) == 1
    assert _rows() == before
    assert rebuild.of_tape(other.tape_id) == 1
    assert _rows() == before


def test_P1_a_fact_made_anew_changed_when_it_last_did_not_when_it_was_joined(
    ended: Topic, person: User
) -> None:
    fact = facts.propose(draft(ended))
    other = acting.start(store.create("other"), person, title="Again")
    facts.join(fact.pk, draft(other, first_seq=1, last_seq=1))
    facts.accept(fact.pk, version=1, actor=f"person:{person.pk}")
    before = _rows()
    rebuild.of_tape(ended.tape_id)
    assert _rows() == before
    rebuild.of_tape(other.tape_id)
    assert _rows() == before
