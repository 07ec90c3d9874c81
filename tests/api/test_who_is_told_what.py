"""Who is told what where no page is read: by the stream, behind `@name`, in a prompt, as prose, by a tool.

The same people and the same words as in `test_who_sees_what`, which holds the routes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.agent.desk import Desk, ToolRefused
from kb_agent.agent.tools import named_views as view_tools
from kb_agent.repositories import access as code_access
from kb_agent.repositories.models import Repository
from kb_agent.usecases import references, stream
from kb_agent.usecases.access import Access
from tapes import entries, messages, store, views
from tapes.views import View
from tests.api import company, opened
from tests.api.company import browser
from tests.api.opened import READERS, SEE_TOPIC, WORDS, Opened
from tests.api.test_who_sees_what import may_find
from topics import access, continuing, quoting, sharing
from topics.models import Share
from topics.quoting import Quotes
from topics.sharing import Opening

if TYPE_CHECKING:
    from kb_agent.accounts.models import User

SIGNED_IN = (*SEE_TOPIC, "unshared", "colleague", "administrator")
BY_ROLE = {"auditor"}
"""They read, and build on none of it."""
CODE = (*READERS, "unshared", "colleague")


def words_in(text: Any) -> set[str]:
    """The words that stand somewhere in it."""
    return {name for name, word in WORDS.items() if word in str(text)}


def user_of(world: Opened, who: str) -> User:
    """One who is signed in."""
    found = world.people()[who]
    assert found is not None
    return found


def test_C7_P9_the_stream_tells_each_what_is_theirs(committed_database: None) -> None:
    world = opened.opened()
    told = {}
    for who in SIGNED_IN:
        news = stream.news(user_of(world, who), {world.topic.tape_id: 0}, {})
        found = words_in(news)
        assert found <= may_find(who), who
        told[who] = (news is not None, "answer" in found, "other" in found)
    assert told == {
        who: (who in SEE_TOPIC, who in READERS, who in {"owner", "auditor"}) for who in SIGNED_IN
    }


def test_P9_at_name_tells_nobody_what_was_opened_to_some_only(db: None) -> None:
    world = opened.opened()
    question = f"@Mei {WORDS['title']} {WORDS['summary']} {WORDS['view']}?"
    by = Opening(kind="company", actor="system")
    assert _named(world, question) == dict.fromkeys(SIGNED_IN, (set(), False))
    sharing.share(world.topic.pk, by)
    sharing.share_view(world.view.pk, by)
    said = {"title", "summary"}
    assert _named(world, question) == {
        who: (said if who in CODE else set(), True) for who in SIGNED_IN
    }


def _named(world: Opened, question: str) -> dict[str, tuple[set[str], bool]]:
    """Of the topic's and the view's words, what each is told; and whether the view is named by number."""
    told = {}
    for who in SIGNED_IN:
        (noted,) = references.notes(Access(user_of(world, who)), question)
        text = noted.payload["state"]["text"]
        told[who] = (words_in(text) - {"fact"}, f"Open view {world.view.pk}:" in text)
    return told


def test_C7_P9_the_next_prompt_after_a_grant_or_a_share_was_withdrawn_is_without_its_words(
    db: None,
) -> None:
    world = opened.opened()
    tapes = {who: _own_tape(world, who) for who in SIGNED_IN}
    for who, tape_id in tapes.items():
        knows = who in SEE_TOPIC and who not in BY_ROLE
        theirs = {"recall"} if knows else set()
        theirs |= {"answer"} if who in CODE else set()
        theirs |= {"result"} if who in CODE and knows else set()
        assert _prompt(world, who, tape_id) == theirs, who
    for share in Share.objects.filter(topic=world.topic):
        sharing.revoke(share.pk, actor="system")
    for who in SIGNED_IN:
        user_of(world, who).groups.clear()
    left = {who: _prompt(world, who, tape_id) for who, tape_id in tapes.items()}
    # A topic stays its owner's, and an auditor reads code by role.
    kept = {"owner": {"recall"}, "auditor": {"answer"}}
    assert left == {who: kept.get(who, set()) for who in SIGNED_IN}


def _own_tape(world: Opened, who: str) -> int:
    """A tape of their own on which words of the owner's topic were noted, in every way there is."""
    own = company.opened(user_of(world, who), "Own")
    context: dict[str, Any] = {"topic_id": own.pk, "actor": "agent"}
    place = {"topic": world.topic.pk, "tape": world.topic.tape_id, "range": [1, 2], "title": "x"}
    noted = {"text": WORDS["recall"], "topics": [place]}
    call = {"id": "c1", "type": "function", "function": {"name": "open_view", "arguments": "{}"}}
    result = {"id": "c1", "name": "open_view", "content": WORDS["result"]}
    quoted = {**context, "sources": [world.shop.pk], "meta": {quoting.META: [world.topic.pk]}}
    said = entries.message("assistant", WORDS["answer"], **context, sources=[world.shop.pk])
    new = [
        entries.anchor(continuing.RECALL, noted, **context),
        said,
        entries.tool_call([call], **context),
        entries.tool_result([result], **quoted),
    ]
    store.append(own.tape_id, new)
    return own.tape_id


def _prompt(world: Opened, who: str, tape_id: int) -> set[str]:
    """What the next call of this person would be shown, as `agent.view` composes it."""
    user = user_of(world, who)
    readable = code_access.readable_ids(user)
    found = views.read(tape_id, View.seqs())
    hidden = Quotes(access.known_to(user, readable)).hidden(found)
    return words_in(messages.render(found, readable=readable, withheld=hidden).messages)


@pytest.mark.parametrize("who", SIGNED_IN)
def test_C7_where_answers_are_the_companys_prose_is_told_and_code_is_not(
    db: None, who: str
) -> None:
    world = opened.opened()
    Repository.objects.update(answers="company")
    client = browser(user_of(world, who))
    found = set()
    for address in (
        f"/api/topics/{world.topic.pk}",
        f"/api/topics/{world.topic.pk}/entries",
        f"/api/views/{world.view.pk}",
        f"/api/evidence/{world.evidence.pk}",
    ):
        found |= words_in(client.get(address).content.decode())
    prose = {"title", "answer"} if who in SEE_TOPIC else set()
    assert found - {"cost", "fact"} >= prose
    assert found <= may_find(who) | prose | ({"summary"} if prose else set())


@pytest.mark.parametrize("who", SIGNED_IN)
def test_P9_the_tools_open_a_view_to_whom_it_is_open_and_show_what_is_theirs(
    db: None, who: str
) -> None:
    world = opened.opened()
    user = user_of(world, who)
    own = company.opened(user, "Own")
    turn = company.asked(own, "What is in it?")
    readable = code_access.readable_ids(user)
    desk = Desk(
        tape_id=own.tape_id,
        topic_id=own.pk,
        turn_id=turn.pk,
        readable=readable,
        scope=readable,
        quotes=Quotes(access.known_to(user, readable)),
    )
    opens = who in SEE_TOPIC and who not in BY_ROLE
    listed = view_tools.list_views(desk)
    assert (f"{world.view.pk}" in str(listed.data)) is opens
    assert words_in(listed.content) == ({"view"} if who == "owner" else set())
    if not opens:
        with pytest.raises(ToolRefused):
            view_tools.open_view(desk, number=world.view.pk)
        return
    shown = view_tools.open_view(desk, number=world.view.pk)
    assert words_in(shown.content) <= may_find(who) - {"view"}
    assert ("answer" in words_in(shown.content)) is (who in READERS)
    assert world.topic.pk in shown.topics
