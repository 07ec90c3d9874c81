"""The evidence model's sentences, in both languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Words:
    """Sentence patterns of one language."""

    lands: str
    lands_saying: str
    at: str
    symbol_at: str
    certainty: dict[str, str]
    no_reason: str
    missing: str
    same: str
    means: str
    related: str
    asks_back: str
    not_found: str
    search_failed: str
    tried: str
    quoted: str
    values: str
    by_rule: str
    rule_only: str
    comma: str
    colon: str
    space: str


ENGLISH: Final = Words(
    lands="**This lands in {repository}: {where}.** [{id}]",
    lands_saying="**In {repository}, the code itself says: “{said}”** ({where}) [{id}]",
    at="`{path}`, lines {start}–{end}",
    symbol_at="{symbol} in `{path}`, lines {start}–{end}",
    certainty={
        "high": "High certainty: {reasons}.",
        "medium": "Medium certainty: {reasons}.",
        "low": "Low certainty: {reasons}.",
    },
    no_reason="by the text alone",
    missing="Nothing was found for {words}.",
    same="“{query}” stands there as it is",
    means="“{query}” is `{code}` in the code",
    related="Related places:",
    asks_back="**Two systems fit this question equally well: {first} and {second}. Which one do you mean?**",
    not_found="**Not found here: nothing in the code you may read fits this question.**",
    search_failed="**The search itself failed, so nothing can be said about this question.** Ask again; if it"
    " happens again, an administrator finds the reason in the worker's log.",
    tried="Tried: {tried}. Ask again with a word from the screen or the code, or name the system.",
    quoted="“{text}”",
    values="Values that apply: {values}.",
    rule_only="No language model is connected: this search went by rule, and a model may find more.",
    by_rule="No language model is connected: these places were found by rule and are quoted, not interpreted.",
    comma=", ",
    colon=": ",
    space=" ",
)

CHINESE: Final = Words(
    lands="**落在 {repository}：{where}。**[{id}]",
    lands_saying="**{repository} 的代码里写着：「{said}」**（{where}）[{id}]",
    at="`{path}` 第 {start}–{end} 行",
    symbol_at="`{path}` 第 {start}–{end} 行的 {symbol}",
    certainty={
        "high": "把握高：{reasons}。",
        "medium": "把握中等：{reasons}。",
        "low": "把握低：{reasons}。",
    },
    no_reason="只凭文字相近",
    missing="没有对上的词：{words}。",
    same="「{query}」原样出现在这里",
    means="「{query}」在代码里是 `{code}`",
    related="相关的位置：",
    asks_back="**有两个系统同样说得通：{first} 和 {second}。问的是哪一个？**",
    not_found="**这里没有找到：可读的代码里没有与这个问题相符的内容。**",
    search_failed="**查找本身出错了，所以这个问题现在答不了。**请再问一次；如果还是这样，请管理员看工作进程的日志。",
    tried="试过：{tried}。换一个界面上或代码里的说法再问，或说明是哪个系统。",
    quoted="「{text}」",
    values="用到的值：{values}。",
    rule_only="没有接入语言模型：这次只按规则查找，接入模型后可能找到更多。",
    by_rule="没有接入语言模型：以上位置按规则找到，只引原文，不作推断。",
    comma="，",
    colon="：",
    space="",
)
