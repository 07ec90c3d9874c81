"""What a reader of a shared topic follows live: that topic alone, and only while it is open to them (P9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent import live
from tests.api import company
from tests.api.reader import Reader, cookie_of
from topics import lifecycle, sharing
from topics.sharing import Opening

if TYPE_CHECKING:
    from tests.api.company import Company
    from tests.flows.harness import WebServer
    from topics.models import Topic
    from topics.models.shares import Share


def _shared(small: Company) -> Share:
    owner = small.owner.pk
    opening = Opening(kind="person", actor=f"person:{owner}", by=owner, person=small.colleague.pk)
    return sharing.share(small.topic.pk, opening).share


def _kept(small: Company) -> Topic:
    """The owner's next topic on the same tape, kept to themselves."""
    lifecycle.finalize(small.topic.pk, reason="owner", actor="system")
    return lifecycle.start(
        tape_id=small.topic.tape_id, owner_id=small.owner.pk, title="Kept", actor="system"
    )


def test_P9_the_stream_tells_of_the_topic_that_is_shared_and_of_no_other(
    committed: Company, web_server: WebServer
) -> None:
    _shared(committed)
    tape, cookie = committed.topic.tape_id, cookie_of(committed.colleague)
    with Reader(web_server.url, {tape: 0}, cookie) as reader:
        told = reader.until("ready")
        claim = company.claimed(_kept(committed), "What about the layoffs?")
        live.text(claim.turn.pk, 1, 0, "Layoffs are", sources=[])
        told += reader.more(within=1.5)
    entries = [each.data for each in told if each.name == "entry"]
    assert entries
    assert {entry["topic"] for entry in entries} == {committed.topic.pk}
    assert {each.data["topic"] for each in told if each.name == "turn"} <= {committed.topic.pk}
    assert not [each for each in told if each.name == "text"]


def test_P9_the_stream_ends_when_the_topic_is_closed_again(
    committed: Company, web_server: WebServer
) -> None:
    share = _shared(committed)
    cookie = cookie_of(committed.colleague)
    with Reader(web_server.url, {committed.topic.tape_id: 0}, cookie) as reader:
        reader.until("ready")
        sharing.revoke(share.pk, actor="system")
        last = reader.ended()[-1]
        assert (last.name, last.data) == ("closed", {"code": "forbidden"})
    with Reader(web_server.url, {committed.topic.tape_id: 0}, cookie) as reader:
        assert reader.status == 404
