"""Opening a topic or a view to others and closing it again: rows, tape, and who sees it (P9)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Group
from django.db import IntegrityError
from django.utils import timezone

from kb_agent.accounts import roles
from kb_agent.accounts.models import User
from tapes import text, verify
from tests.topics import acting
from topics import access, named_views, resetting, sharing
from topics.models import NamedView, Share, ShareVisit, Topic
from topics.sharing import Opening

if TYPE_CHECKING:
    from tapes.models import Tape

NONE: frozenset[int] = frozenset()


@pytest.fixture
def colleague() -> User:
    """Someone the topic may be opened to."""
    return User.objects.create_user("li", display_name="Li")


def opening(by: User, kind: str, **more: object) -> Opening:
    """As the owner opens it."""
    return Opening(kind=kind, actor=f"person:{by.pk}", by=by.pk, **more)  # type: ignore[arg-type]


def sees(person: User) -> bool:
    """Whether this person sees any topic."""
    return access.visible_to(person, NONE).exists()


def test_P9_a_topic_opened_to_a_person_is_seen_until_it_is_closed_again(
    topic: Topic, person: User, colleague: User
) -> None:
    stranger = User.objects.create_user("gao")
    made = sharing.share(topic.pk, opening(person, "person", person=colleague.pk)).share
    assert (sees(colleague), sees(stranger)) == (True, False)
    sharing.revoke(made.pk, actor=f"person:{person.pk}")
    assert not sees(colleague)
    told = text.tape_text(topic.tape_id).splitlines()[-2:]
    named = f'{{"kind": "person", "person": {colleague.pk}, "share": {made.pk}}}'
    assert [line.split(" ", 2)[2] for line in told] == [
        f"topic_shared {named}",
        f"topic_unshared {named}",
    ]
    assert verify.verify(topic.tape_id).ok


def test_P9_members_of_a_group_see_it_as_long_as_they_are_members(
    topic: Topic, person: User, colleague: User
) -> None:
    group = Group.objects.create(name="product")
    colleague.groups.add(group)
    sharing.share(topic.pk, opening(person, "group", group=group))
    assert sees(colleague)
    colleague.groups.clear()
    assert not sees(colleague)


def test_P9_what_is_open_to_the_company_is_open_knowledge(
    topic: Topic, tape: Tape, person: User, colleague: User
) -> None:
    kept = acting.start(tape, person, title="Kept")
    made = sharing.share(topic.pk, opening(person, "company")).share
    assert list(access.open_of(person.pk, NONE)) == [topic]
    assert list(access.visible_to(colleague, NONE)) == [topic]
    assert list(Topic.objects.filter(access.open_to_company())) == [topic]
    assert not Topic.objects.filter(access.shared_with(colleague)).exists()
    sharing.revoke(made.pk, actor="person:1")
    assert not access.open_of(person.pk, NONE).exists()
    assert list(access.visible_to(person, NONE).order_by("pk")) == [topic, kept]


def test_P9_a_link_opens_to_who_came_by_it_and_to_nobody_else(
    topic: Topic, person: User, colleague: User
) -> None:
    stranger = User.objects.create_user("gao")
    opened = sharing.share(topic.pk, opening(person, "link"))
    assert opened.token not in str(Share.objects.values().get())
    assert opened.token not in text.tape_text(topic.tape_id)
    assert not sees(colleague)
    assert sharing.follow(opened.token, person_id=colleague.pk) == opened.share
    assert sharing.follow(opened.token + "x", person_id=stranger.pk) is None
    assert (sees(colleague), sees(stranger)) == (True, False)
    assert list(Topic.objects.filter(access.shared_with(colleague))) == [topic]
    sharing.revoke(opened.share.pk, actor=f"person:{person.pk}")
    assert not sees(colleague)
    assert sharing.follow(opened.token, person_id=stranger.pk) is None


def test_P9_what_has_expired_opens_nothing_and_can_be_opened_again(
    topic: Topic, person: User, colleague: User
) -> None:
    past = timezone.now() - timedelta(seconds=1)
    over = sharing.share(topic.pk, opening(person, "link", expires_at=past))
    assert sharing.follow(over.token, person_id=colleague.pk) is None
    named = opening(person, "person", person=colleague.pk, expires_at=past)
    first = sharing.share(topic.pk, named).share
    assert not sees(colleague)
    again = sharing.share(topic.pk, opening(person, "person", person=colleague.pk)).share
    assert again.pk == first.pk
    assert sees(colleague)


def test_P9_opening_twice_is_once_and_closing_twice_too(
    topic: Topic, person: User, colleague: User
) -> None:
    same = opening(person, "person", person=colleague.pk)
    made = acting.at_once(*[lambda: sharing.share(topic.pk, same).share.pk] * 4)
    assert len(set(made)) == 1
    acting.at_once(*[lambda: sharing.revoke(made[0], actor="person:1")] * 4)
    told = text.tape_text(topic.tape_id)
    assert (told.count("topic_shared"), told.count("topic_unshared")) == (1, 1)


def test_P9_a_deactivated_person_sees_nothing_and_their_links_open_nothing(
    topic: Topic, person: User, colleague: User
) -> None:
    link = sharing.share(topic.pk, opening(person, "link"))
    sharing.follow(link.token, person_id=colleague.pk)
    sharing.share(topic.pk, opening(person, "person", person=colleague.pk))
    person.is_active = False
    person.save()
    assert sharing.follow(link.token, person_id=colleague.pk) is None
    assert sees(colleague), "what was opened to people by name stays theirs to read"
    colleague.is_active = False
    colleague.save()
    assert not sees(colleague)


def test_P9_a_topic_on_a_closed_tape_can_still_be_closed_to_others(
    topic: Topic, person: User, colleague: User
) -> None:
    made = sharing.share(topic.pk, opening(person, "person", person=colleague.pk)).share
    resetting.reset(topic.tape_id, actor=f"person:{person.pk}", why="")
    assert sees(colleague)
    sharing.revoke(made.pk, actor=f"person:{person.pk}")
    assert not sees(colleague)


def test_C10_an_auditor_reads_all_but_builds_only_on_what_is_theirs(
    topic: Topic, person: User, colleague: User
) -> None:
    roles.grant(colleague, "auditor", by=None)
    assert list(access.visible_to(colleague, NONE)) == [topic]
    assert not access.known_to(colleague, NONE).exists()
    sharing.share(topic.pk, opening(person, "company"))
    assert list(access.known_to(colleague, NONE)) == [topic]


@pytest.fixture
def view(topic: Topic, person: User) -> NamedView:
    """The owner's view of the topic."""
    return named_views.create(person.pk, "Refunds", [{"topic": topic.pk}])


