"""How providers word that a request is too long, and what each tells of its window (P8, A7)."""

from __future__ import annotations

from typing import Any

import httpx2
import openai
import pytest

from kb_agent.llm import failures
from kb_agent.llm.assembly import Assembler
from kb_agent.llm.protocol import (
    BadKey,
    ContextExceeded,
    EmptyAnswer,
    ModelUnknown,
    ProviderBusy,
    ProviderDown,
    ProviderError,
    RequestRefused,
)

NGINX = (
    "<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body>\r\n"
    "<center><h1>413 Request Entity Too Large</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>"
)
# Who says it, with which status, in which words, and the window it names.
REFUSALS: tuple[tuple[str, int, Any, int | None], ...] = (
    (
        "OpenAI",
        400,
        {
            "message": "This model's maximum context length is 8192 tokens. However, your messages"
            " resulted in 8545 tokens. Please reduce the length of the messages.",
            "code": "context_length_exceeded",
        },
        8192,
    ),
    (
        "OpenAI, newer",
        400,
        {
            "message": "Your input exceeds the context window of this model. Please adjust your input"
            " and try again.",
            "code": "context_length_exceeded",
        },
        None,
    ),
    (
        "OpenAI, larger than all tokens of a minute",
        429,
        {
            "message": "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000,"
            " Requested 45210. The input or output tokens must be reduced in order to run successfully.",
            "code": "rate_limit_exceeded",
        },
        30000,
    ),
    (
        "Azure",
        400,
        {
            "message": "This model's maximum context length is 16384 tokens, however you requested 17012 tokens"
            " (16012 in your prompt; 1000 for the completion). Please reduce your prompt; or completion length.",
        },
        16384,
    ),
    (
        "Anthropic by a gateway",
        400,
        {"message": "prompt is too long: 213462 tokens > 200000 maximum"},
        200000,
    ),
    (
        "Anthropic with its answer",
        400,
        {
            "message": "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000,"
            " decrease input length or `max_tokens` and try again"
        },
        200000,
    ),
    ("Anthropic by size", 413, {"message": "Request exceeds the maximum size"}, None),
    ("Amazon", 400, {"message": "Input is too long for requested model."}, None),
    (
        "Google",
        400,
        {
            "message": "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."
        },
        1048575,
    ),
    (
        "xAI",
        400,
        {
            "message": "This model's maximum prompt length is 131072 but the request contains 537812 tokens."
        },
        131072,
    ),
    (
        "Groq",
        400,
        {"message": "Please reduce the length of the messages or completion."},
        None,
    ),
    (
        "Mistral",
        400,
        {
            "message": "Prompt contains 40012 tokens and 0 draft tokens, too large for model with 32768 maximum"
            " context length"
        },
        32768,
    ),
    (
        "OpenRouter",
        400,
        {
            "message": "Provider returned error",
            "metadata": {
                "raw": '{"error":{"message":"This model\'s maximum context length is 262144 tokens. However,'
                ' your messages resulted in 262897 tokens."}}'
            },
        },
        262144,
    ),
    (
        "LiteLLM",
        400,
        {
            "message": "litellm.ContextWindowExceededError: ContextWindowExceededError: Hosted_vllmException -"
            " Error code: 400"
        },
        None,
    ),
    (
        "vLLM",
        400,
        {
            "message": "This model's maximum context length is 16384 tokens. However, your request has 18225"
            " input tokens. Please reduce the length of the input messages. None",
            "type": "BadRequestError",
        },
        16384,
    ),
    (
        "SGLang",
        400,
        {
            "message": "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens)."
        },
        59862,
    ),
    (
        "TGI",
        422,
        {
            "message": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000"
            " `inputs` tokens and 100 `max_new_tokens`"
        },
        4096,
    ),
    (
        "llama.cpp",
        400,
        {
            "message": "request (2310 tokens) exceeds the available context size (2048 tokens), try increasing"
            " it",
            "type": "exceed_context_size_error",
            "n_prompt_tokens": 2310,
            "n_ctx": 2048,
        },
        2048,
    ),
    (
        "llama.cpp, older",
        500,
        {
            "message": "the request exceeds the available context size. try increasing the context size or"
            " enable context shift"
        },
        None,
    ),
    (
        "LM Studio",
        400,
        {
            "message": "Trying to keep the first 4718 tokens when context the overflows. However, the model is"
            " loaded with context length of only 4096 tokens, which is not enough."
        },
        4096,
    ),
    (
        "Ollama",
        400,
        {"message": "the input length exceeds the context length"},
        None,
    ),
    (
        "DeepSeek",
        400,
        {
            "message": "This model's maximum context length is 65536 tokens. However, you requested 69648"
            " tokens (69648 in the messages, 0 in the completion). Please reduce the length of the"
            " messages or completion.",
            "type": "invalid_request_error",
        },
        65536,
    ),
    (
        "Qwen (DashScope)",
        400,
        {
            "message": "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]",
            "code": "invalid_parameter_error",
        },
        30720,
    ),
    ("GLM (Zhipu)", 400, {"code": "1261", "message": "Prompt 超长"}, None),
    ("GLM, in English", 400, {"code": "1261", "message": "Prompt exceeds max length"}, None),
    (
        "Moonshot",
        400,
        {"message": "Invalid request: Your request exceeded model token limit: 8192"},
        8192,
    ),
    (
        "Moonshot, older",
        400,
        {"message": "model max length exceeded, max length:8192"},
        8192,
    ),
    ("Moonshot, by tokens", 400, {"message": "Input token length too long"}, None),
    ("Baidu", 400, {"code": 336007, "message": "the max input characters is 20000"}, None),
    ("Baidu, by tokens", 400, {"code": 336103, "message": "Prompt tokens too long"}, None),
    (
        "SiliconFlow",
        400,
        {
            "code": 20015,
            "message": "length of prompt_tokens (163280) must be less than max_seq_len (32768).",
        },
        32768,
    ),
    (
        "SiliconFlow, newer",
        400,
        {
            "message": "number of input tokens (204703) has exceeded max_prompt_tokens (202752) limit."
        },
        202752,
    ),
    (
        "Volcengine",
        400,
        {"message": "Total tokens of image and text exceed max message tokens"},
        None,
    ),
    ("MiniMax", 400, {"message": "invalid params, context window exceeds limit (2013)"}, None),
    ("in Chinese: input", 400, {"message": "输入过长，请缩短后重试"}, None),
    (
        "in Chinese: input and its limit",
        400,
        {"message": "输入长度超过限制，最大 32768 个 token"},
        32768,
    ),
    ("in Chinese: the model's", 400, {"message": "请求超出最大长度限制"}, None),
    ("in Chinese: context", 400, {"message": "对话内容超出模型上下文长度，上限为 8192"}, 8192),
    ("in Chinese: tokens", 400, {"message": "Token数量超过上限。对话历史+问题的字数太多"}, None),
    ("in Chinese: window", 500, {"message": "输入的 token 数超出了模型的上下文窗口"}, None),
    ("a proxy's page", 413, NGINX, None),
    ("a proxy's page under another status", 400, NGINX, None),
)
# What is refused for something else.
OTHERS: tuple[tuple[int, str, type[ProviderError]], ...] = (
    (400, "max_tokens should be less or equal to 131072", RequestRefused),
    (400, "Invalid value for temperature", RequestRefused),
    (400, "无效的参数：temperature", RequestRefused),
    (400, "tool message 'call_1' does not follow its call", RequestRefused),
    (401, "Incorrect API key provided; context", BadKey),
    (404, "The model does not exist", ModelUnknown),
    (429, "Rate limit reached for requests, limit 3 a minute", ProviderBusy),
    (429, "您的账户已达到速率限制，请稍后再试", ProviderBusy),
    (429, "请求过于频繁，超过并发上限", ProviderBusy),
    (500, "Internal error", ProviderDown),
    (502, "<html><head><title>502 Bad Gateway</title></head></html>", ProviderDown),
)


