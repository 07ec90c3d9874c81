"""Calls that nobody saw end: after a while their tape says so, and the ledger with it (R3, P11)."""

from __future__ import annotations

import datetime
import logging

from django.db.models import Q
from django.utils import timezone

from tapes import entries, store
from topics.models import UNFINISHED
from topics.models.ledger import Call, CallStatus
from topics.open_calls import ENDED, outcome_unknown

AFTER = datetime.timedelta(hours=1)
"""Longer than any call, and any turn, may take."""

logger = logging.getLogger(__name__)


def close(*, now: datetime.datetime | None = None, limit: int = 500) -> int:
    """End calls that began long ago, their outcome unknown; those of a turn under way are its own."""
    before = (now or timezone.now()) - AFTER
    lost = Call.objects.filter(status=CallStatus.STARTED, started_at__lt=before)
    closed = 0
    for call in lost.filter(~Q(turn__status__in=UNFINISHED)).order_by("started_at")[:limit]:
        event = entries.event(
            ENDED,
            outcome_unknown(call.pk, call.model),
            topic_id=call.topic_id,
            turn_id=call.turn_id,
            actor="system",
        )
        try:
            store.append(call.tape_id, [event])
        except store.TapeArchived:
            logger.info("call %s began on a tape that is closed", call.pk)
        else:
            closed += 1
    return closed
