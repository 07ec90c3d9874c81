"""Who sees what of a topic and of a view, on every route, by every tool: one table, held against everyone (C7, C10, P9).

Each kind of words has a word of its own (`opened.WORDS`). A line says which of them a route shows
at all; nobody ever finds one that is not theirs, on any route, whatever its line says. A new route
or tool without a line fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from kb_agent.agent import toolbox
from kb_agent.agent.desk import Desk
from kb_agent.agent.tools import list_anchors, open_range, search_tape
from kb_agent.repositories import access
from tapes import entries, store
from tests.api import company, opened
from tests.api.company import browser
from tests.api.opened import FROM_CODE, OTHERS, READERS, SEE_TOPIC, WHOLE_TAPE, WORDS, Opened
from tests.api.test_permissions import TABLE, Row
from topics.access import known_to
from topics.quoting import Quotes

if TYPE_CHECKING:
    from collections.abc import Iterator

FACTS = (*READERS, "unshared", "colleague")
"""An accepted fact is open to whoever reads the code it rests on, whoever sees its topic."""

# What each route of topics, tapes, turns, evidence and facts shows to somebody; "" shows none of the words.
SHOWS: dict[tuple[str, str], str] = {
    ("get", "topics"): "title",
    ("get", "topic"): "title",
    ("get", "topic-entries"): "question title summary answer result recall range cost",
    ("get", "topic-segments"): "",
    ("get", "recalled"): "other",
    ("get", "turn"): "",
    ("get", "turn-saw"): "",
    ("get", "tapes-search"): "answer",
    ("get", "tapes"): "",
    ("get", "tape"): "title",
    ("get", "tape-entries"): "question title summary answer result recall range cost other anchor",
    ("get", "tape-output"): "",
    ("get", "tape-anchors"): "recall other anchor",
    ("get", "tape-search"): "answer",
    ("get", "evidence-states"): "path",
    ("get", "evidence"): "path",
    ("get", "evidence-outline"): "",
    ("get", "evidence-blame"): "",
    ("get", "evidence-change"): "",
    ("get", "evidence-log"): "",
    ("get", "evidence-symbol"): "",
    ("get", "references"): "title",
    ("get", "facts"): "fact",
    ("get", "fact"): "fact",
    ("get", "views"): "view anchor",
    ("get", "view"): "view question title summary answer result recall range cost other anchor",
    ("get", "view-shares"): "",
}
# Routes that are about something else, and so show none of a topic's words to anybody.
ABOUT_ELSE = {
    *(("get", name) for name in ("session", "me", "topic-totals", "question-preview", "people")),
    *(("get", name) for name in ("own-groups", "topic-shares", "person")),
    *(("get", name) for name in ("repositories", "repository", "repository-skipped", "groups")),
    *(("get", name) for name in ("repository-lines", "vocabulary", "vocabulary-why")),
    *(("get", name) for name in ("evaluations", "evaluation", "stream", "health", "ready")),
    *(("get", name) for name in ("schema", "hooks", "open-topics", "prices", "budgets")),
    # Names, and how many topics each has opened to everyone.
    ("get", "open-knowledge"),
    # Figures for administrators: no words, and no title of what they may not read.
    *(("get", name) for name in ("costs", "costs-file")),
}
# What somebody may do who only reads a topic; all else is its owner's.
READERS_DO = {("put", "topic-pin"), ("delete", "topic-pin"), ("post", "tape-verify")}
# Where the row of `test_permissions` asks about nothing that is there.
ASKS: dict[str, Any] = {
    "fact": lambda world: {"fact_id": world.fact.pk},
    "topic-share": lambda world: {"topic_id": world.topic.pk, "share_id": world.share.pk},
    "view": lambda world: {"view_id": world.view.pk},
    "view-shares": lambda world: {"view_id": world.view.pk},
    "view-share": lambda world: {"view_id": world.view.pk, "share_id": world.view_share.pk},
}
# Whom one's own is opened to is told to its owner and to auditors; other readers are refused.
OWNERS_LISTS = ("view-shares",)
QUERIES = {
    "tapes-search": {"q": WORDS["answer"]},
    "tape-search": {"q": WORDS["answer"]},
    "references": {"q": WORDS["title"]},
}
PLACED = {"topic_id", "turn_id", "tape_id", "view_id"}
PEOPLE = (*SEE_TOPIC, "unshared", "colleague", "administrator", "anonymous")


def may_find(who: str) -> set[str]:
    """The words that are this person's to find, on whatever route."""
    found = {word for word in WORDS if word not in OTHERS | FROM_CODE and who in SEE_TOPIC}
    found |= {word for word in FROM_CODE - {"fact", "proposed"} if who in READERS}
    found |= {word for word in OTHERS if who in WHOLE_TAPE}
    found |= {"fact"} if who in FACTS else set()
    found |= {"cost"} if who == "administrator" else set()
    # That one was proposed stands on the topic's tape; the queue is its contributor's and reviewers'.
    return found | ({"proposed"} if who in READERS else set())


