"""A question's embedding belongs to its topic: on the turn's fork, paid by the asker (P11, T18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from kb_agent.llm import endpoints, scripted
from kb_agent.llm.script import calls, says
from kb_agent.repositories import vectors
from tapes import verify, views
from tapes.views import View
from tests.llm import embedding_server

if TYPE_CHECKING:
    from tests.agent.conftest import Ask, Model, Run


@pytest.mark.usefixtures("shop")
def test_P11_a_turns_search_is_embedded_on_its_fork_for_its_asker(
    ask: Ask, run: Run, model: Model
) -> None:
    vectors.memory.clear()
    with embedding_server.serving() as server:
        terms = endpoints.Terms(kind="embedding")
        endpoints.add("words", base_url=server.url, model="m", terms=terms)
        call_command("vectors", fill=True)
        with scripted.serve(calls("search_code", queries=["退款 重试"]), says("会。[e1]")) as chat:
            model(chat)
            turn = run(ask())
    told = views.read(turn.tape_id, View.of_turns([turn.pk]).only("event"))
    embedded = [each for each in told if each.payload["data"].get("kind") == "embedding"]
    (started,) = embedded
    call = started.payload["data"]["call"]
    (ended,) = [
        each
        for each in told
        if each.payload["name"] == "model_call_ended" and each.payload["data"]["call"] == call
    ]
    for entry in (started, ended):
        assert (entry.topic_id, entry.turn_id) == (turn.topic_id, turn.pk)
        assert entry.fork_id is not None
    assert (started.payload["data"]["purpose"], started.payload["data"]["payer"]) == (
        "search",
        turn.asker_id,
    )
    assert ended.payload["data"]["usage"]["input"] > 0
    assert verify.verify(turn.tape_id).ok
