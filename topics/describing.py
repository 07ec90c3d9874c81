"""Gives a topic a better title and summary, as an event; also after its end (P7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tapes import entries, erased_form, exact_text, store
from tapes.models import Entry
from topics import acts, lifecycle, locks, signals, titles
from topics.models import Topic

DESCRIBED = "topic_described"
SUMMARY_CHARS = 600
"""A summary that is longer says too much to be one."""


@acts.act
def describe(
    topic_id: int, *, title: str = "", summary: str = "", actor: str, sources: Iterable[int] = ()
) -> Topic:
    """Write a title and a summary that rest on `sources`; an empty one leaves what there is.

    A title that a person gave stays, and words that were erased do not come back. Raises
    Topic.DoesNotExist.
    """
    tape_id = Topic.objects.values_list("tape_id", flat=True).get(pk=topic_id)
    locks.tape(tape_id)
    topic = Topic.objects.get(pk=topic_id)
    kept = topic.title if _named_by_a_person(topic) else titles.trimmed(title) or topic.title
    said = " ".join(summary.split()) or topic.summary
    if topic.title == erased_form.ERASED or (kept, said) == (topic.title, topic.summary):
        return topic
    exact_text.check_plain(kept + said)
    whole = kept != topic.title and said != topic.summary
    seen = sorted({*sources} if whole else {*sources, *topic.sources})
    event = entries.event(
        DESCRIBED, {"title": kept, "summary": said}, actor=actor, sources=tuple(seen)
    )
    store.append(tape_id, [replace(event, topic_id=topic.pk)])
    signals.tell_described(topic.pk)
    return lifecycle.updated(topic, title=kept, summary=said, sources=seen)


def _named_by_a_person(topic: Topic) -> bool:
    renamed = Entry.objects.filter(
        tape_id=topic.tape_id,
        topic_id=topic.pk,
        kind="event",
        payload__name="topic_renamed",
        actor__startswith="person:",
    )
    return renamed.exists()
