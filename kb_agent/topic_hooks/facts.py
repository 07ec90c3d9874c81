"""Hook of `post_topic_finalized`: draws conclusions from a finished topic as facts for review (P10).

What is drawn was said: a person's correction of an answer; what a model names with the evidence ids
of the topic's own answers, each checked; without a model, the sentence that the code says of itself
in an answer that was sure. A topic that taught nothing leaves nothing in the queue.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kb_agent.llm import endpoints
from kb_agent.llm.evidence_model import concluding
from kb_agent.llm.protocol import CallEnded
from kb_agent.topic_hooks import asked_of_model, said_in_topic
from topics import facts
from topics.facts import nearness
from topics.hooks import Context, Effect, hook
from topics.models import Topic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.topic_hooks.said_in_topic import Answered
    from topics.facts import Draft

MOST = 5
"""Facts of one topic: a queue that nobody reads to its end serves nobody."""


@hook(
    does="Draws conclusions from the finished topic as facts that a reviewer may accept.",
    does_zh="从结束的主题里得出结论，作为待审核的事实。",
)
def draw_facts(context: Context) -> Effect | None:
    """Propose at most five facts, each with checked evidence; or join those known already."""
    topic = Topic.objects.get(pk=context.topic_id or 0)
    answered = said_in_topic.answered(topic)
    drafts = said_in_topic.corrected(answered)
    standing = [each for each in answered if not each.corrections]
    try:
        drafts += _concluded(topic, standing)
    except CallEnded as ended:
        return _effect(drafts, note=f"the model was not asked: {type(ended).__name__}")
    return _effect(drafts)


def _concluded(topic: Topic, answered: Sequence[Answered]) -> list[Draft]:
    if not answered:
        return []
    if any(not endpoint.by_rule for endpoint in endpoints.chosen()):
        asked = [each for each in answered if not concluding.written_by_rule(each.text)]
        return asked_of_model.drafts(topic, asked) if asked else []
    found = []
    for each in answered:
        concluded = concluding.conclusion(each.text)
        if concluded and (cited := each.cited([concluded[1]])):
            found.append(each.draft(concluded[0], cited, origin="evidence_model"))
    return found


def _effect(drafts: list[Draft], *, note: str = "") -> Effect | None:
    drawn = drafts[:MOST]
    told = f"{len(drawn)} conclusions" if drawn else ""
    outcome = ", ".join(filter(None, [told, note]))
    return Effect(outcome, write=partial(_write, drawn)) if outcome else None


def _write(drafts: list[Draft]) -> None:
    for draft in drafts:
        try:
            nearness.propose_or_join(draft)
        except facts.FactRefused:
            # Too long, or without words: no conclusion after all.
            continue
