"""People for operators: adding them, granting, and the one whom commands act as."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from kb_agent.accounts import roles
from kb_agent.accounts.models import Audit, User
from kb_agent.usecases import people, refusals
from tests.api import company

pytestmark = pytest.mark.django_db


def said(*arguments: str) -> str:
    """What a command prints."""
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_add_person_prints_the_password_it_made_and_it_signs_in() -> None:
    printed = said(
        "add_person", "lin", "--name", "Lin Yue", "--group", "product", "--role", "reviewer"
    )
    password = printed.partition("Password: ")[2].strip()
    lin = User.objects.get(username="lin")
    assert lin.check_password(password)
    assert lin.shown_name == "Lin Yue"
    assert [group.name for group in lin.groups.all()] == ["product"]
    assert roles.of(lin) == ["member", "reviewer"]
    assert set(Audit.objects.values_list("action", flat=True)) == {
        "person_added",
        "group_joined",
        "role_granted",
    }


def test_add_person_never_prints_a_password_that_was_given() -> None:
    assert "hunter22" not in said("add_person", "lin", "--password", "hunter22")


def test_a_name_is_taken_once() -> None:
    said("add_person", "lin")
    with pytest.raises(CommandError, match="already is a person 'lin'"):
        said("add_person", "lin")


def test_grant_puts_a_person_into_groups_and_says_which() -> None:
    said("add_person", "lin", "--group", "product")
    assert said("grant", "lin", "--group", "finance") == "lin is in finance, product.\n"
    with pytest.raises(CommandError, match="no person 'nobody'"):
        said("grant", "nobody", "--group", "finance")


def test_commands_act_as_an_operator_who_reads_what_any_group_reads() -> None:
    founded = company.founded()
    operator = people.operator()
    assert [row["name"] for row in people.me(operator).repositories] == [founded.shop.name]
    assert not operator.has_usable_password()
    assert people.operator() == operator


def test_a_deactivated_person_is_no_longer_named() -> None:
    User.objects.create_user("lin", is_active=False)
    with pytest.raises(refusals.NotFound):
        people.named("lin")


def test_no_person_gets_every_grant_by_being_called_operator() -> None:
    company.founded()
    with pytest.raises(CommandError, match="'operator' is kept for commands"):
        said("add_person", "operator")
    someone = company.person("operator")
    with pytest.raises(refusals.Conflict, match="say as whom"):
        people.operator()
    assert not someone.groups.exists()


def test_what_the_operator_may_read_is_on_the_audit_lines() -> None:
    company.founded()
    operator = people.operator()
    lines = Audit.objects.filter(object=f"user:{operator.pk}").values_list("action", "details")
    assert ("group_joined", {"group": "product"}) in list(lines)
