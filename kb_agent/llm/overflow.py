"""Recognises that a provider refused a request for its length, in the words of those we know.

The wordings were seen in the providers' documents and in public reports; the tests name each.
"""

from __future__ import annotations

import re

_WORDINGS = (
    # OpenAI, Azure, vLLM, SGLang, OpenRouter, Groq, DeepSeek, and gateways that repeat them.
    r"context[_ ]length[_ ]exceeded",
    r"(maximum|max|model'?s|total) (context|prompt|sequence|input|message)s?[_ ](length|tokens|size|window)",
    r"reduce the length of (the|your) (input|messages|prompt)",
    r"exceeds? (the |this |your )?(model'?s? )?(maximum |max(imum)? allowed |available )?context",
    r"context (window|limit|size|overflow)",
    r"ContextWindowExceeded",
    # Azure and OpenAI by tokens a minute: waiting never helps a request that is larger than all of them.
    r"request too large for",
    # Anthropic and its gateways; Amazon.
    r"(prompt|input|request|message)s? (is|are|was) (too (long|large)|longer than)",
    r"exceed(s|ed)? (the )?(context|token) limit",
    r"request_too_large|request (entity|size) too large|payload too large|content too large",
    r"request exceeds the maximum size",
    # Google.
    r"input token count.{0,40}exceeds",
    # llama.cpp, LM Studio, Ollama.
    r"exceed_context_size",
    r"(greater|longer|larger) than the (model'?s )?context",
    r"context the overflows",
    r"input length exceeds",
    # TGI and others that count inputs.
    r"`?inputs`? (tokens \+|must have less than)",
    r"input_tokens \+ max_new_tokens must be",
    r"(length of |number of )(prompt_tokens|input tokens).{0,40}(less than|exceed)",
    r"input length.{0,40}exceeds? the (maximum|limit)",
    r"too many (input |prompt )?tokens",
    # Moonshot, MiniMax, StepFun, Zhipu, Qwen (DashScope), Baidu, Volcengine, Mistral.
    r"exceed(ed|s)? (the )?model token limit|model max length exceeded",
    r"(input )?(token|prompt) length too long|token limit exceeded",
    r"(prompt|input|messages?) (exceeds?|exceeded) (the )?max",
    r"range of input length should be",
    r"max input (characters|tokens|length)",
    r"prompt tokens too long|prompt too long",
    r"exceed max message tokens",
    r"too large for model with",
    # The same in Chinese.
    r"(输入|提示词?|上下文|内容|消息|对话|文本|请求|prompt|token)[^。;，,]{0,12}(过长|太长|超长)",
    r"(输入|提示词?|上下文|内容|消息|对话|文本|请求|prompt|tokens?)[^。;，,]{0,16}(超过|超出|大于)[^。;，,]{0,12}"
    r"(长度|上限|限制|最大|窗口|范围)",
    r"超(出|过)(了)?(模型)?(的)?(最大)?(上下文|输入)?(长度|窗口|token)",
)
_TOO_LONG = re.compile("|".join(f"(?:{words})" for words in _WORDINGS), re.IGNORECASE)
# A wish for too long an answer is no prompt that is too long: closing a segment would not help.
_ANSWER_ALONE = re.compile(
    r"max_(completion_)?tokens (should|must) be|max_tokens is too large|invalid max_tokens",
    re.IGNORECASE,
)
_NUMBER = r"(\d[\d,_]{2,9})"
_LIMITS = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        rf" > {_NUMBER}",
        rf"(?:context|prompt|sequence|input)[ _](?:length|window|size|limit)[^\d]{{0,24}}(?:is|of|limit|:|=)[^\d]{{0,14}}{_NUMBER}",
        rf"range of input length should be \[\d+, ?{_NUMBER}\]",
        rf"n_ctx\"?'?[:= ]+{_NUMBER}",
        rf"context size \({_NUMBER}",
        rf"with {_NUMBER} maximum context",
        rf"token limit: ?{_NUMBER}",
        rf"max length: ?{_NUMBER}",
        rf"(?:maximum|max)[^\d]{{0,30}}(?:length|tokens?|allowed)[^\d]{{0,20}}{_NUMBER}",
        rf"must be (?:less than|<=?)[^\d]{{0,24}}{_NUMBER}",
        rf"limit {_NUMBER}, requested",
        rf"(?:最大|上限|限制|不超过|不能超过|最多)[^\d]{{0,12}}{_NUMBER}",
    )
)
_FEWEST_TOKENS = 256
# Numbers that name an error and no size; 2013 is MiniMax's.
_CODES = re.compile(r"code[\"']?: ?[\"']?\d+|\(2013\)", re.IGNORECASE)


def is_refusal(status: int, words: str) -> bool:
    """Whether a provider's error says that what it was sent is too long."""
    if status == 413:
        return True
    return _TOO_LONG.search(words) is not None and _ANSWER_ALONE.search(words) is None


def limit(words: str) -> int | None:
    """The tokens that a refusal says the model can take, where it says so."""
    told = _CODES.sub("", words)
    for wording in _LIMITS:
        found = wording.search(told)
        if found and (tokens := int(re.sub(r"[,_]", "", found[1]))) >= _FEWEST_TOKENS:
            return tokens
    return None
