"""What a step keeps of a model's calls, however these are written."""

from __future__ import annotations

import pytest

from kb_agent.agent import recording
from kb_agent.llm.protocol import Call, Completed


@pytest.mark.parametrize(
    ("arguments", "refused"),
    [
        ('{"limit": 3}', ""),
        ("[]", "malformed_arguments"),
        ("{", "malformed_arguments"),
        (f'{{"limit": {"9" * 5_000}}}', "malformed_arguments"),
        ("[" * 100_000, "malformed_arguments"),
    ],
)
def test_A7_arguments_that_are_no_object_are_kept_as_written_and_named(
    arguments: str, refused: str
) -> None:
    answer = Completed("", (Call("c1", "search_code", arguments),), None, "tool_calls", "m")
    (call,) = recording.checked(answer, taken=set())
    assert (call.arguments, call.refused) == (arguments, refused)
