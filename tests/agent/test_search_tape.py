"""The tool that searches the tape: it says where it did not look as closely (T13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.agent.desk import Desk
from kb_agent.agent.tools.search_tape import search_tape
from tapes import entries, store
from tapes.matching import tiers

if TYPE_CHECKING:
    import pytest


def test_T13_the_model_is_told_which_entries_were_searched_for_exact_words_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tape = store.create("work")
    said = ["退款失败后会自动重试吗", *(f"{n:03} of the many" for n in range(100))]
    store.append(tape.pk, [entries.message("user", text) for text in said])
    anyone: frozenset[int] = frozenset()
    desk = Desk(tape_id=tape.pk, topic_id=1, turn_id=1, readable=anyone, scope=anyone)
    assert search_tape(desk, "退款失敗").content == "entry 2 (fuzzy): 退款失败后会自动重试吗"
    monkeypatch.setattr(tiers, "MAX_FUZZY_CHARS", 1_000)
    cut = search_tape(desk, "退款失敗")
    assert cut.content == (
        "Nothing on this tape matches '退款失敗'.\n"
        "Entries 1 to 36 were searched for these exact words only."
    )
    assert cut.data["cut"] == 36
    assert search_tape(desk, "退款失败").content.startswith("entry 2 (exact)")