@pytest.mark.parametrize("kind", ["person", "group", "company", "link"])
def test_P9_a_view_is_opened_and_closed_as_topics_are_and_opens_no_topic(
    view: NamedView, person: User, colleague: User, kind: str
) -> None:
    stranger = User.objects.create_user("gao")
    group = Group.objects.create(name="product")
    colleague.groups.add(group)
    whom = {"person": colleague.pk, "group": group}
    named = {kind: whom[kind]} if kind in whom else {}
    opened = sharing.share_view(view.pk, opening(person, kind, **named))
    if kind == "link":
        assert not access.views_known_to(colleague).exists()
        assert sharing.follow(opened.token, person_id=colleague.pk) == opened.share
    assert list(access.views_known_to(colleague)) == [view]
    assert access.views_known_to(stranger).exists() is (kind == "company")
    assert access.open_views_of(person.pk).exists() is (kind == "company")
    assert access.shared_views([view.pk]) == {view.pk}
    assert not sees(colleague)
    sharing.revoke(opened.share.pk, actor=f"person:{person.pk}")
    assert not access.views_known_to(colleague).exists()
    assert not access.shared_views([view.pk])
    assert sharing.follow(opened.token, person_id=colleague.pk) is None
    assert list(access.views_known_to(person)) == [view]


def test_P9_a_view_opened_twice_is_open_once_until_the_time_said_last(
    view: NamedView, person: User, colleague: User
) -> None:
    same = opening(person, "person", person=colleague.pk)
    made = acting.at_once(*[lambda: sharing.share_view(view.pk, same).share.pk] * 4)
    assert len(set(made)) == 1
    past = timezone.now() - timedelta(seconds=1)
    sharing.share_view(view.pk, opening(person, "person", person=colleague.pk, expires_at=past))
    assert not access.views_known_to(colleague).exists()


def test_P9_a_view_that_is_forgotten_ends_its_shares_and_its_links(
    view: NamedView, topic: Topic, person: User, colleague: User
) -> None:
    link = sharing.share_view(view.pk, opening(person, "link"))
    sharing.follow(link.token, person_id=colleague.pk)
    kept = sharing.share(topic.pk, opening(person, "link"))
    over = sharing.share_view(view.pk, opening(person, "company")).share
    sharing.revoke(over.pk, actor="system")
    assert named_views.remove(view.pk) == [link.share.pk]
    assert sharing.follow(link.token, person_id=colleague.pk) is None
    assert list(Share.objects.all()) == [kept.share]
    assert not ShareVisit.objects.exists()
    with pytest.raises(NamedView.DoesNotExist):
        sharing.share_view(view.pk, opening(person, "company"))


def test_C10_an_auditor_sees_every_view_but_builds_only_on_what_is_theirs(
    view: NamedView, colleague: User
) -> None:
    roles.grant(colleague, "auditor", by=None)
    assert list(access.views_visible_to(colleague)) == [view]
    assert not access.views_known_to(colleague).exists()
    colleague.is_active = False
    assert not access.views_visible_to(colleague).exists()


@pytest.mark.parametrize("both", [True, False])
def test_the_database_holds_that_a_share_is_of_one_thing(
    view: NamedView, topic: Topic, *, both: bool
) -> None:
    of = {"topic": topic, "view": view} if both else {}
    with pytest.raises(IntegrityError):
        Share.objects.create(kind="company", **of)


def test_the_database_holds_that_a_share_says_to_whom(topic: Topic) -> None:
    with pytest.raises(IntegrityError):
        Share.objects.create(topic=topic, kind="person")
