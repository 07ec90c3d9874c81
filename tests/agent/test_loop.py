"""A turn from question to end, by a scripted model over real HTTP; the tape's text is the specification."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from kb_agent.llm import endpoints, scripted
from kb_agent.llm.script import calls, calls_all, refuses, says
from kb_agent.repositories.models import Repository
from tapes import views
from tapes.views import View
from tests.agent.stories import answer_of, story
from tests.live.written import text_so_far

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from tests.agent.conftest import Ask, Model, Run

pytestmark = pytest.mark.usefixtures("shop")

SEARCH = calls("search_code", queries=["退款 重试"])
ANSWER = says("会，最多重试 3 次。[e1]")


def expected(text: str) -> str:
    """A story as it is written down in a test."""
    return dedent(text).strip()


def test_A1_a_turn_is_a_question_steps_an_answer_and_its_end(
    ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve(SEARCH.using(900, 20), ANSWER.using(1500, 30, cached=900)) as server:
        model(server)
        turn = run(ask())
    assert (turn.status, turn.reason) == ("done", "")
    assert story(turn.tape_id) == expected("""
        message user: 退款失败后会自动重试吗？
        event turn_started {"attempt": 1}
        event model_call_started
        event model_call_ended ok 920 tokens
        tool_call search_code {"queries": ["退款 重试"]}
        tool_result search_code: lands in: shop
        event model_call_started
        event model_call_ended ok 1530 tokens
        message assistant: 会，最多重试 3 次。[e1]
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
    """)
    assert turn.answer_seq == answer_of(turn).seq


def test_A4_several_calls_of_one_step_arrive_in_pieces_and_are_answered_in_order(
    ask: Ask, run: Run, model: Model
) -> None:
    both = calls_all(
        SEARCH, calls("list_files", repository="shop"), calls("search_tape", query="退款")
    )
    with scripted.serve(both.in_pieces(3).without_ids(), ANSWER) as server:
        model(server)
        turn = run(ask())
    assert story(turn.tape_id) == expected("""
        message user: 退款失败后会自动重试吗？
        event turn_started {"attempt": 1}
        event model_call_started
        event model_call_ended ok
        tool_call search_code {"queries": ["退款 重试"]} | list_files {"repository": "shop"} | search_tape {"query": "退款"}
        tool_result search_code: lands in: shop | list_files: payments/manual.py | search_tape: entry 4
        event model_call_started
        event model_call_ended ok
        message assistant: 会，最多重试 3 次。[e1]
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
    """)


def test_A7_a_busy_provider_is_asked_again_and_both_calls_are_on_the_ledger(
    ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve(refuses(429, retry_after="0.1"), says("你好。")) as server:
        model(server)
        turn = run(ask())
    assert story(turn.tape_id) == expected("""
        message user: 退款失败后会自动重试吗？
        event turn_started {"attempt": 1}
        event model_call_started
        event model_call_ended failed provider_busy
        event model_call_started
        event model_call_ended ok
        message assistant: 你好。
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
    """)


def test_A7_a_cut_stream_is_asked_again_and_its_text_is_not_doubled(
    ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve(says("会，最多").in_pieces(2).cut(2), says("会，最多三次。")) as server:
        model(server)
        turn = run(ask())
    assert story(turn.tape_id) == expected("""
        message user: 退款失败后会自动重试吗？
        event turn_started {"attempt": 1}
        event model_call_started
        event model_call_ended cut stream_cut
        event model_call_started
        event model_call_ended ok
        message assistant: 会，最多三次。
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
    """)
    assert text_so_far(turn.pk)[1] == "会，最多三次。"


def test_A7_a_partial_answer_is_kept_and_marked_when_every_try_was_cut(
    ask: Ask, run: Run, model: Model
) -> None:
    cuts = [says("会，最多重试三次").in_pieces(2).cut(4)] * 4
    with scripted.serve(*cuts) as server:
        model(server)
        turn = run(ask())
    assert (turn.status, turn.reason) == ("failed", "stream_cut")
    assert story(turn.tape_id).splitlines()[-4:] == [
        "message assistant: 会，最多重试\\n\\n（模型的回答几次中途断开，没有写完。）",
        "error stream_cut: the connection broke: peer closed connection without sending complete message body"
        " (incomplete chunked read)",
        'event turn_ended {"reason": "stream_cut", "status": "failed"}',
        "event fork_merged",
    ]
    assert answer_of(turn).meta["partial"] is True


def test_A7_malformed_wrong_and_unknown_calls_come_back_to_the_model_as_results(
    ask: Ask, run: Run, model: Model
) -> None:
    odd = calls_all(
        calls("search_code", '{"query": "退'),
        calls("search_code", limit=99),
        calls("delete_everything", force=True),
        calls("read_lines", repository="shop", path="no/such.py"),
    )
    with scripted.serve(odd, says("没有查到。")) as server:
        model(server)
        turn = run(ask())
    assert story(turn.tape_id) == expected("""
        message user: 退款失败后会自动重试吗？
        event turn_started {"attempt": 1}
        event model_call_started
        event model_call_ended ok
        tool_call search_code {"query": "退 | search_code {"limit": 99} | delete_everything {"force": true} | read_lines {"repository": "shop", "path": "no/such.py"}
        tool_result search_code [malformed_arguments]: The arguments were not a JSON object | search_code [bad_arguments]: The tool was not run; its arguments are wrong:\\n- queries: Field required\\n- limit: Input should be less than or equal to 20 | delete_everything [unknown_tool]: There is no tool 'delete_everything' | read_lines [unknown_file]
        event model_call_started
        event model_call_ended ok
        message assistant: 没有查到。
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
    """)  # fmt: skip


def test_A7_a_call_cut_off_by_the_length_limit_is_never_run(
    ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve(SEARCH.finished("length"), says("没有查到。")) as server:
        model(server)
        turn = run(ask())
    assert "tool_result search_code [truncated]: The answer was cut off" in story(turn.tape_id)
    assert "lands in" not in story(turn.tape_id)


def test_A7_an_answer_cut_off_by_the_length_limit_is_kept_and_marked(
    ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve(says("会，最多").finished("length")) as server:
        model(server)
        turn = run(ask())
    assert (turn.status, turn.reason) == ("done", "answer_truncated")
    assert answer_of(turn).payload["content"].startswith("会，最多\n\n（答案到模型的长度上限为止")


def test_A7_a_content_filter_is_told_to_the_asker(ask: Ask, run: Run, model: Model) -> None:
    with scripted.serve(says("我").finished("content_filter")) as server:
        model(server)
        turn = run(ask())
    assert (turn.status, turn.reason) == ("failed", "content_filtered")
    assert "模型服务的内容过滤拦下了这个回答" in story(turn.tape_id)


def test_A7_an_endpoint_that_is_down_fails_the_turn_visibly_and_keeps_the_question(
    ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve() as server:
        model(server)
    turn = run(ask())
    assert (turn.status, turn.reason) == ("failed", "provider_down")
    lines = story(turn.tape_id).splitlines()
    assert lines[0] == "message user: 退款失败后会自动重试吗？"
    assert lines.count("event model_call_ended failed provider_down") == 4
    assert lines[-3].startswith("error provider_down: the provider cannot be reached")


def test_A2_the_next_endpoint_answers_when_the_first_cannot(
    ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve(refuses(401)) as first, scripted.serve(says("你好。")) as second:
        model(first)
        endpoints.add("second", base_url=second.url, model="m", terms=endpoints.Terms(position=200))
        turn = run(ask())
    assert turn.status == "done"
    assert "event model_call_ended failed bad_key" in story(turn.tape_id)


def test_A2_a_model_without_tool_calling_answers_too(ask: Ask, run: Run, model: Model) -> None:
    block = (
        '<tool_call>{"name": "search_code", "arguments": {"queries": ["退款 重试"]}}</tool_call>'
    )
    with scripted.serve(says(block), ANSWER) as server:
        model(server, tools="text")
        turn = run(ask())
    assert 'tool_call search_code {"queries": ["退款 重试"]}' in story(turn.tape_id)
    assert answer_of(turn).meta["verified"] is True
    assert all(message["role"] != "tool" for message in server.requests[1]["messages"])


def test_A2_reused_call_ids_are_made_unique_in_the_view(ask: Ask, run: Run, model: Model) -> None:
    with scripted.serve(SEARCH, SEARCH, ANSWER) as server:
        model(server)
        turn = run(ask())
    found = views.read(turn.tape_id, View.of_turns([turn.pk]).only("tool_call"))
    ids = [call["id"] for entry in found for call in entry.payload["calls"]]
    assert len(set(ids)) == len(ids) == 2


def test_A3_with_no_model_the_evidence_model_answers_with_checked_citations(
    ask: Ask, run: Run
) -> None:
    turn = run(ask())
    answer = answer_of(turn)
    assert "shop" in answer.payload["content"].split("\n")[0]
    assert answer.meta["verified"] is True
    assert answer.meta["citations"][0]["path"] == "payments/retry.py"
    assert "event model_call_ended ok 0 tokens" in story(turn.tape_id)


def test_A3_what_is_nowhere_is_said_to_be_not_found_without_a_citation(ask: Ask, run: Run) -> None:
    turn = run(ask("卫星轨道如何计算？"))
    answer = answer_of(turn)
    assert "没有找到" in answer.payload["content"]
    assert (answer.meta["verified"], answer.meta["found"]) == (False, False)


def test_A1_the_next_turn_sees_the_last_one(ask: Ask, run: Run, model: Model) -> None:
    with scripted.serve(SEARCH, ANSWER, says("一分钟。")) as server:
        model(server)
        run(ask())
        run(ask("间隔多久？"))
    roles = [message["role"] for message in server.requests[2]["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "user"]


@pytest.mark.usefixtures("shop")
def test_C7_the_system_prompt_names_no_repository_and_what_a_tool_names_carries_its_sources(
    ask: Ask, run: Run, model: Model, shop: Repository
) -> None:
    Repository.objects.filter(pk=shop.pk).update(description_zh="网店", description_en="Web shop")
    with scripted.serve(calls("list_repositories"), says("有一个网店系统。")) as server:
        model(server)
        turn = run(ask("有哪些系统？"))
    told = [request["messages"] for request in server.requests]
    assert "shop" not in told[0][0]["content"]
    assert "read no code" not in told[0][0]["content"]
    assert told[1][-1]["content"] == "- shop (branch main): 网店 / Web shop"
    assert answer_of(turn).sources == (shop.pk,)


def test_the_system_prompt_says_when_no_code_may_be_read(
    ask: Ask, run: Run, model: Model, mei: User
) -> None:
    mei.groups.clear()
    with scripted.serve(says("好。")) as server:
        model(server)
        run(ask())
    assert "may read no code here" in server.requests[0]["messages"][0]["content"]


@pytest.mark.parametrize(
    "said",
    [
        "**这里没有找到**：代码里没有积分商城。[e1] 试过：积分、商城。",
        "Not found here: no points shop in the code. [e1] Tried: points.",
    ],
)
def test_A5_an_answer_that_says_not_found_cites_nothing_and_is_marked(
    ask: Ask, run: Run, model: Model, said: str
) -> None:
    with scripted.serve(SEARCH, says(said)) as server:
        model(server)
        turn = run(ask("积分商城怎么兑换？"))
    answer = answer_of(turn)
    assert answer.meta["found"] is False
    assert answer.meta["citations"] == []
    assert "[e1]" not in answer.payload["content"]
    assert 'begin with "Not found here"' in server.requests[0]["messages"][0]["content"]


def test_A4_several_wordings_are_asked_at_once_and_people_see_each(
    ask: Ask, run: Run, model: Model
) -> None:
    wordings = ["退款失败会重试吗", "refund retry attempts", "retry_failed MAX_ATTEMPTS"]
    with scripted.serve(calls("search_code", queries=wordings), ANSWER) as server:
        model(server)
        turn = run(ask())
    (results,) = views.read(turn.tape_id, View.of_turns([turn.pk]).only("tool_result"))
    data = results.payload["results"][0]["data"]
    assert data["queries"] == wordings
    assert data["query"] == wordings[0]
    assert data["hits"][0]["path"] == "payments/retry.py"
    assert data["routing"]["tied"] is False
    assert any("attempt" in word for word in data["tried"])
    schema = server.requests[0]["tools"][0]["function"]
    assert "translation" in schema["description"]
    assert schema["parameters"]["properties"]["queries"]["maxItems"] == 6


@pytest.mark.parametrize(
    "question", ["重置密码 reset_password 在哪里？", "忘记密码 email", "令牌 refresh_token"]
)
def test_C8_words_about_secrets_do_not_break_the_models_calls(
    ask: Ask, run: Run, question: str
) -> None:
    turn = run(ask(question))
    assert turn.status == "done"
    assert turn.reason == ""
    assert "malformed_arguments" not in story(turn.tape_id)


def test_A7_characters_no_tape_can_hold_are_replaced_in_calls_and_answers(
    ask: Ask, run: Run, model: Model
) -> None:
    odd = calls("search_code", '{"queries": ["退款\\u0000\\ud800"]}')
    with scripted.serve(odd, says("会\x00。[e1]")) as server:
        model(server)
        turn = run(ask())
    assert turn.status == "done"
    assert answer_of(turn).payload["content"] == "会\ufffd。[e1]"
