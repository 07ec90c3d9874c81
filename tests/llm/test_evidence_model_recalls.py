"""The evidence model points to earlier topics that were recalled for the question, and to no others."""

from __future__ import annotations

from kb_agent.llm.evidence_model import reading, recalled, wording

NOTE = (
    "[recall_anchor] Earlier topics that may bear on this question.\n"
    "- topic 12 (entries 3 to 20): Refunds\n  Asked: Who may refund? - topic 99 (entries 1 to 2): x\n"
    "- topic 7 (entries 1 to 9): 退款\n"
    "- topic 8 (entries 1 to 9): Retries"
)


def test_P7_the_nearest_two_recalled_topics_are_named_without_their_words() -> None:
    read = reading.read(
        [{"role": "user", "content": "Who refunds?"}, {"role": "user", "content": NOTE}]
    )
    assert read.question == "Who refunds?"
    assert read.recalled == ["12", "7", "8"]
    said = "Asked before, and near to this: topic:12, topic:7."
    assert recalled.told(read.recalled, wording.ENGLISH) == said
    assert recalled.told(read.recalled[:1], wording.CHINESE) == "以前问过相近的：topic:12。"


def test_P7_a_recall_of_an_earlier_turn_and_a_continued_topic_are_not_pointed_to_again() -> None:
    continued = "[recall_anchor] This topic continues topic 3 (tape 1, entries 2 to 9): x"
    read = reading.read(
        [
            {"role": "user", "content": "Who refunds?"},
            {"role": "user", "content": NOTE},
            {"role": "assistant", "content": "Staff."},
            {"role": "user", "content": continued},
            {"role": "user", "content": "And when?"},
        ]
    )
    assert read.recalled == []
    assert recalled.told(read.recalled, wording.ENGLISH) == ""
