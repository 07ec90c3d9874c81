"""A model that is down, refuses or hangs: the asker reads why, nothing is lost, and may ask again (A7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kb_agent.llm import endpoints
from kb_agent.llm.models import Endpoint
from kb_agent.llm.script import refuses, says
from tapes import verify
from tests.flows import wholeness
from tests.flows.person import Person
from tests.flows.steady import SteadyServer

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from kb_agent.llm.script import Turn

pytestmark = pytest.mark.usefixtures("a_worker")

NOWHERE = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("answer", "reason", "said"),
    [
        (None, "provider_down", "the provider cannot be reached"),
        (refuses(401, "Incorrect API key sk-12345678"), "bad_key", "the provider refused the key"),
        (refuses(404, "no such model"), "model_unknown", "does not know this model"),
        (says("会。").slowly(30), "provider_down", "the provider was silent for too long"),
    ],
    ids=["nobody listens", "the key is refused", "the model is unknown", "it hangs"],
)
def test_A7_a_failing_model_is_explained_and_the_question_can_be_asked_again(
    mei: User, answer: Turn | None, reason: str, said: str
) -> None:
    person = Person(mei)
    with SteadyServer(*((answer,) if answer else ())).running() as failing:
        url = failing.url if answer else NOWHERE
        endpoints.add("model", base_url=url, model="m", key="sk-12345678")
        Endpoint.objects.update(idle_seconds=1)
        asked = person.asks(wholeness.QUESTION)
        turn = person.waits_for(asked["turn"], within=150)
    assert (turn["status"], turn["reason"]) == ("failed", reason)
    entries = person.sees(f"/api/topics/{turn['topic']}/entries")["results"]
    assert entries[turn["question_seq"] - entries[0]["seq"]]["payload"]["content"] == (
        wholeness.QUESTION
    )
    errors = [entry["payload"] for entry in entries if entry["kind"] == "error"]
    assert [error["kind"] for error in errors] == [reason]
    assert said in errors[0]["message"]
    assert "sk-12345678" not in str(entries)
    assert verify.verify(turn["tape"]).ok

    with SteadyServer(says("会。")).running() as mended:
        Endpoint.objects.update(base_url=mended.url)
        again = person.is_answered(wholeness.QUESTION, topic=turn["topic"])
    assert again["turn"]["status"] == "done"
    assert again["answer"]["payload"]["content"] == "会。"
