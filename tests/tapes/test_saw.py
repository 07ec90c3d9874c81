"""T18: what the model saw is rebuilt from the tape, and its hash proves it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tapes import entries, forks, messages, saw, store, views
from tapes.views import View

if TYPE_CHECKING:
    from tapes.models import Tape

SYSTEM = "You answer questions about code."
TOOLS = '[{"type":"function","function":{"name":"search_code"}}]'


def called(tape: Tape, view: View, readable: frozenset[int]) -> dict[str, Any]:
    """Render a call and note it on the tape, as the agent does before it asks the model."""
    rendered = messages.render(views.read(tape.id, view), readable=readable, system=SYSTEM)
    (started,) = store.append(
        tape.id,
        [
            entries.event(
                "model_call_started",
                {
                    "seqs": rendered.seqs,
                    "withheld": rendered.withheld,
                    "renderer": messages.RENDERER,
                    "system_digest": store.spill(SYSTEM),
                    "tools_digest": store.spill(TOOLS),
                    "messages_digest": rendered.digest,
                },
            )
        ],
    )
    data: dict[str, Any] = started.payload["data"]
    return data | {"_messages": rendered.messages}


def test_T18_the_messages_of_a_call_are_rebuilt_and_proven_long_after(tape: Tape) -> None:
    store.append(tape.id, [entries.message("user", "first", turn_id=1)])
    fork = forks.open(tape.id)
    store.append(tape.id, [entries.message("user", "second", turn_id=2)])
    store.append(tape.id, [entries.message("assistant", "of 1", turn_id=1, sources=[7])], fork=fork)
    forks.merge(fork, turn_id=1)
    fork = forks.open(tape.id)
    own = View.turn(fork_id=fork.id, base_seq=fork.base_seq, turn_ids=[2])
    call = called(tape, own, readable=frozenset())
    assert call["seqs"] == [2, 4, 3]
    assert call["withheld"] == [4]
    store.handoff(tape.id, "phase/next")
    seen = saw.rebuild(tape.id, call)
    assert seen.proven
    assert seen.messages == call["_messages"]
    assert [m["content"] for m in seen.messages] == [SYSTEM, "first", "[withheld]", "second"]
    assert seen.tools == TOOLS


def test_T18_messages_other_than_those_sent_are_not_proven(tape: Tape) -> None:
    store.append(tape.id, [entries.message("user", "first")])
    call = called(tape, View.last_anchor(), readable=frozenset())
    assert not saw.rebuild(tape.id, call | {"messages_digest": "0" * 64}).proven


def test_T18_a_call_that_names_entries_the_tape_lacks_is_a_named_error(tape: Tape) -> None:
    call = called(tape, View.last_anchor(), readable=frozenset())
    with pytest.raises(saw.EntriesMissing):
        saw.rebuild(tape.id, call | {"seqs": [1, 99]})
