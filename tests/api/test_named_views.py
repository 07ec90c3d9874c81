"""Named views: a definition is kept, never entries, and it is opened with the rights of today."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kb_agent.accounts.models import Audit
from tapes import entries, store
from tests.api import company
from tests.api.company import browser
from topics import lifecycle, sharing
from topics.models import NamedView
from topics.sharing import Opening

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from tests.api.company import Company
    from topics.models import Topic


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


def test_a_view_is_its_owners_until_they_open_it_and_its_name_is_taken_once(small: Company) -> None:
    view = keep(small, "refunds", {"topic": small.topic.pk})
    assert keep(small, "refunds", {"topic": small.topic.pk}, status=409)
    assert browser(small.colleague).get(f"/api/views/{view['id']}").status_code == 404
    assert browser(small.colleague).get("/api/views").json()["results"] == []
    client = browser(small.owner)
    assert [one["name"] for one in client.get("/api/views").json()["results"]] == ["refunds"]
    assert client.delete(f"/api/views/{view['id']}").status_code == 204
    assert client.get("/api/views").json()["results"] == []


def share(small: Company, view: Any, *, status: int = 201, **whom: Any) -> Any:
    """Open a view as its owner."""
    at = f"/api/views/{view['id']}/shares"
    response = browser(small.owner).post(at, whom, format="json")
    assert response.status_code == status, response.content
    return response.json()


def share_topic(small: Company, reader: User) -> None:
    """Open the topic itself to somebody."""
    by = Opening(kind="person", actor="person:1", by=small.owner.pk, person=reader.pk)
    sharing.share(small.topic.pk, by)


def read_by(user: User, view: Any) -> Any:
    """What somebody is answered who opens a view."""
    response = browser(user).get(f"/api/views/{view['id']}")
    assert response.status_code == 200, response.content
    return response.json()


def other_topic(small: Company) -> Topic:
    """A second topic of the owner's, on the same tape."""
    lifecycle.finalize(small.topic.pk, reason="owner", actor="person:1")
    other = lifecycle.start(
        tape_id=small.topic.tape_id,
        owner_id=small.owner.pk,
        title="Kept to myself",
        actor="person:1",
    )
    company.answered(other, "And vouchers?", "Vouchers too.", sources=[small.shop.pk])
    return other


def test_P9_a_reader_of_a_view_sees_in_it_what_they_may_see_without_it(small: Company) -> None:
    other, tape_id = other_topic(small), small.topic.tape_id
    store.append(tape_id, [entries.anchor("phase/secret name", {}, actor="person:1")])
    view = keep(
        small,
        "refunds",
        {"topic": small.topic.pk},
        {"topic": other.pk},
        {"tape": tape_id, "first": 1},
        {"tape": tape_id, "after": "phase/secret name"},
    )
    share(small, view, kind="person", person=small.colleague.pk)
    nothing = read_by(small.colleague, view)
    blank = dict.fromkeys(("topic", "tape", "first", "last", "after", "before"))
    assert nothing["parts"] == [blank] * 4
    assert [part["problem"] for part in nothing["shown"]] == ["withheld"] * 4
    assert "secret name" not in str(nothing)

    share_topic(small, small.colleague)
    seen = read_by(small.colleague, view)
    assert (seen["owner"]["display_name"], seen["mine"], seen["shared"]) == ("Mei", False, False)
    assert [part["problem"] for part in seen["shown"]] == ["", "withheld", "", "withheld"]
    assert [part["partly"] for part in seen["shown"]] == [False, False, True, False]
    assert seen["parts"] == [
        {**blank, "topic": small.topic.pk},
        blank,
        {**blank, "tape": tape_id, "first": 1},
        blank,
    ]
    whole, _, range_, _ = seen["shown"]
    assert whole["entries"]
    assert {entry["topic"] for entry in range_["entries"]} == {small.topic.pk}
    assert "Vouchers" not in str(seen)
    assert "secret name" not in str(seen)


