"""The evidence model's sentences, in both languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Words:
    """Sentence patterns of one language."""

    language: str
    lands: str
    lands_near: str
    lands_near_saying: str
    lands_saying: str
    lands_setting: str
    at: str
    at_line: str
    symbol_at: str
    symbol_at_line: str
    certainty: dict[str, str]
    no_reason: str
    missing: str
    next_to_it: str
    same: str
    same_several: str
    means: str
    callers: str
    settings: str
    texts: str
    tests: str
    others: str
    asks_back: str
    speaks_for: str
    in_brackets: str
    how_to_choose: str
    not_found: str
    could_do: str
    search_failed: str
    tried: str
    quoted: str
    values: str
    by_rule: str
    earlier: str
    fact: str
    code_beside: str
    code_silent: str
    rule_only: str
    comma: str
    listed: str
    colon: str
    space: str


ENGLISH: Final = Words(
    language="en",
    lands="**This lands in {repository}: {where}.** [{id}]",
    lands_near="**The nearest place found is in {repository}: {where}.** [{id}]",
    lands_near_saying="**The nearest place found is in {repository}: {where}.** It says: “{said}” [{id}]",
    lands_saying="**In {repository}, the code itself says: “{said}”** ({where}) [{id}]",
    lands_setting="**In {repository} it is set as `{value}`** ({where}) [{id}]",
    at="`{path}`, lines {start}–{end}",
    at_line="`{path}`, line {start}",
    symbol_at="{symbol} in `{path}`, lines {start}–{end}",
    symbol_at_line="{symbol} in `{path}`, line {start}",
    certainty={
        "high": "High certainty: {reasons}.",
        "medium": "Medium certainty: {reasons}.",
        "low": "Low certainty: {reasons}.",
    },
    no_reason="by the text alone",
    missing="Nothing was found for {words}.",
    next_to_it="Next closest is {repository}.",
    same="{query} stands there as it is",
    same_several="{query} stand there as they are",
    means="“{query}” is `{code}` in the code",
    callers="Used by:",
    settings="Settings and fixed values:",
    texts="Pages and texts:",
    tests="Tests:",
    others="Close to it:",
    asks_back="**Two systems fit this question equally well: {first} and {second}. Which one do you mean?**",
    speaks_for="- **{repository}**{about}: {reasons}; {where} [{id}]",
    in_brackets=" ({text})",
    how_to_choose="Answer with its name, or with “the first” or “the second”.",
    not_found="**Not found here: nothing in the code you may read settles this question.**",
    could_do="Ask again with a word from the screen, or name the system. If its code is not connected here, or"
    " not open to you, an administrator can change that.",
    search_failed="**The search itself failed, so nothing can be said about this question.** Ask again; if it"
    " happens again, an administrator finds the reason in the worker's log.",
    tried="Looked for: {tried}.",
    quoted="“{text}”",
    values="Values that apply: {values}.",
    rule_only="No language model is connected: this search went by rule, and a model may find more.",
    fact="**{said}** {ids}\n\nThis is accepted fact {number}: contributed by {by}, accepted by {accepted} on {day}.",
    code_beside="The code itself, as the search found it:",
    code_silent="The search itself found nothing more about this.",
    earlier="Asked before, and near to this: {topics}.",
    by_rule="No language model is connected: these places were found by rule and are quoted, not interpreted.",
    comma=", ",
    listed=", ",
    colon=": ",
    space=" ",
)

CHINESE: Final = Words(
    language="zh",
    lands="**落在 {repository}：{where}。**[{id}]",
    lands_near="**最接近的位置在 {repository}：{where}。**[{id}]",
    lands_near_saying="**最接近的位置在 {repository}：{where}。**那里写着：「{said}」[{id}]",
    lands_saying="**{repository} 的代码里写着：「{said}」**（{where}）[{id}]",
    lands_setting="**{repository} 里设为 `{value}`**（{where}）[{id}]",
    at="`{path}` 第 {start}–{end} 行",
    at_line="`{path}` 第 {start} 行",
    symbol_at="`{path}` 第 {start}–{end} 行的 {symbol}",
    symbol_at_line="`{path}` 第 {start} 行的 {symbol}",
    certainty={
        "high": "把握高：{reasons}。",
        "medium": "把握中等：{reasons}。",
        "low": "把握低：{reasons}。",
    },
    no_reason="只凭文字相近",
    missing="没有对上的词：{words}。",
    next_to_it="其次接近的是 {repository}。",
    same="{query}原样出现在这里",
    same_several="{query}原样出现在这里",
    means="「{query}」在代码里是 `{code}`",
    callers="用到它的地方：",
    settings="设置与固定值：",
    texts="页面与文案：",
    tests="测试：",
    others="相近的位置：",
    asks_back="**有两个系统同样说得通：{first} 和 {second}。问的是哪一个？**",
    speaks_for="- **{repository}**{about}：{reasons}；{where} [{id}]",
    in_brackets="（{text}）",
    how_to_choose="回答系统的名字，或者「第一个」「第二个」。",
    not_found="**这里没有找到：可读的代码里没有能回答这个问题的内容。**",
    could_do="可以换成界面上看到的词再问，或者说出是哪个系统。如果那个系统的代码还没有接入，或者没有对你开放，请联系管理员。",
    search_failed="**查找本身出错了，所以这个问题现在答不了。**请再问一次；如果还是这样，请管理员看工作进程的日志。",
    tried="查过这些词：{tried}。",
    quoted="「{text}」",
    values="用到的值：{values}。",
    rule_only="没有接入语言模型：这次只按规则查找，接入模型后可能找到更多。",
    fact="**{said}**{ids}\n\n这是已采纳的事实 {number}：由 {by} 贡献，{accepted} 于 {day} 采纳。",
    code_beside="代码本身，按规则查到的位置：",
    code_silent="除此之外，这次查找没有找到别的内容。",
    earlier="以前问过相近的：{topics}。",
    by_rule="没有接入语言模型：以上位置按规则找到，只引原文，不作推断。",
    comma="，",
    listed="、",
    colon="：",
    space="",
)

BOTH: Final = (ENGLISH, CHINESE)
