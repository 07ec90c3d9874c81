"""Hook of `post_topic_initial`: notes the accepted facts that the first question is about (P10)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kb_agent.repositories import access
from kb_agent.repositories.facts import matching
from kb_agent.repositories.facts import notes as fact_notes
from tapes import entries, views
from topics.continuing import RECALL
from topics.hooks import Context, Effect, hook
from topics.models import Turn

if TYPE_CHECKING:
    from kb_agent.repositories.facts.notes import Note


@hook(
    does="Notes the accepted facts that answer the first question, with who accepted them.",
    does_zh="把与首个问题相符的已采纳事实记在纸带上，并注明由谁采纳。",
)
def note_facts(context: Context) -> Effect | None:
    """Write a `recall_anchor` with at most five facts, whose evidence the model may cite."""
    turn = Turn.objects.filter(topic=context.topic_id).order_by("pk").first()
    if turn is None:
        return None
    readable = access.readable_ids(turn.asker)
    asked = views.at([(turn.tape_id, turn.question_seq)])[0].payload["content"]
    found = matching.about(str(asked), readable=readable, repositories=turn.repositories)
    notes = fact_notes.fitting(
        fact_notes.minted(
            [each.fact for each in found],
            topic_id=turn.topic_id,
            turn_id=turn.pk,
            readable=readable,
        )
    )
    if not notes:
        return None
    return Effect(
        outcome=f"{len(notes)} facts",
        entries=(_anchor(notes),),
        write=partial(fact_notes.use, notes, topic_id=turn.topic_id, turn_id=turn.pk),
    )


def _anchor(notes: list[Note]) -> entries.NewEntry:
    state = {
        "text": fact_notes.text(notes),
        "topics": [],
        "facts": [note.data for note in notes],
    }
    return entries.anchor(
        RECALL, state, why="accepted facts", sources=sorted(fact_notes.sources(notes))
    )
