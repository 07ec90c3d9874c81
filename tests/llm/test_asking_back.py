"""The evidence model asks which of two systems is meant, and goes on with the one that is chosen (A3)."""

from __future__ import annotations

import pytest

from tests.llm.conversations import FOUND, Conversation, calls_of

EQUAL = """\
lands in: shop, certainty low, because vocabulary 退款 = refund
next to it: billing
both fit equally well: ask which one is meant
about shop: 网店 / Web shop

[e1] shop/a.py lines 1-2 `refund`
matched: vocabulary 退款 = refund
1: pass
[e2] billing/b.py lines 3-4 `refund`
matched: vocabulary 退款 = refund
3: pass
"""

ASKED_BACK = (
    "**有两个系统同样说得通：shop 和 billing。问的是哪一个？**\n\n"
    "- **shop**（网店）：「退款」在代码里是 `refund`；`a.py` 第 1–2 行的 `refund` [e1]\n"
    "- **billing**：「退款」在代码里是 `refund`；`b.py` 第 3–4 行的 `refund` [e2]\n\n"
    "回答系统的名字，或者「第一个」「第二个」。"
)


def test_A3_it_asks_back_when_two_systems_fit_equally_and_says_what_speaks_for_each() -> None:
    conversation = Conversation("谁可以退款？")
    assert conversation.answer(EQUAL) == ASKED_BACK
    assert len(conversation.steps) == 1


def test_A3_nobody_is_asked_back_who_has_named_the_system() -> None:
    answer = Conversation("shop 里谁可以退款？").answer(EQUAL)
    assert "问的是哪一个" not in answer


@pytest.mark.parametrize(
    ("said", "repository", "query"),
    [
        ("第二个", "billing", "谁可以退款？"),
        ("billing", "billing", "谁可以退款？"),
        ("前者", "shop", "谁可以退款？"),
        ("2", "billing", "谁可以退款？"),
        ("the first one please", "shop", "谁可以退款？"),
        ("网店那个", "shop", "谁可以退款？"),
        ("我说的是 billing，部分退款", "billing", "谁可以退款？ 部分退款"),
    ],
)
def test_A3_the_question_goes_on_in_the_system_that_was_chosen(
    said: str, repository: str, query: str
) -> None:
    earlier = [
        {"role": "user", "content": "谁可以退款？"},
        {"role": "assistant", "content": ASKED_BACK},
    ]
    conversation = Conversation(said, earlier=earlier)
    answer = conversation.answer(EQUAL)
    (search,) = calls_of(conversation.steps[0], "search_code")
    assert search == {"queries": [query], "repository": repository}
    assert "问的是哪一个" not in answer


def test_A3_both_systems_are_looked_at_without_asking_again() -> None:
    earlier = [
        {"role": "user", "content": "谁可以退款？"},
        {"role": "assistant", "content": ASKED_BACK},
    ]
    conversation = Conversation("两个都要", earlier=earlier)
    answer = conversation.answer(EQUAL)
    assert calls_of(conversation.steps[0], "search_code") == [{"queries": ["谁可以退款？"]}]
    assert "[e1]" in answer
    assert "- billing：`b.py`" in answer


def test_A3_another_question_after_asking_back_is_a_question_of_its_own() -> None:
    earlier = [
        {"role": "user", "content": "谁可以退款？"},
        {"role": "assistant", "content": ASKED_BACK},
    ]
    conversation = Conversation("会员积分多久过期，过期前会不会通知会员？", earlier=earlier)
    conversation.answer(FOUND)
    (search,) = calls_of(conversation.steps[0], "search_code")
    assert search == {"queries": ["会员积分多久过期，过期前会不会通知会员？"]}