def found_in(content: bytes) -> set[str]:
    """The words in an answer."""
    text = content.decode()
    return {name for name, word in WORDS.items() if word in text}


def _whole(response: Any) -> bytes:
    """Its content, also of a file that is streamed."""
    return b"".join(response) if response.streaming else bytes(response.content)


def called(world: Opened, who: str, method: str, name: str) -> Any:
    """What this route answers this person."""
    row: Row = TABLE[method, name]
    address = reverse(name, kwargs=(ASKS.get(name) or row.arguments)(world))
    query = QUERIES.get(name) or row.query(world)
    said = query if method == "get" else row.body(world)
    form = {} if method == "get" else {"format": "json"}
    return getattr(browser(world.people()[who]), method)(address, said, **form)


def placed(world: Opened, name: str, method: str) -> bool:
    """Whether an address names the topic, its tape, a turn of it, or the view."""
    return bool(PLACED & set((ASKS.get(name) or TABLE[method, name].arguments)(world)))


def reading() -> Iterator[str]:
    """Every route that is read."""
    yield from sorted(name for method, name in TABLE if method == "get")


def test_every_route_that_is_read_has_its_line() -> None:
    assert set(SHOWS) | ABOUT_ELSE == {route for route in TABLE if route[0] == "get"}
    assert not set(SHOWS) & ABOUT_ELSE


@pytest.mark.parametrize("who", PEOPLE)
def test_C7_P9_everyone_finds_what_is_open_to_them_and_nothing_else(db: None, who: str) -> None:
    world = opened.opened()
    leaks, lacking, statuses = {}, {}, {}
    for name in reading():
        response = called(world, who, "get", name)
        found, line = found_in(_whole(response)), set(SHOWS.get(("get", name), "").split())
        leaks[name] = sorted(found - may_find(who))
        lacking[name] = sorted(line - found) if who == "owner" else []
        if ("get", name) in SHOWS and placed(world, name, "get"):
            statuses[name] = response.status_code
    # No output on this tape was too long for its entry.
    assert statuses.pop("tape-output") == (401 if who == "anonymous" else 404)
    assert {name: words for name, words in leaks.items() if words} == {}
    assert {name: words for name, words in lacking.items() if words} == {}
    there = 401 if who == "anonymous" else 200 if who in SEE_TOPIC else 404
    lists = {statuses.pop(name) for name in OWNERS_LISTS}
    assert lists == {there if who in WHOLE_TAPE or there != 200 else 403}
    assert statuses == dict.fromkeys(statuses, there)


def test_P10_what_is_only_proposed_stands_in_its_contributors_and_reviewers_queue(
    db: None,
) -> None:
    world = opened.opened()
    for who, found in (("owner", True), ("named", False), ("colleague", False)):
        queue = browser(world.people()[who]).get("/api/facts", {"status": "proposed"})
        assert ("proposed" in found_in(queue.content)) is found, who


