"""The evidence model takes what a continued topic recalls for context, never for a question (P5)."""

from __future__ import annotations

from kb_agent.llm.evidence_model import reading

NOTE = (
    "[recall_anchor] This topic continues topic 12 (tape 3, entries 2 to 14): 退款\n"
    "Last question: 退款失败后会自动重试吗？\n"
    "Last answer, whose evidence must be opened anew to be cited:\n会，最多三次。"
)


def test_P5_the_recalled_question_is_the_one_before_and_the_note_is_none() -> None:
    asked = [{"role": "user", "content": text} for text in (NOTE, "and how often?")]
    read = reading.read([{"role": "system", "content": "rules"}, *asked])
    assert read.asked == ["and how often?"]
    assert read.earlier == "退款失败后会自动重试吗？"


def test_P5_a_question_of_this_topic_comes_before_what_it_recalls() -> None:
    said = [("user", NOTE), ("user", "How often?"), ("assistant", "Thrice."), ("user", "And then?")]
    read = reading.read([{"role": role, "content": text} for role, text in said])
    assert (read.asked, read.earlier) == (["And then?"], "How often?")


def test_C7_a_withheld_note_is_no_question_either() -> None:
    said = ("[recall_anchor] [withheld]", "And then?")
    read = reading.read([{"role": "user", "content": text} for text in said])
    assert (read.asked, read.earlier) == (["And then?"], "")
