"""Recalls earlier topics when one starts, and keeps what a finished one is recalled by (P7)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kb_agent.accounts.models import User
from kb_agent.llm.account import Account
from kb_agent.repositories import access
from kb_agent.repositories import recall as recalls
from kb_agent.repositories.recall import notes, recollecting
from tapes import store, views
from topics import continuing, recalling, retelling
from topics.hooks import Context, Effect, hook
from topics.models import Topic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tapes.entries import NewEntry

ACTOR = "hook:kb_agent.topic_hooks.recall.recall"
NOTHING = "nothing recalled"


@hook(
    does="Recalls up to five earlier topics that the new one is near to, and notes them for the agent.",
    does_zh="召回最多五个与新主题相近的早先主题，记下来供智能体参考。",
)
def recall(context: Context) -> Effect | None:
    """Only topics that the owner may build on now, within the repositories they read now (C7)."""
    topic = Topic.objects.get(pk=context.topic_id or 0)
    owner = User.objects.get(pk=topic.owner_id)
    readable = access.readable_ids(owner)
    told = retelling.of(topic, readable=readable)
    asked, named = _own_words(topic, told[0].question if told else topic.title)
    found = recalls.recall(
        asked,
        asker=owner,
        readable=readable,
        leave_out={topic.pk, topic.continues_id or topic.pk, *named},
        account=_account(topic),
    )
    if not found:
        return Effect(outcome=NOTHING)
    note = notes.anchor(found)
    many = len(note.payload["state"]["topics"])
    return Effect(outcome=f"{many} {'topic' if many == 1 else 'topics'} recalled", entries=(note,))


def _own_words(topic: Topic, question: str) -> tuple[str, set[int]]:
    """The question without `topic:12` and `@name` in it, and the topics that it named: these are noted already."""
    named: set[int] = set()
    seqs = views.seqs_of_anchors(topic.tape_id, continuing.RECALL)
    places = ((topic.tape_id, seq) for seq in seqs if seq > topic.initial_seq)
    for anchor in views.at(places):
        state = anchor.payload["state"]
        if "references" not in state:
            continue
        named |= {place["topic"] for place in state["topics"]}
        for one in state["references"]:
            question = question.replace(one["written"], " ")
    return question, named


@hook(
    does="Keeps by what a finished topic can be recalled later.",
    does_zh="记下一个已结束的主题以后凭什么被召回。",
)
def remember(context: Context) -> Effect | None:
    """Words and places of the topic's questions and answers."""
    topic = Topic.objects.get(pk=context.topic_id or 0)
    kept = recollecting.of(topic)
    if kept is None:
        return None
    return Effect(write=partial(recalling.keep, topic.pk, kept))


def _account(topic: Topic) -> Account:
    """The owner pays for the question's vector, on the topic's tape."""

    def append(new: Sequence[NewEntry]) -> object:
        return store.append(topic.tape_id, new)

    return Account(
        purpose="recall",
        payer=topic.owner_id,
        append=append,
        context={"topic_id": topic.pk, "actor": ACTOR, "why": "recall"},
    )
