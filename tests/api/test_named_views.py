"""Named views: a definition is kept, never entries, and it is opened with the rights of today."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.api import company
from tests.api.company import browser
from topics.models import NamedView

if TYPE_CHECKING:
    from tests.api.company import Company


def keep(small: Company, name: str, *parts: dict[str, Any], status: int = 201) -> Any:
    """Keep a view as the owner."""
    body = {"name": name, "parts": list(parts)}
    response = browser(small.owner).post("/api/views", body, format="json")
    assert response.status_code == status, response.content
    return response.json()


def opened(small: Company, view_id: int) -> list[dict[str, Any]]:
    """What the owner sees in it."""
    found: list[dict[str, Any]] = browser(small.owner).get(f"/api/views/{view_id}").json()["shown"]
    return found


def test_T8_a_view_keeps_a_definition_and_reads_what_is_there_today(small: Company) -> None:
    tape_id = small.topic.tape_id
    view = keep(
        small,
        "refunds",
        {"topic": small.topic.pk},
        {"tape": tape_id, "first": 1, "last": 2},
        {"tape": tape_id, "after": "topic_initial"},
    )
    assert NamedView.objects.get().definition == {
        "parts": [
            {"topic": small.topic.pk},
            {"tape": tape_id, "first": 1, "last": 2},
            {"tape": tape_id, "after": "topic_initial"},
        ]
    }
    before = [len(part["entries"]) for part in opened(small, view["id"])]
    company.asked(small.topic, "And then?")
    assert [len(part["entries"]) for part in opened(small, view["id"])] == [
        before[0] + 1,
        2,
        before[2] + 1,
    ]


def test_C7_a_view_opens_with_the_rights_of_today(small: Company) -> None:
    view = keep(small, "refunds", {"topic": small.topic.pk})
    small.owner.groups.clear()
    (part,) = opened(small, view["id"])
    assert [entry["kind"] for entry in part["entries"] if entry["withheld"]] == [
        "message",
        "event",
    ]
    other = company.opened(small.colleague)
    row = NamedView.objects.get()
    row.definition = {"parts": [{"topic": other.pk}]}
    row.save()
    (part,) = opened(small, view["id"])
    assert (part["problem"], part["entries"]) == ("not_found", [])


def test_a_view_of_what_one_may_not_see_or_that_is_not_there_is_refused(small: Company) -> None:
    other = company.opened(small.colleague)
    keep(small, "a", {"topic": other.pk}, status=404)
    keep(small, "b", {"tape": other.tape_id}, status=404)
    missing = keep(small, "c", {"tape": small.topic.tape_id, "after": "nowhere"}, status=400)
    assert missing["error"]["code"] == "missing_anchor"
    turned = keep(small, "d", {"tape": small.topic.tape_id, "first": 3, "last": 1}, status=400)
    assert turned["error"]["code"] == "invalid_view"
    keep(small, "e", {}, status=400)


def test_a_view_is_its_owners_alone_and_its_name_is_taken_once(small: Company) -> None:
    view = keep(small, "refunds", {"topic": small.topic.pk})
    assert keep(small, "refunds", {"topic": small.topic.pk}, status=409)
    assert browser(small.auditor).get(f"/api/views/{view['id']}").status_code == 404
    client = browser(small.owner)
    assert [one["name"] for one in client.get("/api/views").json()["results"]] == ["refunds"]
    assert client.delete(f"/api/views/{view['id']}").status_code == 204
    assert client.get("/api/views").json()["results"] == []
