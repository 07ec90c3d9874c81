"""Topic rows are a projection: thrown away and rebuilt from the tape, they are the same (P1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection, transaction

from tapes import store
from tests.topics import acting
from topics import asking, lifecycle, rebuild, turns
from topics.models import Topic

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

    from kb_agent.accounts.models import User
    from tapes.models import Tape


def _rows() -> list[dict[str, Any]]:
    return list(Topic.objects.order_by("pk").values())


def _ask(topic: Topic, person: User, key: str) -> int:
    return asking.ask(topic.pk, asker_id=person.pk, content="Who?", idempotency_key=key).pk


def _live(tape: Tape, person: User) -> None:
    """A life with every kind of change to a topic."""
    first = acting.start(tape, person, title="Refunds")
    claimed = turns.claim(_ask(first, person, "1"), "worker")
    assert claimed
    lifecycle.finalize(first.pk, reason="owner", actor="person:1")
    turns.finish(claimed, "done")
    lifecycle.rename(first.pk, title="Refunds of May", actor="agent", sources=[4])
    acting.start(tape, person, title="More on refunds", continues=first.pk)
    third = acting.start(tape, person, title="Stock")
    turns.claim(_ask(third, person, "2"), "worker")
    lifecycle.finalize(third.pk, reason="administrator", actor="person:9")


def test_P1_rows_thrown_away_are_rebuilt_the_same(tape: Tape, person: User) -> None:
    _live(tape, person)
    before = _rows()
    assert [row["status"] for row in before] == ["finalized", "aborted", "open"]
    # Turns point at topics: what they point at must be back when the transaction ends.
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM topics_topic")
        assert _rows() == []
        assert rebuild.of_tape(tape.pk) == 3
    assert _rows() == before


def test_P1_rows_that_went_wrong_are_set_right(tape: Tape, person: User) -> None:
    _live(tape, person)
    before = _rows()
    Topic.objects.filter(status="open").update(
        status="aborted",
        reason="idle",
        finalized_seq=99,
        finalized_at="2020-01-01T00:00Z",
        finalize_requested="",
        title="wrong",
    )
    Topic.objects.filter(pk=before[0]["id"]).update(
        status="open", reason="", finalized_seq=None, finalized_at=None, sources=[]
    )
    rebuild.of_tape(tape.pk)
    assert _rows() == before


def test_P1_other_tapes_are_left_alone_and_a_withdrawn_end_is_known(
    tape: Tape, person: User, settings: SettingsWrapper
) -> None:
    topic = acting.start(tape, person, title="Refunds")
    other = acting.start(store.create("other"), person, title="Stock")
    turn_id = _ask(topic, person, "1")
    lifecycle.finalize(topic.pk, reason="owner", actor="person:1")
    settings.TOPIC_HOOKS = {"pre_topic_finalized": ["tests.topics.sample_hooks.refuse"]}
    turns.request_stop(turn_id, "person:1")
    before = _rows()
    assert before[0]["finalize_requested"] == ""
    Topic.objects.filter(pk=other.pk).update(title="changed")
    before[1]["title"] = "changed"
    assert rebuild.of_tape(tape.pk) == 1
    assert _rows() == before