def refused(status: int, said: Any) -> ProviderError:
    """The named error of an HTTP refusal, as the client library raises it."""
    request = httpx2.Request("POST", "http://provider/v1/chat/completions")
    if isinstance(said, str):
        response = httpx2.Response(status, text=said, request=request)
    else:
        response = httpx2.Response(status, json={"error": said}, request=request)
    client = openai.OpenAI(api_key="none", base_url="http://provider/v1")
    error = client._make_status_error_from_response(response)
    return failures.named(error, "", begun=False)


@pytest.mark.parametrize(
    ("status", "said", "window"),
    [row[1:] for row in REFUSALS],
    ids=[row[0] for row in REFUSALS],
)
def test_P8_a_refusal_for_length_is_recognised_and_its_window_read(
    status: int, said: Any, window: int | None
) -> None:
    error = refused(status, said)
    assert isinstance(error, ContextExceeded), error
    assert error.limit == window


@pytest.mark.parametrize(("status", "said", "named"), OTHERS)
def test_A7_what_is_refused_for_something_else_is_not_taken_for_length(
    status: int, said: str, named: type[ProviderError]
) -> None:
    said_as = said if said.startswith("<") else {"message": said}
    assert type(refused(status, said_as)) is named


def test_P8_a_page_of_a_proxy_is_told_without_its_tags() -> None:
    assert refused(413, NGINX).message.endswith(
        "413 Request Entity Too Large 413 Request Entity Too Large nginx"
    )


def test_P8_an_error_inside_a_stream_is_recognised_too() -> None:
    request = httpx2.Request("POST", "http://provider/v1/chat/completions")
    body = {"message": "输入过长：maximum context length is 4096 tokens", "code": "500"}
    error = failures.named(openai.APIError(body["message"], request, body=body), "", begun=True)
    assert isinstance(error, ContextExceeded)
    assert error.limit == 4096


def _ending(reason: str, usage: dict[str, Any] | None) -> Assembler:
    assembler = Assembler("m")
    assembler.feed({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
    assembler.feed({"choices": [], "usage": usage})
    return assembler


def test_P8_an_answer_that_had_no_room_to_begin_is_a_full_window() -> None:
    with pytest.raises(ContextExceeded):
        _ending("length", None).completed()
    with pytest.raises(ContextExceeded):
        _ending("length", {"prompt_tokens": 4095, "completion_tokens": 1}).completed()


def test_P8_an_answer_that_was_all_reasoning_is_no_full_window() -> None:
    usage = {
        "prompt_tokens": 500,
        "completion_tokens": 1000,
        "completion_tokens_details": {"reasoning_tokens": 1000},
    }
    with pytest.raises(EmptyAnswer):
        _ending("length", usage).completed()
    with pytest.raises(EmptyAnswer):
        _ending("stop", None).completed()
