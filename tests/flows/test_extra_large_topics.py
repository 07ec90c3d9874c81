"""A topic that outgrows its model four times goes on through five segments, on the real stack (P8)."""

from __future__ import annotations

import io
import itertools
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command

from kb_agent.agent import prompt, toolbox
from kb_agent.llm import endpoints, scripted, usage
from kb_agent.llm.script import calls, says
from tapes import views
from tapes.views import View
from tests.agent import shops
from tests.agent.stories import story
from tests.flows.person import Person

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kb_agent.accounts.models import User
    from kb_agent.llm.scripted import ScriptedServer

pytestmark = pytest.mark.usefixtures("a_worker")

FIRST, SECOND = "每一道工序的上限各是多少?", "那么哪一道的上限最高?"
FIXED = usage.estimate(prompt.system(readable=2, branch="", last_step=False)) + usage.estimate(
    json.dumps(toolbox.schemas(), ensure_ascii=False)
)
# Beside the prompt, the tools and the note of an earlier topic there is room for two or three steps.
WINDOW = int((FIXED + 2_000) * 1.1 / 0.75)
_OVERLOAD = re.compile(r"^anchor brain_overload (\{.*\})$")


@pytest.fixture
def model(shop: Any, tmp_path: Path) -> Iterator[ScriptedServer]:
    """A model with a small window, and code of many lines."""
    files = {
        f"mill/stage{stage}.py": "\n".join(
            f"STAGE_{stage}_LIMIT_{line} = {line}  # 第 {line} 道工序的上限"
            for line in range(1, 201)
        )
        for stage in range(1, 12)
    }
    group = Group.objects.get(name="product")
    shops.indexed("mill", files, group=group, place=tmp_path / "mill")
    with scripted.serve() as server:
        terms = endpoints.Terms(window=WINDOW)
        endpoints.add("scripted", base_url=server.url, model="m", terms=terms)
        yield server


def reads(*stages: int) -> list[Any]:
    """The model reads a part of each."""
    return [
        calls("read_lines", repository="mill", path=f"mill/stage{stage}.py", end_line=100)
        for stage in stages
    ]


def told(tape_id: int) -> str:
    """The story of a tape's last topic, with overloads and recalls in a few words."""
    lines = [_short(line) for line in story(tape_id).splitlines()]
    begun = max(at for at, line in enumerate(lines) if line.startswith("anchor topic_initial"))
    return "\n".join(lines[begun:])


def _short(line: str) -> str:
    if overload := _OVERLOAD.match(line):
        state = json.loads(overload[1])
        kinds = {one["kind"] for one in (*state["earlier"], *state["statements"])}
        return f"anchor brain_overload by {state['summed_up_by']}: {', '.join(sorted(kinds))}"
    if line.startswith("anchor recall_anchor "):
        return "anchor recall_anchor"
    return line


STORY = """
anchor topic_initial {"continues": 1, "owner": 1, "title": "每一道工序的上限各是多少?"}
anchor recall_anchor
message user: 每一道工序的上限各是多少?
event turn_started {"attempt": 1}
event model_call_started
event model_call_ended ok
tool_call read_lines {"repository": "mill", "path": "mill/stage1.py", "end_line": 100}
tool_result read_lines:
event model_call_started
event model_call_ended ok
tool_call read_lines {"repository": "mill", "path": "mill/stage2.py", "end_line": 100}
tool_result read_lines:
event model_call_started
event model_call_ended ok
tool_call read_lines {"repository": "mill", "path": "mill/stage3.py", "end_line": 100}
tool_result read_lines:
event model_call_started
event model_call_ended ok
anchor brain_overload by rule: looked, read
event model_call_started
event model_call_ended ok
tool_call read_lines {"repository": "mill", "path": "mill/stage4.py", "end_line": 100}
tool_result read_lines:
event model_call_started
event model_call_ended ok
tool_call read_lines {"repository": "mill", "path": "mill/stage5.py", "end_line": 100}
tool_result read_lines:
event model_call_started
event model_call_ended ok
anchor brain_overload by rule: looked, read
event model_call_started
event model_call_ended ok
message assistant: 各不相同。[e1][e5]
event turn_ended {"reason": "", "status": "done"}
event fork_merged
message user: 那么哪一道的上限最高?
event turn_started {"attempt": 1}
event model_call_started
event model_call_ended ok
tool_call read_lines {"repository": "mill", "path": "mill/stage6.py", "end_line": 100}
tool_result read_lines:
event model_call_started
event model_call_ended ok
tool_call read_lines {"repository": "mill", "path": "mill/stage7.py", "end_line": 100}
tool_result read_lines:
event model_call_started
event model_call_ended ok
anchor brain_overload by rule: answered, asked, looked, read
event model_call_started
event model_call_ended ok
tool_call read_lines {"repository": "mill", "path": "mill/stage8.py", "end_line": 100}
tool_result read_lines:
event model_call_started
event model_call_ended ok
tool_call read_lines {"repository": "mill", "path": "mill/stage9.py", "end_line": 100}
tool_result read_lines:
event model_call_started
event model_call_ended ok
anchor brain_overload by rule: answered, asked, looked, read
event model_call_started
event model_call_ended ok
tool_call read_lines {"repository": "mill", "path": "mill/stage10.py", "end_line": 100}
tool_result read_lines:
event model_call_started
event model_call_ended ok
message assistant: 第十道。[e1][e10]
event turn_ended {"reason": "", "status": "done"}
event fork_merged
"""


