"""Takes away what calls beside turns were asked and answered, with the words they were made from (T19)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Q
from django.dispatch import receiver

from tapes import signals
from tapes.models import Spill
from topics.models.ledger import Call


@receiver(signals.erased, dispatch_uid="topics.ledger")
def _forget(
    *, tape_id: int, first_seq: int, last_seq: int, topic_ids: Sequence[int], using: str, **_: Any
) -> None:
    """Delete stored messages of every call of these topics, and of calls that quoted them."""
    topics = list(topic_ids)
    calls = (
        Call.objects.using(using)
        .filter(
            Q(topic__in=topics)
            | Q(of_topics__overlap=topics)
            | Q(tape=tape_id, started_seq__gte=first_seq, started_seq__lte=last_seq)
        )
        .exclude(spilled=[])
    )
    digests = {digest for spilled in calls.values_list("spilled", flat=True) for digest in spilled}
    Spill.objects.using(using).filter(digest__in=digests).delete()
    calls.update(spilled=[])
