"""What people write on their tapes, and that each act says who and why (T6–T9, T11, T12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapes import store, views
from tapes.views import View
from tests.api import company
from tests.api.company import browser
from topics.models import Topic

if TYPE_CHECKING:
    from tests.api.company import Company


def post(small: Company, path: str, body: dict[str, Any] | None = None, *, status: int) -> Any:
    """What the owner's browser is answered, by a tape's address or any other."""
    address = path if path.startswith("/api") else f"/api/tapes/{small.topic.tape_id}/{path}"
    response = browser(small.owner).post(address, body or {}, format="json")
    assert response.status_code == status, response.content
    return response.json()


def test_T7_a_handoff_starts_the_window_anew_and_says_who_and_why(small: Company) -> None:
    body = {"name": "new phase", "state": {"owner": "mei"}, "why": "refunds are done"}
    written = post(small, "handoff", body, status=201)
    anchor, event = views.read(small.topic.tape_id, View.seqs(written["seq"]))
    assert anchor.payload == {"name": "new phase", "state": {"owner": "mei"}}
    assert (anchor.actor, anchor.why) == (f"person:{small.owner.pk}", "refunds are done")
    assert (event.payload["name"], anchor.topic_id) == ("handoff", small.topic.pk)
    # Who writes a state has the window before them.
    assert anchor.sources == (small.shop.pk,)
    assert [one.seq for one in views.read(small.topic.tape_id, View.last_anchor())] == [event.seq]


def test_T7_names_that_tapes_use_themselves_are_refused(small: Company) -> None:
    for name in ("topic_initial", "session/start", "mark/x", "brain_overload"):
        refused = post(small, "handoff", {"name": name}, status=400)
        assert refused["error"]["code"] == "reserved_name"


def test_T9_a_mark_stands_over_entries_and_moves_no_window(small: Company) -> None:
    before = views.read(small.topic.tape_id, View.last_anchor())
    body = {"seqs": [4, 3], "note": "渠道配置优先", "name": "渠道"}
    written = post(small, "marks", body, status=201)
    after = views.read(small.topic.tape_id, View.last_anchor())
    assert after[:-1] == before
    assert after[-1].payload == {
        "name": "mark/渠道",
        "state": {"seqs": [3, 4], "note": "渠道配置优先", "text": "渠道配置优先 (entries 3, 4)"},
    }
    listed = browser(small.owner).get(f"/api/tapes/{small.topic.tape_id}/anchors").json()
    assert listed["results"][-1]["seq"] == written["seq"]


def test_C7_what_one_may_not_read_cannot_be_marked_or_corrected(small: Company) -> None:
    answer = small.turn.answer_seq
    post(small, "marks", {"seqs": [999], "note": "x", "name": "x"}, status=404)
    small.owner.groups.clear()
    post(small, "marks", {"seqs": [answer], "note": "x", "name": "x"}, status=404)
    post(small, "corrections", {"corrects": answer, "text": "x"}, status=404)


def test_T6_a_correction_is_shown_beside_what_it_corrects(small: Company) -> None:
    answer = small.turn.answer_seq
    written = post(small, "corrections", {"corrects": answer, "text": "Five times."}, status=201)
    client = browser(small.owner)
    for address in (
        f"/api/tapes/{small.topic.tape_id}/entries",
        f"/api/topics/{small.topic.pk}/entries",
    ):
        found = {one["seq"]: one for one in client.get(address).json()["results"]}
        (correction,) = found[answer]["corrections"]
        assert (correction["seq"], correction["text"]) == (written["seq"], "Five times.")
        assert found[answer]["payload"]["content"] == company.ANSWER
        assert found[3]["corrections"] == []
    listed = client.get(f"/api/topics/{small.topic.pk}").json()
    assert listed["answer"]["correction"] == "Five times."
    # It was written with the answer in view, so it is withheld with it.
    small.owner.groups.clear()
    address = f"/api/tapes/{small.topic.tape_id}/entries"
    found = {one["seq"]: one for one in client.get(address).json()["results"]}
    assert found[answer]["corrections"][0]["text"] is None


def test_C8_secrets_in_what_people_write_are_masked(small: Company) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    post(small, "handoff", {"name": "x", "state": {"deep": [secret]}, "why": secret}, status=201)
    post(small, "marks", {"seqs": [3], "note": secret, "name": "y"}, status=201)
    post(small, "corrections", {"corrects": 3, "text": f"token {secret}"}, status=201)
    for entry in views.read(small.topic.tape_id, View.seqs()):
        assert secret not in f"{entry.payload}{entry.why}"


def test_T12_reset_closes_the_tape_with_its_topic_and_starts_anew(small: Company) -> None:
    old = small.topic.tape_id
    new = post(small, "reset", {"why": "another product"}, status=201)
    topic = Topic.objects.get(pk=small.topic.pk)
    assert (topic.status, topic.reason) == ("aborted", "reset")
    assert store.get(old).archived_at is not None
    (start,) = views.read(new["tape"], View.seqs())
    assert (start.payload["name"], start.why) == ("session/start", "another product")
    assert new["name"] == store.get(old).name
    client = browser(small.owner)
    # Nothing is destroyed, and what follows goes on the new tape.
    assert client.get(f"/api/tapes/{old}/entries").json()["results"]
    again = post(small, "reset", status=409)
    assert again["error"]["code"] == "tape_archived"
    asked = post(small, "/api/questions", {"text": "And now?"}, status=202)
    assert asked["turn"]["tape"] == new["tape"]
    follow = {"text": "Once more?", "topic": small.topic.pk}
    assert post(small, "/api/questions", follow, status=202)["continued_from"] == small.topic.pk


def test_T12_reset_is_refused_while_a_turn_waits_or_runs(small: Company) -> None:
    company.asked(small.topic, "Still?")
    refused = post(small, "reset", status=409)["error"]
    assert refused["code"] == "tape_busy"
    assert "being answered" in refused["message"]
    assert store.get(small.topic.tape_id).archived_at is None


def test_T11_a_side_line_is_hidden_until_it_is_merged(small: Company) -> None:
    def shown() -> list[str]:
        found = views.read(small.topic.tape_id, View.seqs().only("message"))
        return [str(entry.payload["content"]) for entry in found]

    tried, dropped = (post(small, "forks", {"note": "a try"}, status=201) for _ in range(2))
    post(small, f"forks/{tried['id']}/notes", {"text": "it works"}, status=201)
    post(small, f"forks/{dropped['id']}/notes", {"text": "it fails"}, status=201)
    assert "it works" not in shown()
    merged = post(small, f"forks/{tried['id']}/merge", {"why": "good"}, status=200)
    assert (merged["state"], merged["entries"], merged["turn"]) == ("merged", 2, None)
    assert merged["note"] == "a try"
    assert post(small, f"forks/{tried['id']}/merge", status=200) == merged
    discarded = post(small, f"forks/{dropped['id']}/discard", status=200)
    assert discarded["state"] == "discarded"
    assert shown()[-1] == "it works"
    refused = post(small, f"forks/{dropped['id']}/merge", status=409)
    assert refused["error"]["code"] == "fork_closed"
    inspected = views.read(small.topic.tape_id, View.fork(dropped["id"]))
    assert inspected[-1].payload["content"] == "it fails"


def test_A1_the_fork_of_a_running_turn_is_its_own_to_close(small: Company) -> None:
    claim = company.claimed(small.topic)
    for act in ("merge", "discard"):
        refused = post(small, f"forks/{claim.fork.id}/{act}", status=409)
        assert refused["error"]["code"] == "fork_in_turn"


def test_T8_a_question_may_name_the_anchor_its_window_starts_after(small: Company) -> None:
    body = {"text": "From the start?", "topic": small.topic.pk, "after_anchor": "session/start"}
    turn = post(small, "/api/questions", body, status=202)["turn"]
    (question,) = views.at([(turn["tape"], turn["question_seq"])])
    assert question.meta == {"after_anchor": {"name": "session/start", "seq": 1}}
    refused = post(small, "/api/questions", body | {"after_anchor": "nowhere"}, status=400)
    assert refused["error"]["code"] == "missing_anchor"
    joins = body | {"joins": turn["id"]}
    assert post(small, "/api/questions", joins, status=400)["error"]["code"] == "joins_and_after"
    elsewhere = {"text": "Here?", "tape": turn["tape"], "after_anchor": "2"}
    refused = post(small, "/api/questions", elsewhere, status=409)
    assert refused["error"]["code"] == "tape_busy"
