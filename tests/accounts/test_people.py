"""People, roles and audit: C10, and what the database keeps of it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, IntegrityError, connection
from django.test import RequestFactory

from kb_agent.accounts import audit, roles
from kb_agent.accounts.adapter import ClosedAdapter
from kb_agent.accounts.models import Audit, Role, User

pytestmark = pytest.mark.usefixtures("committed_database")


@pytest.fixture
def person() -> User:
    """A product manager."""
    return User.objects.create_user("mei", display_name="梅")


def test_C10_every_active_person_is_a_member_and_no_one_else_is(person: User) -> None:
    assert roles.of(person) == ["member"]
    assert roles.of(AnonymousUser()) == []
    roles.grant(person, "administrator", by=None)
    person.is_active = False
    assert roles.of(person) == []
    assert not roles.has(person, "administrator")


def test_C10_a_role_given_and_taken_leaves_an_audit_line_each(person: User) -> None:
    boss = User.objects.create_user("boss")
    for _ in range(2):
        roles.grant(person, "reviewer", by=boss)
    assert roles.of(person) == ["member", "reviewer"]
    assert roles.has(person, "reviewer")
    for _ in range(2):
        roles.withdraw(person, "reviewer", by=boss)
    assert not roles.has(person, "reviewer")
    assert list(Audit.objects.order_by("pk").values_list("actor", "action", "object")) == [
        (boss.pk, "role_granted", f"user:{person.pk}"),
        (boss.pk, "role_withdrawn", f"user:{person.pk}"),
    ]


def test_C10_only_the_auditor_reads_all(person: User) -> None:
    roles.grant(person, "administrator", by=None)
    assert not person.reads_all
    roles.grant(person, "auditor", by=None)
    assert person.reads_all
    person.is_active = False
    assert not person.reads_all


def test_C10_the_database_knows_four_roles_and_two_languages(person: User) -> None:
    with pytest.raises(ValueError, match="owner"):
        roles.grant(person, "owner", by=None)
    with pytest.raises(IntegrityError, match="role_is_known"):
        Role.objects.create(user=person, name="owner")
    with pytest.raises(IntegrityError, match="user_language_is_known"):
        User.objects.filter(pk=person.pk).update(language="fr")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounts_audit SET action = 'x'",
        "DELETE FROM accounts_audit",
        "TRUNCATE accounts_audit",
    ],
)
def test_C10_audit_lines_cannot_be_changed_by_the_application(person: User, statement: str) -> None:
    audit.note(person, "topic_read", "topic:12", details={"by_right_of": "auditor"})
    with pytest.raises(DatabaseError, match="permission denied"), connection.cursor() as cursor:
        cursor.execute(statement)
    assert Audit.objects.get().details == {"by_right_of": "auditor"}


def test_people_are_shown_by_their_display_name_or_else_their_user_name(person: User) -> None:
    assert person.shown_name == "梅"
    assert User(username="li").shown_name == "li"


def test_no_one_signs_themselves_up() -> None:
    assert not ClosedAdapter().is_open_for_signup(RequestFactory().get("/"))