@pytest.mark.parametrize("who", [one for one in PEOPLE if one not in {"owner", "administrator"}])
def test_P9_what_changes_a_topic_is_its_owners(db: None, who: str) -> None:
    world = opened.opened()
    done = {}
    for method, name in sorted(TABLE):
        if method == "get" or not placed(world, name, method):
            continue
        response = called(world, who, method, name)
        assert found_in(response.content) <= may_find(who), name
        refused = {401} if who == "anonymous" else {403, 404} if who in SEE_TOPIC else {404, 403}
        allowed = (method, name) in READERS_DO and who in SEE_TOPIC
        if response.status_code not in refused and not allowed:
            done[name] = response.status_code
    assert done == {}


@pytest.mark.parametrize("who", PEOPLE)
def test_T13_search_finds_what_its_reader_may_see(db: None, who: str) -> None:
    world = opened.opened()
    client = browser(world.people()[who])
    wrong = {}
    for name, word in WORDS.items():
        for address in ("/api/search", f"/api/tapes/{world.topic.tape_id}/search"):
            answer = client.get(address, {"q": word})
            hits = answer.json().get("results", []) if answer.status_code == 200 else []
            exact = [hit for hit in hits if hit["tier"] == "exact"]
            if exact and name not in may_find(who):
                wrong[name] = address
    assert wrong == {}


@pytest.mark.parametrize("who", PEOPLE[:-1])
def test_P9_a_link_a_share_and_a_withdrawn_one_leave_no_trace_in_the_address(
    db: None, who: str
) -> None:
    world = opened.opened()
    client = browser(world.people()[who])
    here = client.get(f"/api/topics/{world.topic.pk}/shares")
    there = client.get(f"/api/views/{world.view.pk}/shares")
    for answer in (here, there):
        if who in WHOLE_TAPE:
            kinds = [one["kind"] for one in answer.json()["results"]]
            assert kinds == ["person", "person", "group", "link"]
            assert "token" not in answer.content.decode()
        else:
            assert answer.status_code == (403 if who in SEE_TOPIC else 404)


# Where a tool of the agent gets its words from, and so what decides over them.
TOOLS = {
    **dict.fromkeys(
        ("search_code", "read_lines", "find_symbol", "outline", "list_files", "blame", "log"),
        "code: Desk.scope",
    ),
    "list_repositories": "code: Desk.scope",
    "look_up_facts": "facts: Desk.readable",
    "recall": "topics: access.known_to",
    "open_range": "this tape: Desk.shows; another: access.known_to",
    "open_view": "views: access.views_known_to; in them access.known_to and Desk.shows",
    "list_views": "views: access.views_known_to",
    **dict.fromkeys(
        ("search_tape", "list_anchors", "read_more", "mark", "correct"), "this tape: Desk.shows"
    ),
    **dict.fromkeys(("handoff", "reset"), "writes only"),
}


def test_every_tool_has_its_line() -> None:
    assert set(TOOLS) == {tool.__name__ for tool in toolbox.TOOLS}


def _asks_of(world: Opened, who: str) -> Desk:
    """The desk of this person's own turn, on a tape of theirs."""
    user = world.people()[who]
    assert user is not None
    own = company.opened(user, "Own")
    turn = company.asked(own, "What of it?")
    readable = access.readable_ids(user)
    return Desk(
        tape_id=own.tape_id,
        topic_id=own.pk,
        turn_id=turn.pk,
        readable=readable,
        scope=readable,
        quotes=Quotes(known_to(user, readable)),
    )


@pytest.mark.parametrize("who", PEOPLE[:-1])
def test_C7_P9_no_tool_gives_back_what_its_asker_may_not_see(db: None, who: str) -> None:
    world = opened.opened()
    desk = _asks_of(world, who)
    quoted = entries.anchor(
        "recall_anchor",
        {"text": WORDS["recall"], "topics": [{"topic": world.topic.pk}]},
        topic_id=desk.topic_id,
        actor="system",
    )
    (noted,) = store.append(desk.tape_id, [quoted])
    found = {
        "search_tape": search_tape.search_tape(desk, WORDS["recall"]).content,
        "list_anchors": list_anchors.list_anchors(desk).content,
        "open_range": open_range.open_range(desk, 1, noted.seq).content,
    }
    may = who in SEE_TOPIC and who != "auditor"
    for tool, content in found.items():
        said = content.replace(f"matches '{WORDS['recall']}'", "")
        assert (WORDS["recall"] in said) is may, tool
