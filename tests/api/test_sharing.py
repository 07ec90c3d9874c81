"""Opening a topic over HTTP: to people, groups, everyone, by link; what a reader gets, and no longer gets."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from kb_agent.accounts.models import Audit
from tests.api import company
from tests.api.company import Company, browser

if TYPE_CHECKING:
    from rest_framework.test import APIClient

    from kb_agent.accounts.models import User


def shared(small: Company, **how: Any) -> dict[str, Any]:
    """The owner opens the topic so."""
    response = browser(small.owner).post(f"/api/topics/{small.topic.pk}/shares", how, format="json")
    assert response.status_code == 201, response.content
    made: dict[str, Any] = response.json()
    return made


def closed(small: Company, made: dict[str, Any]) -> None:
    """The owner takes it back."""
    address = f"/api/topics/{small.topic.pk}/shares/{made['id']}"
    assert browser(small.owner).delete(address).status_code == 204


def sees(small: Company, who: User) -> bool:
    """Whether this person can read the topic."""
    status = browser(who).get(f"/api/topics/{small.topic.pk}").status_code
    assert status in {200, 404}
    return status == 200


def test_P9_a_named_person_reads_until_it_is_taken_back(small: Company) -> None:
    made = shared(small, kind="person", person=small.colleague.pk)
    assert made["person"] == {"id": small.colleague.pk, "display_name": "Li"}
    assert sees(small, small.colleague)
    assert not sees(small, small.stranger)
    closed(small, made)
    assert not sees(small, small.colleague)
    there = browser(small.colleague).get(f"/api/topics/{small.topic.pk}")
    nowhere = browser(small.colleague).get("/api/topics/987654321")
    assert there.content == nowhere.content


def test_P9_sharing_widens_no_grant(small: Company) -> None:
    shared(small, kind="company")
    client = browser(small.stranger)
    entries = client.get(f"/api/topics/{small.topic.pk}/entries").json()["results"]
    answer = next(one for one in entries if one["kind"] == "message" and one["withheld"])
    assert (answer["payload"], answer["meta"]) == (None, {})
    assert client.get(f"/api/evidence/{small.evidence.pk}").status_code == 404
    assert browser(small.colleague).get(f"/api/evidence/{small.evidence.pk}").status_code == 200


def test_P9_a_link_works_for_who_is_signed_in_and_came_by_it(small: Company) -> None:
    made = shared(small, kind="link")
    listed = browser(small.owner).get(f"/api/topics/{small.topic.pk}/shares").json()["results"]
    assert listed[0]["kind"] == "link"
    assert "token" not in listed[0]
    assert browser(None).post("/api/links", {"token": made["token"]}).status_code == 401
    assert not sees(small, small.colleague)
    came = follow(browser(small.colleague), made["token"])
    assert came == {"topic": small.topic.pk, "view": None}
    assert sees(small, small.colleague)
    assert not sees(small, small.stranger)
    closed(small, made)
    assert not sees(small, small.colleague)
    gone = browser(small.stranger).post("/api/links", {"token": made["token"]}, format="json")
    never = browser(small.stranger).post("/api/links", {"token": "never"}, format="json")
    assert (gone.status_code, gone.content) == (never.status_code, never.content)
    assert gone.status_code == 404


def follow(client: APIClient, token: str) -> Any:
    """Come by a link."""
    return client.post("/api/links", {"token": token}, format="json").json()


def test_P9_a_time_that_is_over_is_refused(small: Company) -> None:
    past = (timezone.now() - timedelta(minutes=1)).isoformat()
    response = browser(small.owner).post(
        f"/api/topics/{small.topic.pk}/shares", {"kind": "link", "expires_at": past}, format="json"
    )
    assert (response.status_code, response.json()["error"]["code"]) == (400, "expired")


@pytest.mark.parametrize(
    ("how", "status"),
    [
        ({"kind": "person"}, 404),
        ({"kind": "person", "person": 987}, 404),
        ({"kind": "group", "group": 987}, 404),
        ({"kind": "everyone"}, 400),
    ],
)
def test_a_share_names_somebody_there_is(small: Company, how: dict[str, Any], status: int) -> None:
    address = f"/api/topics/{small.topic.pk}/shares"
    assert browser(small.owner).post(address, how, format="json").status_code == status


def test_a_reader_opens_nothing_to_others_and_ends_nothing(small: Company) -> None:
    made = shared(small, kind="person", person=small.colleague.pk)
    client, at = browser(small.colleague), f"/api/topics/{small.topic.pk}"
    assert client.get(f"{at}/shares").status_code == 403
    assert client.post(f"{at}/shares", {"kind": "company"}, format="json").status_code == 403
    assert client.delete(f"{at}/shares/{made['id']}").status_code == 403
    assert client.post(f"{at}/finalize").status_code == 403
    assert client.post(f"/api/turns/{small.turn.pk}/stop").status_code == 403


def test_P9_a_readers_question_starts_a_topic_of_their_own_that_goes_on_from_it(
    small: Company,
) -> None:
    shared(small, kind="person", person=small.colleague.pk)
    client = browser(small.colleague)
    place = {"topic": small.topic.pk}
    assert client.get("/api/questions/preview", place).json()["does"] == "continue"
    asked = client.post("/api/questions", {"text": "And then?", **place}, format="json").json()
    assert asked["continued_from"] == small.topic.pk
    assert asked["topic"]["owner"]["id"] == small.colleague.pk
    assert asked["topic"]["tape"] != small.topic.tape_id


def test_every_act_of_sharing_has_its_audit_line(small: Company) -> None:
    made = shared(small, kind="link")
    follow(browser(small.colleague), made["token"])
    closed(small, made)
    lines = Audit.objects.filter(object=f"topic:{small.topic.pk}").order_by("pk")
    assert [(line.actor, line.action) for line in lines] == [
        (small.owner, "topic_shared"),
        (small.colleague, "link_followed"),
        (small.owner, "topic_unshared"),
    ]
    assert made["token"] not in str(list(lines.values()))


def test_names_of_people_are_names_only(small: Company) -> None:
    company.person("mo", *small.owner.groups.all())
    found = browser(small.owner).get("/api/people", {"q": "m"}).json()["results"]
    assert [one["display_name"] for one in found] == ["Mo"]
    assert set(found[0]) == {"id", "display_name", "mention"}
    groups = browser(small.owner).get("/api/people/groups").json()["results"]
    assert [one["name"] for one in groups] == ["product"]
    assert browser(small.stranger).get("/api/people/groups").json() == {"results": []}
