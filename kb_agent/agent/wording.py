"""Our own few words to the asker about why a turn ended, in both languages."""

from __future__ import annotations

from typing import Final

_NOTES: Final[dict[str, tuple[str, str]]] = {
    "answer_truncated": (
        "（答案到模型的长度上限为止，后面没有写完。）",
        "(The answer ends here at the model's length limit; it is not complete.)",
    ),
    "step_limit": (
        "（这一轮的步数用完了，答案没有写完。可以接着问，已查到的都还在。）",
        "(This turn's steps are used up; the answer is not complete. Ask on: what was found is kept.)",
    ),
    "token_limit": (
        "（这一轮的 token 用完了，答案没有写完。可以接着问，已查到的都还在。）",
        "(This turn's tokens are used up; the answer is not complete. Ask on: what was found is kept.)",
    ),
    "time_limit": (
        "（这一轮的时间用完了，答案没有写完。可以接着问，已查到的都还在。）",
        "(This turn's time is over; the answer is not complete. Ask on: what was found is kept.)",
    ),
    "budget_person": (
        "（你这个月的预算不够再问模型了，所以没有再问。问题还在；管理员可以在「费用」里提高你的预算。）",
        "(Your budget for this month does not allow another model call, so none was made. The question is kept; an"
        " administrator can raise your budget under Costs.)",
    ),
    "budget_group": (
        "（你所在的组这个月的预算不够再问模型了，所以没有再问。问题还在；管理员可以在「费用」里提高组的预算。）",
        "(The budget of a group you are in does not allow another model call this month, so none was made. The question"
        " is kept; an administrator can raise it under Costs.)",
    ),
    "budget_model": (
        "（这个模型这个月的预算不够再用了，所以没有再问。问题还在；管理员可以在「费用」里提高预算，或加上别的模型。）",
        "(This model's budget for this month does not allow another call, so none was made. The question is kept; an"
        " administrator can raise it under Costs, or set up another model.)",
    ),
    "budget_company": (
        "（公司这个月的预算不够再问模型了，所以没有再问。问题还在；管理员可以在「费用」里提高预算。）",
        "(The company's budget for this month does not allow another model call, so none was made. The question is kept;"
        " an administrator can raise it under Costs.)",
    ),
    "failed": (
        "（回答时程序出错，没有写完。问题还在，可以再问一次。）",
        "(Answering failed inside the product; the answer is not complete. The question is kept; ask again.)",
    ),
    "stopped": (
        "（按要求停止，答案没有写完。）",
        "(Stopped as asked; the answer is not complete.)",
    ),
    "provider_busy": (
        "（模型服务太忙，几次重试都没有答上。问题还在，稍后再问一次。）",
        "(The model's service is busy and did not answer after several tries. The question is kept; ask again later.)",
    ),
    "provider_down": (
        "（模型服务连不上，或者出错了。问题还在，稍后再问一次，或请管理员检查模型设置。）",
        "(The model's service cannot be reached or failed. The question is kept; ask again later, or have an"
        " administrator check the model's settings.)",
    ),
    "stream_cut": (
        "（模型的回答几次中途断开，没有写完。）",
        "(The model's answer broke off several times; it is not complete.)",
    ),
    "content_filtered": (
        "（模型服务的内容过滤拦下了这个回答。换个说法再问一次。）",
        "(The model service's content filter withheld this answer. Ask again in other words.)",
    ),
    "context_exceeded": (
        "（这个主题对模型来说太长了。请开一个新主题，把问题问得窄一些。）",
        "(This topic is too long for the model. Start a new topic with a narrower question.)",
    ),
    "question_too_long": (
        "（这个问题连同它所依据的内容，超出了模型一次能读的长度。请把问题缩短，或拆成几个来问。）",
        "(This question, with what it rests on, is longer than the model can take at once. Shorten it, or ask it"
        " in parts.)",
    ),
    "overload_limit": (
        "（这一轮几次超出了模型能记住的长度，答案没有写完。请把问题问得窄一些，已查到的都还在。）",
        "(This turn passed what the model can keep in mind too often; the answer is not complete. Ask a narrower"
        " question: what was found is kept.)",
    ),
    "bad_key": (
        "（模型服务不认这个密钥，请管理员检查模型设置。）",
        "(The model's service refused the key; an administrator has to check the model's settings.)",
    ),
    "model_unknown": (
        "（模型服务里没有这个模型，或者地址不对，请管理员检查模型设置。）",
        "(The model's service has no such model, or its address is wrong; an administrator has to check it.)",
    ),
}
_OTHER: Final = (
    "（模型没有给出回答。问题还在，可以再问一次。）",
    "(The model gave no answer. The question is kept; ask again.)",
)


def note(reason: str, language: str) -> str:
    """A sentence in brackets: why the turn ended, and what to do."""
    chinese, english = _NOTES.get(reason, _OTHER)
    return chinese if language == "zh" else english
