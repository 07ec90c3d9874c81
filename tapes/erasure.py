"""Takes the words of a range of entries away for good, under the owner's role (T19).

What stays proves that the tape is the same one: hashes go over digests, and the digests stay. The
salts go, so that no digest can be held against a guessed text.
"""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from django.db import connections, transaction
from django.utils import timezone

from tapes import entries, erased_form, erasures, models, paging, signals
from tapes.erasures import Erased
from tapes.errors import InvalidRange, UnknownTape, named

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tapes.records import Record

OWNER = "owner"
"""The connection of the role that owns the tables; no other may erase."""
_LATELY = datetime.timedelta(hours=2)
"""Longer than live text of a turn is kept anywhere."""


def erase(
    tape_id: int, first: int, last: int, *, actor: str, why: str, drawn_from: bool = True
) -> Erased:
    """Erase entries `first` to `last`, inside the caller's transaction of the owner if there is one.

    Done again it changes nothing. Events `erased` stay whole: they are what `verify` rests on.
    Without `drawn_from` the entries only repeat what stood elsewhere, and nothing else was drawn
    from them: their topics are not told.
    Raises `UnknownTape`, `InvalidRange`, `ForkOpen`, `EntriesLeft`; `InvalidEntry` without a reason.
    """
    done = Erased(tape_id, first, last)
    erasures.check_reason(why)
    with transaction.atomic(using=OWNER):
        _check_range(tape_id, first, last)
        rows = models.Entry.objects.using(OWNER).filter(
            tape_id=tape_id, seq__gte=first, seq__lte=last
        )
        named_texts: set[str] = set()
        # Cut before the first page is erased, since erasing makes pages shorter.
        for page_first, page_last in list(paging.cuts(rows)) or [(first, last)]:
            page = rows.filter(seq__gte=page_first, seq__lte=page_last)
            salted = paging.records(page.filter(salt__isnull=False))
            worded = [record for record in salted if erasures.has_words(record)]
            if worded:
                named_texts |= {one for record in worded for one in erasures.spilled(record)}
                done.entries += len(worded)
                done.events.append(_erase((tape_id, page_first, page_last), worded, actor, why))
        done.spilled = _forget_spilled(named_texts)
        _tell(rows, done, actor=actor, drawn_from=drawn_from)
    return done


def _check_range(tape_id: int, first: int, last: int) -> None:
    tape = models.Tape.objects.using(OWNER).filter(id=tape_id).first()
    if tape is None:
        raise UnknownTape(f"there is no tape {tape_id}")
    if not 1 <= first <= last <= tape.head:
        raise InvalidRange(f"tape {tape_id} has entries 1 to {tape.head}, not {first} to {last}")


def _erase(place: tuple[int, int, int], worded: list[Record], actor: str, why: str) -> int:
    found = [record.entry for record in worded]
    forms = [erased_form.Row(entry.kind, entry.payload, entry.digest) for entry in found]
    names = [
        erased_form.anchor_name(str(form.payload["name"])) if form.kind == entries.ANCHOR else None
        for form in forms
    ]
    texts = [erased_form.text(form) for form in forms]
    with named(), connections[OWNER].cursor() as cursor:
        cursor.execute(
            "SELECT tapes_erase(%s, %s, %s, %s::bigint[], %s::text[], %s::text[], %s, %s)",
            [*place, [entry.seq for entry in found], texts, names, actor, why],
        )
        (seq,) = cursor.fetchone()
    return int(seq)


_UNNAMED = """
DELETE FROM tapes_spill AS s WHERE digest = ANY (%s) AND NOT EXISTS (
    SELECT FROM tapes_entry AS e
    WHERE e.kind = 'tool_result' AND jsonb_path_exists(e.payload, '$.results[*].spill.id')
      AND jsonb_path_query_array(e.payload, '$.results[*].spill.id')
          @> jsonb_build_array(s.digest))
"""


def _forget_spilled(digests: set[str]) -> int:
    if not digests:
        return 0
    with connections[OWNER].cursor() as cursor:
        cursor.execute(_UNNAMED, [sorted(digests)])
        return int(cursor.rowcount)


def _tell(rows: QuerySet[models.Entry], done: Erased, *, actor: str, drawn_from: bool) -> None:
    """Let everyone who keeps words of these entries forget them in the same transaction."""
    emptied = rows.filter(salt__isnull=True)
    signals.erased.send(
        sender=None,
        tape_id=done.tape_id,
        first_seq=done.first,
        last_seq=done.last,
        topic_ids=_distinct(emptied, "topic_id") if drawn_from else [],
        turn_ids=sorted(
            {*_distinct(rows, "turn_id"), *_distinct(_lately(done.tape_id), "turn_id")}
        ),
        actor=actor,
        entries=done.entries,
        using=OWNER,
    )
    if done.events:
        signals.tell(done.tape_id, done.events[-1], [], using=OWNER)


def _lately(tape_id: int) -> QuerySet[models.Entry]:
    """Entries of turns whose live text may say the words again."""
    since = timezone.now() - _LATELY
    return models.Entry.objects.using(OWNER).filter(tape_id=tape_id, date__gte=since)


def _distinct(rows: QuerySet[models.Entry], column: str) -> list[int]:
    known = rows.filter(**{f"{column}__isnull": False}).order_by()
    return sorted(known.values_list(column, flat=True).distinct())
