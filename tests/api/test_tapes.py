"""A tape over HTTP: what stands on it, page by page, with forks, corrections, checks and proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kb_agent.usecases import tapes
from kb_agent.usecases.access import Access, personal
from tapes import entries, forks, spilled, store
from tapes.verify import requests
from tests.api import company
from tests.api.company import browser

if TYPE_CHECKING:
    import pytest

    from tests.api.company import Company


def get(small: Company, path: str, **query: Any) -> Any:
    """What the owner's browser is answered."""
    response = browser(small.owner).get(f"/api/tapes/{small.topic.tape_id}{path}", query)
    assert response.status_code == 200, response.content
    return response.json()


def test_a_tape_tells_its_topics_ranges_cost_counts_and_forks(small: Company) -> None:
    company.paid(small.topic, "0.21")
    found = get(small, "")
    assert (found["mine"], found["busy"], found["owner"]["id"]) == (True, False, small.owner.pk)
    (topic,) = found["topics"]
    assert (topic["id"], topic["initial_seq"], topic["turn_count"]) == (small.topic.pk, 2, 1)
    assert topic["cost"] == found["cost"]
    assert found["cost"]["money"] == [{"amount": "0.210000", "currency": "CNY"}]
    assert found["counted_from"] == 1
    assert found["cost"]["tokens"]["input"] == 100
    assert found["counts"] == {"anchor": 2, "message": 2, "event": 7}
    (fork,) = found["forks"]
    assert (fork["state"], fork["turn"]) == ("merged", small.turn.pk)
    assert (fork["first_seq"], fork["closed_seq"]) == (fork["base_seq"] + 1, found["head"] - 2)
    assert fork["entries"] == fork["last_seq"] - fork["first_seq"] + 1
    assert found["verified"] is None
    listed = browser(small.owner).get("/api/tapes").json()["results"]
    assert [one["id"] for one in listed] == [small.topic.tape_id]


def test_P8_a_topic_that_was_split_names_its_segments(small: Company) -> None:
    anchor = entries.anchor("brain_overload", {"text": "so far"}, topic_id=small.topic.pk)
    (split,) = store.append(small.topic.tape_id, [anchor])
    (topic,) = get(small, "")["topics"]
    assert topic["segments"] == [
        {"first": 2, "last": split.seq - 1},
        {"first": split.seq, "last": None},
    ]


def test_entries_come_in_pages_of_a_range_and_kinds(small: Company) -> None:
    head = get(small, "")["head"]
    seen, cursor = [], ""
    while cursor is not None:
        found = get(small, "/entries", limit=3, cursor=cursor)
        seen += [entry["seq"] for entry in found["results"]]
        cursor = found["next"]
    assert seen == list(range(1, head + 1))
    part = get(small, "/entries", **{"from": 2, "to": 4})
    assert [entry["seq"] for entry in part["results"]] == [2, 3, 4]
    said = get(small, "/entries", kinds="message,anchor")["results"]
    assert {entry["kind"] for entry in said} == {"message", "anchor"}
    refused = browser(small.owner).get(
        f"/api/tapes/{small.topic.tape_id}/entries", {"kinds": "nonsense"}
    )
    assert refused.status_code == 400


def test_T11_a_discarded_fork_is_shown_when_asked_for_and_an_open_one_always(
    small: Company,
) -> None:
    tape_id = small.topic.tape_id
    gone = forks.open(tape_id)
    store.append(tape_id, [entries.message("user", "a try")], fork=gone)
    forks.discard(gone)
    still = forks.open(tape_id)
    store.append(tape_id, [entries.message("user", "going on")], fork=still)

    def texts(**query: Any) -> list[str]:
        found = get(small, "/entries", kinds="message", **query)["results"]
        return [entry["payload"]["content"] for entry in found]

    assert texts()[-1] == "going on"
    assert "a try" not in texts()
    assert texts(forks=1)[-2:] == ["a try", "going on"]


def test_C7_a_tape_withholds_what_was_said_from_code_one_lost(small: Company) -> None:
    small.owner.groups.clear()
    entries_shown = get(small, "/entries")["results"]
    assert [one["kind"] for one in entries_shown if one["withheld"]] == ["message", "event"]
    assert get(small, "/search", q="three times")["results"] == []
    hidden = entries.anchor("mark/three times", {"note": "three"}, sources=[small.shop.pk])
    store.append(small.topic.tape_id, [hidden])
    anchor = get(small, "/anchors")["results"][-1]
    assert (anchor["name"], anchor["state"], anchor["withheld"]) == ("mark/", None, True)


def test_T13_a_hit_names_its_entry_tier_and_topic(small: Company) -> None:
    (hit,) = get(small, "/search", q="UP TO THREE")["results"]
    assert (hit["seq"], hit["tier"], hit["topic"]) == (
        small.turn.answer_seq,
        "exact",
        small.topic.pk,
    )
    assert get(small, "/search", q="up to three", kinds="anchor")["results"] == []


def test_T5_a_check_is_done_by_a_worker_and_what_it_found_is_kept(committed: Company) -> None:
    small = committed
    tape_id = small.topic.tape_id
    asked = browser(small.owner).post(f"/api/tapes/{tape_id}/verify")
    assert (asked.status_code, asked.json()["pending"], asked.json()["at"]) == (202, True, None)
    assert requests.due() == [tape_id]
    requests.run(tape_id)
    assert requests.due() == []
    found = get(small, "")
    assert (found["verified"]["ok"], found["verified"]["entries"]) == (True, found["head"])
    browser(small.owner).post(f"/api/tapes/{tape_id}/verify")
    again = get(small, "")["verified"]
    assert (again["pending"], again["ok"]) == (True, True)


def test_a_tape_one_owns_by_its_name_is_ones_own_before_any_topic(small: Company) -> None:
    fresh = store.create(f"{personal(small.owner.pk)}fresh")
    other = store.create(f"{personal(small.owner.pk * 10)}fresh")
    client = browser(small.owner)
    assert client.get(f"/api/tapes/{fresh.pk}").json()["mine"]
    assert client.get(f"/api/tapes/{other.pk}").status_code == 404
    assert browser(small.colleague).get(f"/api/tapes/{fresh.pk}").status_code == 404
    small.owner.is_active = False
    assert not Access(small.owner).tapes().exists()


def test_T17_pages_of_output_are_shown_to_who_may_read_the_entry(small: Company) -> None:
    whole = "".join(f"line {number}\n" for number in range(9_000))
    result = {"id": "c1", "name": "x", "content": "line 0", "spill": spilled.keep(whole)}
    new = entries.tool_result([result], topic_id=small.topic.pk, sources=[small.shop.pk])
    (entry,) = store.append(small.topic.tape_id, [new])
    path = f"/entries/{entry.seq}/output"
    first = get(small, path, call="c1")
    pages = [get(small, path, call="c1", page=page + 1)["text"] for page in range(first["pages"])]
    assert "".join(pages) == whole
    assert max(map(len, pages)) <= spilled.PAGE_CHARS
    client = browser(small.owner)
    address = f"/api/tapes/{small.topic.tape_id}{path}"
    assert client.get(address, {"call": "c1", "page": 99}).status_code == 400
    assert client.get(address, {"call": "c2"}).status_code == 404
    small.owner.groups.clear()
    assert client.get(address, {"call": "c1"}).status_code == 404


def test_T16_what_a_tape_tells_of_itself_counts_its_newest_entries_only(
    small: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tapes, "COUNTED", 4)
    found = get(small, "")
    assert found["counted_from"] == found["head"] - 3
    assert sum(found["counts"].values()) == 4
