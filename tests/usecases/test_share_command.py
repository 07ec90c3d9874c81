"""`manage.py share …`: the operator opens a topic or a view, sees who has it, and takes it back."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from kb_agent.usecases import named_views, sharing
from kb_agent.usecases.sharing import Subject
from tests.api import company

if TYPE_CHECKING:
    from tests.api.company import Company


@pytest.fixture
def small(db: None) -> Company:
    """A company whose owner has asked one question."""
    return company.founded()


def share(*arguments: Any) -> Any:
    """What the command answers in JSON."""
    out = StringIO()
    call_command("share", *map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def test_P9_the_operator_opens_lists_and_takes_back(small: Company) -> None:
    topic = small.topic.pk
    share(topic, "--person", "li", "--expires", 7)
    share(topic, "--group", "product")
    made = share(topic, "--link")
    assert [one["kind"] for one in made["shares"]] == ["person", "group", "link"]
    assert made["shares"][0]["expires_at"]
    assert sharing.follow(small.stranger, made["token"]) == Subject("topic", topic)
    left = share(topic, "--revoke", made["shares"][2]["id"])
    assert [one["kind"] for one in left["shares"]] == ["person", "group"]
    assert left["token"] is None


def test_P9_the_operator_opens_a_view_likewise(small: Company) -> None:
    view = named_views.create(small.owner, "refunds", [{"topic": small.topic.pk}])
    made = share("--view", view.id, "--link", "--as", "mei")
    assert [one["kind"] for one in made["shares"]] == ["link"]
    assert sharing.follow(small.colleague, made["token"]) == Subject("view", view.id)
    assert share("--view", view.id, "--revoke", made["shares"][0]["id"])["shares"] == []
    with pytest.raises(CommandError):
        share("--view", view.id, "--company", "--as", "li")
    with pytest.raises(CommandError):
        share(small.topic.pk, "--view", view.id)


def test_C7_a_person_named_opens_only_what_is_theirs(small: Company) -> None:
    assert share(small.topic.pk, "--company", "--as", "mei")["shares"][0]["kind"] == "company"
    with pytest.raises(CommandError):
        share(small.topic.pk, "--company", "--as", "li")
    with pytest.raises(CommandError):
        share(small.topic.pk, "--person", "nobody")


def test_in_words_it_says_who_has_the_topic(small: Company) -> None:
    out = StringIO()
    call_command("share", str(small.topic.pk), stdout=out)
    assert out.getvalue() == "Nobody but its owner has it.\n"
    call_command("share", str(small.topic.pk), "--person", "li", stdout=out)
    assert out.getvalue().splitlines()[-1].endswith(": person Li")
