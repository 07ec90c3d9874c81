"""What a person is told of what the model saw: every message with its entry, and what was hidden (T18)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from kb_agent.agent import toolbox
from kb_agent.llm import scripted
from kb_agent.llm.script import calls, says
from kb_agent.usecases import seen
from tapes import entries, forks, spilled, store
from tests.agent.test_what_was_seen import SEARCH

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from tests.agent.conftest import Ask, Model, Run


@pytest.mark.usefixtures("shop")
def test_T18_every_message_of_every_call_is_told_with_its_entry_and_proof(
    ask: Ask, run: Run, model: Model, mei: User
) -> None:
    answer = says("会。[e1]").using(prompt=900, completion=7)
    with scripted.serve(SEARCH, answer) as server:
        model(server)
        turn = run(ask())
    first, second = seen.show(mei, turn.pk)
    for call, request in zip((first, second), server.requests, strict=True):
        assert call.proven
        assert [(each.role, each.content) for each in call.messages] == [
            (said["role"], said["content"] or "") for said in request["messages"]
        ]
        assert (call.model, call.status, call.renderer, call.problem) == ("scripted", "ok", 3, "")
        assert call.tokens == sum(each.tokens for each in call.messages) > 0
        assert "search_code" in call.tools
    system, question, called, result = second.messages
    assert (system.seq, question.seq) == (None, turn.question_seq)
    assert called.calls[0]["name"] == "search_code"
    assert result.seq is not None
    assert result.seq > (called.seq or 0)
    assert second.usage == {"input": 900, "cached": 0, "output": 7, "reasoning": 0}
    assert second.seconds is not None


@pytest.mark.usefixtures("shop")
def test_T18_what_was_not_shown_to_it_is_named(ask: Ask, run: Run, model: Model, mei: User) -> None:
    with scripted.serve(says("好。"), says("好。")) as server:
        model(server)
        first = run(ask("先问"))
        side = forks.open(first.tape_id)
        store.append(first.tape_id, [entries.message("user", "试试")], fork=side)
        forks.discard(side)
        turn = run(ask("再问"))
    (call,) = seen.show(mei, turn.pk)
    assert call.hidden.before == {"first": 1, "last": first.question_seq - 1}
    (fork,) = call.hidden.forks
    assert (fork.id, fork.state, fork.entries) == (side.id, "discarded", 1)


@pytest.mark.usefixtures("shop")
def test_T17_a_message_that_was_cut_says_how_much_was_shown(
    ask: Ask, run: Run, model: Model, mei: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolbox, "CONTENT_CHARS", 200)
    monkeypatch.setattr(spilled, "PAGE_CHARS", 150)
    lines = calls("read_lines", repository="shop", path="payments/retry.py")
    with scripted.serve(lines, says("看到了。")) as server:
        model(server)
        turn = run(ask())
    _, call = seen.show(mei, turn.pk)
    capped = call.messages[-1].capped
    assert capped
    assert capped["chars"] > 200 > len(spilled.page(capped, 1))
    assert capped["pages"] > 1


@pytest.mark.usefixtures("shop")
def test_C7_text_from_code_the_reader_lost_is_withheld_there_too(
    ask: Ask, run: Run, model: Model, mei: User
) -> None:
    with scripted.serve(SEARCH, says("会，三次。[e1]")) as server:
        model(server)
        turn = run(ask())
    mei.groups.clear()
    _, call = seen.show(mei, turn.pk)
    assert call.proven
    assert call.messages[-1].withheld
    assert call.messages[-1].content is None
    said = json.dumps([each.content for each in call.messages], ensure_ascii=False)
    assert "MAX_ATTEMPTS" not in said
