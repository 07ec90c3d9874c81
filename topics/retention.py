"""Topics that ended long ago lose their words, by the function that erases (T19)."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from tapes import erased_form
from tapes.models import ArchiveCopy, Entry
from tapes.stores import erased_copies
from topics import erasing
from topics.models import Topic, TopicStatus

if TYPE_CHECKING:
    from django.db.models import QuerySet

WHY = "retention: the topic ended {days} days ago or earlier"

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Retained:
    """What one run of the retention did."""

    topics: int = 0
    entries: int = 0
    waiting: int = 0
    """Topics whose tape was busy or could not be erased; the next run takes them."""
    archived: int = 0
    """Copies in the archive that an earlier erasure could not write anew."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def retain(days: int, *, now: datetime.datetime | None = None) -> Retained:
    """Erase the topics that ended `days` days ago or earlier, a transaction each."""
    done = Retained()
    for tape_id in erased_copies.outdated():
        done.archived += _rewritten(tape_id)
    before = (now or timezone.now()) - datetime.timedelta(days=days)
    for topic in list(_due(before)):
        try:
            done.entries += _erase(topic, WHY.format(days=days))
            done.topics += 1
        except erasing.TurnOpen:
            done.waiting += 1
        except Exception:
            # One tape that cannot be erased stops no other.
            logger.exception("topic %s keeps its words", topic.pk)
            done.waiting += 1
    return done


def _rewritten(tape_id: int) -> bool:
    """Write a copy in the archive anew that says erased words still; one that cannot be stops nothing."""
    try:
        return erased_copies.rewrite(tape_id)
    except Exception:
        logger.exception("the copy of tape %s in the archive keeps erased words", tape_id)
        return False


def _due(before: datetime.datetime) -> QuerySet[Topic]:
    """Topics that ended before, and of which something that was said still has its words."""
    worded = Entry.objects.filter(
        tape_id=OuterRef("tape_id"), topic_id=OuterRef("pk"), kind="message", salt__isnull=False
    )
    # Of a tape whose rows are in the archive only the topic's own row can tell.
    left = ArchiveCopy.objects.filter(tape_id=OuterRef("tape_id"), left_at__isnull=False)
    away = Q(Exists(left)) & ~Q(title=erased_form.ERASED)
    ended = Topic.objects.exclude(status=TopicStatus.OPEN).filter(finalized_at__lt=before)
    return ended.filter(Q(Exists(worded)) | away).order_by("finalized_at")


def _erase(topic: Topic, why: str) -> int:
    return sum(
        erasing.erase(erasing.Wanted(topic.tape_id, first, last, actor="system", why=why)).entries
        for first, last in _ranges(topic)
    )


def _ranges(topic: Topic) -> Iterator[tuple[int, int]]:
    """From the topic's start to its end, and what belongs to it after that."""
    last = topic.finalized_seq or topic.initial_seq
    yield topic.initial_seq, last
    after = Entry.objects.filter(tape_id=topic.tape_id, topic_id=topic.pk, seq__gt=last)
    for seq in after.filter(salt__isnull=False).order_by("seq").values_list("seq", flat=True):
        yield seq, seq
