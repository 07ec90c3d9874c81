"""Erases words from tapes and from everything of topics that was drawn from them (T19).

A range is erased with what repeats it by the program's own doing: titles and summaries of its
topics wherever they stand on tapes and in rows, and the notes that recall those topics elsewhere.
What a person or a model said again in words of their own is not found; `Report.shown_to` names
the turns that had the erased words before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Q
from django.dispatch import receiver

from tapes import erased_form, erasure, signals
from tapes.erasure import OWNER
from tapes.models import Anchor, Entry
from tapes.stores import erased_copies
from topics import continuing, finding, lifecycle, locks, open_calls
from topics.facts import erasing
from topics.models import UNFINISHED, HookRun, Topic, Turn

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tapes.erasures import Erased


Place = tuple[int, int]
"""Tape and seq."""


class TurnOpen(Exception):
    """A question waits or is being answered on the tape; it could say the words again."""

    code = "turn_open"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be erased, by whom and why."""

    tape_id: int
    first: int
    last: int
    actor: str
    why: str


@dataclass(slots=True)
class Report:
    """What an erasure did."""

    tape: int
    first: int
    last: int
    entries: int = 0
    """Entries that lost their words, elsewhere too; 0 when they had lost them before."""
    elsewhere: list[tuple[int, int, int]] = field(default_factory=list)
    """Tape, first and last seq of what repeated them and was erased too."""
    topics: list[int] = field(default_factory=list)
    """Topics whose title and summary were taken away."""
    shown_to: list[int] = field(default_factory=list)
    """Turns outside the range whose model was shown these words, and may have repeated them."""
    spilled: int = 0
    """Spilled texts that nothing named any more, deleted."""
    archived: list[int] = field(default_factory=list)
    """Tapes whose copies in the archive were written anew."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def add(self, done: Erased) -> None:
        """Count in what was erased of one range."""
        self.entries += done.entries
        self.spilled += done.spilled


def erase(wanted: Wanted) -> Report:
    """Erase a range and what repeats it, as one transaction; then the archive's copies.

    Done again after a crash it does what was left. Raises TurnOpen, and what `tapes.erasure.erase`
    raises; when the archive does not answer its errors, the tapes being erased by then.
    """
    report = Report(wanted.tape_id, wanted.first, wanted.last)
    done: set[Place] = set()
    while True:
        # What repeats the words could be written elsewhere until they were gone.
        left = _repeating(wanted) - done
        if done and not left:
            return report
        _erase_together(wanted, sorted(left), report, again=bool(done))
        done |= left | {(wanted.tape_id, wanted.first)}


def _erase_together(
    wanted: Wanted, places: Sequence[Place], report: Report, *, again: bool
) -> None:
    tape_ids = sorted({wanted.tape_id, *(tape_id for tape_id, _ in places)})
    for tape_id in tape_ids:
        erased_copies.bring_back(tape_id)
    with transaction.atomic(using=OWNER):
        for tape_id in tape_ids:
            _hold(tape_id)
        if not again:
            report.shown_to = _shown_to(wanted)
            whole = (wanted.tape_id, wanted.first, wanted.last)
            report.add(_erased(wanted, whole, drawn_from=True))
        for tape_id, seq in places:
            one = _erased(wanted, (tape_id, seq, seq), drawn_from=False)
            report.add(one)
            if one.entries:
                report.elsewhere.append((tape_id, seq, seq))
        report.topics = _topics_of(wanted)
        for tape_id in tape_ids:
            erased_copies.outdate(tape_id)
    rewritten = {tape_id for tape_id in tape_ids if erased_copies.rewrite(tape_id)}
    report.archived = sorted({*report.archived, *rewritten})


@receiver(signals.erased, dispatch_uid="topics")
def _forget(*, topic_ids: Sequence[int], using: str, **_: Any) -> None:
    """Title and summary are drawn from a topic's words, and a hook's outcome may quote them."""
    rows = Topic.objects.using(using).filter(pk__in=topic_ids)
    rows.update(title=erased_form.ERASED)
    rows.exclude(summary="").update(summary=erased_form.ERASED)
    finding.forget_words(topic_ids, using=using)
    HookRun.objects.using(using).filter(topic__in=topic_ids).exclude(outcome="").update(
        outcome=erased_form.ERASED
    )


def _hold(tape_id: int) -> None:
    locks.tape(tape_id, using=OWNER)
    if Turn.objects.using(OWNER).filter(tape=tape_id, status__in=UNFINISHED).exists():
        raise TurnOpen(f"a question is being answered on tape {tape_id}: end it before")


def _erased(wanted: Wanted, place: tuple[int, int, int], *, drawn_from: bool) -> Erased:
    return erasure.erase(*place, actor=wanted.actor, why=wanted.why, drawn_from=drawn_from)


def _topics_of(wanted: Wanted) -> list[int]:
    found = _in_range(wanted).filter(topic_id__isnull=False).order_by()
    return sorted(filter(None, found.values_list("topic_id", flat=True).distinct()))


def _in_range(wanted: Wanted) -> QuerySet[Entry]:
    return Entry.objects.using(OWNER).filter(
        tape_id=wanted.tape_id, seq__gte=wanted.first, seq__lte=wanted.last
    )


def _repeating(wanted: Wanted) -> set[Place]:
    """What says titles, summaries, questions and answers of the range's topics again elsewhere."""
    topic_ids = _topics_of(wanted)
    titled = Entry.objects.using(OWNER).filter(
        Q(kind="anchor", payload__name__in=[lifecycle.INITIAL, lifecycle.FINALIZED])
        | Q(kind="event", payload__name__in=["topic_renamed", "topic_described", "hook"]),
        tape_id=wanted.tape_id,
        topic_id__in=topic_ids,
    )
    places = set(titled.values_list("tape_id", "seq"))
    for topic_id in topic_ids:
        recalled = Anchor.objects.using(OWNER).filter(
            name=continuing.RECALL, state__topics__contains=[{"topic": topic_id}]
        )
        places.update(recalled.values_list("tape_id", "seq"))
    places |= erasing.repeating(wanted.tape_id, wanted.first, wanted.last)
    return {
        (tape_id, seq)
        for tape_id, seq in places
        if tape_id != wanted.tape_id or not wanted.first <= seq <= wanted.last
    }


def _shown_to(wanted: Wanted) -> list[int]:
    """Turns outside the range that were shown an entry of it which has its words still."""
    worded = set(_in_range(wanted).filter(salt__isnull=False).values_list("seq", flat=True))
    calls = Entry.objects.using(OWNER).filter(
        tape_id=wanted.tape_id,
        seq__gt=wanted.last,
        kind="event",
        payload__name=open_calls.STARTED,
        turn_id__isnull=False,
    )
    found = calls.values_list("turn_id", "payload__data__seqs").iterator()
    return sorted({turn or 0 for turn, seqs in found if not worded.isdisjoint(_numbers(seqs))})


def _numbers(found: object) -> Iterator[int]:
    if isinstance(found, Iterable):
        yield from (one for one in found if isinstance(one, int))