def test_P9_a_part_by_anchors_begins_for_its_reader_at_the_anchors_they_see(small: Company) -> None:
    topic, tape_id = small.topic, small.topic.tape_id
    other_topic(small)
    between = {"tape": tape_id, "after": "topic_initial", "before": "topic_finalized"}
    view = keep(small, "latest", {"tape": tape_id, "after": "topic_initial"})
    share(small, view, kind="company")
    share_topic(small, small.colleague)
    (part,) = read_by(small.colleague, view)["shown"]
    assert {entry["topic"] for entry in part["entries"]} == {topic.pk}
    NamedView.objects.update(definition={"parts": [between]})
    (part,) = read_by(small.colleague, view)["shown"]
    topic.refresh_from_db()
    seqs = [entry["seq"] for entry in part["entries"]]
    assert topic.initial_seq < seqs[0] < seqs[-1] < (topic.finalized_seq or 0)
    NamedView.objects.update(definition={"parts": [{**between, "before": "session/start"}]})
    (part,) = read_by(small.colleague, view)["shown"]
    assert (part["problem"], part["entries"]) == ("withheld", [])


def test_C7_a_view_gives_no_words_from_code_its_reader_may_not_read(small: Company) -> None:
    view = keep(small, "refunds", {"topic": small.topic.pk})
    share(small, view, kind="company")
    sharing.share(small.topic.pk, Opening(kind="company", actor="person:1", by=small.owner.pk))
    (part,) = read_by(small.stranger, view)["shown"]
    assert [entry["kind"] for entry in part["entries"] if entry["withheld"]] == ["message", "event"]
    assert "up to three times" not in str(part)


def test_P9_who_has_a_view_is_its_owners_to_say_and_leaves_audit_lines(small: Company) -> None:
    view = keep(small, "refunds", {"topic": small.topic.pk})
    assert share(small, view, kind="person", person=small.owner.pk, status=400)
    made = share(small, view, kind="link")
    at = f"/api/views/{view['id']}/shares"
    reader = browser(small.colleague)
    assert reader.get(at).status_code == 404
    led = reader.post("/api/links", {"token": made["token"]}, format="json").json()
    assert led == {"topic": None, "view": view["id"]}
    assert [one["name"] for one in reader.get("/api/views").json()["results"]] == ["refunds"]
    assert reader.get(at).status_code == 403
    assert reader.post(at, {"kind": "company"}, format="json").status_code == 403
    assert reader.delete(f"{at}/{made['id']}").status_code == 403
    assert reader.delete(f"/api/views/{view['id']}").status_code == 403
    owner = browser(small.owner)
    (held,) = owner.get(at).json()["results"]
    assert (held["kind"], held["visits"], "token" in held) == ("link", 1, False)
    assert owner.get("/api/views").json()["results"][0]["shared"] is True
    assert owner.delete(f"{at}/{made['id']}").status_code == 204
    assert owner.delete(f"{at}/{made['id']}").status_code == 404
    assert reader.get(f"/api/views/{view['id']}").status_code == 404
    assert reader.post("/api/links", {"token": made["token"]}, format="json").status_code == 404
    share(small, view, kind="company")
    assert owner.delete(f"/api/views/{view['id']}").status_code == 204
    told = Audit.objects.filter(object=f"view:{view['id']}").order_by("pk")
    assert list(told.values_list("action", "actor__username")) == [
        ("view_shared", "mei"),
        ("link_followed", "li"),
        ("view_unshared", "mei"),
        ("view_shared", "mei"),
        ("view_deleted", "mei"),
    ]


def test_C10_an_auditor_reads_every_view_and_each_reading_is_on_record(small: Company) -> None:
    view = keep(small, "refunds", {"topic": small.topic.pk})
    assert read_by(small.auditor, view)["parts"][0]["topic"] == small.topic.pk
    listed = browser(small.auditor).get("/api/views").json()["results"]
    assert [one["mine"] for one in listed] == [False]
    told = Audit.objects.filter(actor=small.auditor, action__startswith="view")
    assert sorted(told.values_list("action", flat=True)) == ["view_read", "views_listed"]
