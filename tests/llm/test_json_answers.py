"""What models write around JSON is left aside, and what is no JSON is nothing."""

from __future__ import annotations

from typing import Any

import pytest

from kb_agent.llm import json_answers


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        ('Sure:\n```json\n{"a": [1]}\n```\nDone.', {"a": [1]}),
        ('[{"a": 1}] is the list', [{"a": 1}]),
        (r'{"\u0000": ["\ud83d\ude00 \ud83d"]}', {"\ufffd": ["\U0001f600 ?"]}),
        ("I counted coins.", None),
        ('{"a": 1', None),
        ("} {", None),
        ("", None),
        ("[" * 100_000 + "]" * 100_000, None),
    ],
)
def test_A2_json_is_read_out_of_an_answer_or_it_is_nothing(answer: str, found: Any) -> None:
    assert json_answers.read(answer) == found


def test_A2_only_objects_are_taken_from_an_object_or_a_list() -> None:
    assert json_answers.read_object("[1]") == {}
    assert json_answers.read_list('{"facts": [{"text": "a"}, 3, null]}', "facts") == [{"text": "a"}]
    assert json_answers.read_list('[{"text": "a"}]', "facts") == [{"text": "a"}]
    assert json_answers.read_list('{"facts": "none"}', "facts") == []