def test_P8_a_topic_goes_through_five_segments_and_keeps_what_matters(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    model.add(*reads(1), says("第一道工序的上限是 100。[e1]"))
    earlier = person.is_answered("第一道工序的上限是多少?")
    person.finishes(earlier["topic"])
    before = len(model.requests)
    model.add(*reads(1, 2, 3, 4, 5), says("各不相同。[e1][e5]"))
    model.add(*reads(6, 7, 8, 9, 10), says("第十道。[e1][e10]"))
    first = person.is_answered(FIRST, topic=earlier["topic"]["id"])
    second = person.is_answered(SECOND, topic=first["topic"]["id"])
    topic = first["topic"]
    assert told(topic["tape"]) == STORY.strip()
    asked = model.requests[before:]
    (note,) = recalled(topic["tape"], topic["id"])
    assert "第一道工序的上限是 100。" in note
    for step, request in enumerate(asked[:6]):
        keeps_what_matters(request, note, FIRST, stage=step)
    for step, request in enumerate(asked[6:]):
        keeps_what_matters(request, note, SECOND, stage=step and step + 5)
    for answered, cited in ((first, ("stage1", "stage5")), (second, ("stage1", "stage10"))):
        meta = answered["answer"]["meta"]
        assert meta["verified"]
        assert [one["path"] for one in meta["citations"]] == [f"mill/{one}.py" for one in cited]
    its_segments_are_told(person, topic, second["answer"]["seq"])


def recalled(tape_id: int, topic_id: int) -> list[str]:
    """The notes of earlier topics in a topic, as the model is shown them."""
    found = views.read(tape_id, View.seqs().only("anchor"))
    return [
        f"[recall_anchor] {entry.payload['state']['text']}"
        for entry in found
        if entry.topic_id == topic_id and entry.payload["name"] == "recall_anchor"
    ]


def keeps_what_matters(request: dict[str, Any], note: str, question: str, *, stage: int) -> None:
    """A request fits, holds question and note word for word, and ends with the whole step of a stage.

    Stage 0 stands for a turn's first call, before any step.
    """
    sent = json.dumps([request["messages"], request["tools"]], ensure_ascii=False)
    assert usage.estimate(sent) * 1.1 <= WINDOW * 3 / 4
    texts = [message["content"] for message in request["messages"]]
    assert {question, note} <= set(texts)
    if not stage:
        assert texts[-1] == question
        return
    *_, called, result = request["messages"]
    assert f"mill/stage{stage}.py" in called["tool_calls"][0]["function"]["arguments"]
    assert result["tool_call_id"] == called["tool_calls"][0]["id"]
    assert f"STAGE_{stage}_LIMIT_1 = 1" in result["content"]


def its_segments_are_told(person: Person, topic: dict[str, Any], last: int) -> None:
    """Five, without a gap; each can be replayed; their costs are the topic's."""
    found = person.sees(f"/api/topics/{topic['id']}/segments")["results"]
    assert [one["number"] for one in found] == [1, 2, 3, 4, 5]
    for one, following in itertools.pairwise(found):
        assert one["overload_seq"] == following["first_seq"] == one["last_seq"] + 1
        assert one["summary"]["by"] == "rule"
        assert all(
            seq < one["overload_seq"]
            for said in one["summary"]["statements"]
            for seq in said["seqs"]
        )
    assert found[0]["first_seq"] == topic["initial_seq"]
    assert found[-1]["overload_seq"] is None
    assert found[-1]["last_seq"] >= last
    out = io.StringIO()
    call_command("topic", "segments", str(topic["id"]), "--replay", "3", stdout=out)
    assert f"{found[1]['overload_seq']} anchor brain_overload" in out.getvalue()
    assert "mill/stage7.py" in out.getvalue()
    assert "mill/stage5.py" not in out.getvalue().split("\n", 1)[1]
