"""Who sees which topics, and which words in them: the topics' half of C7 and C10."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.accounts import roles
from kb_agent.accounts.models import User
from tests.topics import acting
from topics import access, lifecycle

if TYPE_CHECKING:
    from tapes.models import Tape
    from topics.models import Topic

NONE: frozenset[int] = frozenset()


def test_C7_a_topic_is_seen_by_its_owner_and_not_by_a_colleague(topic: Topic, person: User) -> None:
    colleague = User.objects.create_user("li")
    assert list(access.visible_to(person, NONE)) == [topic]
    assert not access.visible_to(colleague, frozenset({1, 2, 3})).exists()


def test_C10_an_administrator_sees_no_topic_by_that_role_and_an_auditor_sees_all(
    topic: Topic,
) -> None:
    administrator = User.objects.create_user("admin")
    auditor = User.objects.create_user("audit")
    roles.grant(administrator, "administrator", by=None)
    roles.grant(auditor, "auditor", by=None)
    assert not access.visible_to(administrator, NONE).exists()
    assert list(access.visible_to(auditor, NONE)) == [topic]


def test_C10_someone_deactivated_sees_nothing_whatever_the_role(topic: Topic, person: User) -> None:
    roles.grant(person, "auditor", by=None)
    person.is_active = False
    person.save()
    assert not access.visible_to(person, NONE).exists()
    assert topic.owner_id == person.pk


def test_C7_a_title_written_from_code_is_withheld_without_all_its_grants(
    tape: Tape, person: User
) -> None:
    topic = acting.start(tape, person, title="Refunds")
    lifecycle.rename(topic.pk, title="RefundJob retries", actor="agent", sources=[2, 3])

    def withheld(readable: frozenset[int]) -> bool:
        return access.visible_to(person, readable).get().withheld

    assert [withheld(frozenset(ids)) for ids in [(), (2,), (2, 3), (1, 2, 3)]] == [
        True,
        True,
        False,
        False,
    ]
    readable = access.visible_to(person, frozenset({2})).filter(withheld=False)
    assert not readable.exists()


def test_C7_an_entry_is_shown_to_who_reads_all_its_sources() -> None:
    assert access.entry_visible([], NONE)
    assert access.entry_visible([1, 2], frozenset({1, 2, 3}))
    assert not access.entry_visible([1, 4], frozenset({1, 2, 3}))
