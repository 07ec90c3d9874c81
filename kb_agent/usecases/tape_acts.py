"""What a person can write on a tape: a handoff, a mark, a correction, a side line; and reset it.

`by` None is the operator at the command line, who may act on every tape. Every act says who and why
on the tape; secrets are masked before anything is kept (C8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.db import transaction

from kb_agent.repositories import secrets
from kb_agent.usecases import entries as entry_cases
from kb_agent.usecases import refusals, tape_forks
from kb_agent.usecases.access import Access
from tapes import anchors, browsing, entries, forks, store, views
from topics import finding, lifecycle, resetting
from topics.models import UNFINISHED, Turn

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from kb_agent.usecases.tape_forks import ShownFork
    from tapes.entries import Context, Entry
    from tapes.store import Tape

MOST_SEQS = 200
LONGEST_TEXT = 10_000
LONGEST_NAME = 150


def handoff(
    by: User | None,
    tape_id: int,
    name: str,
    *,
    state: Mapping[str, Any] | None = None,
    why: str = "",
) -> list[Entry]:
    """Begin a new phase: the default window starts after this anchor (T7)."""
    tape = _tape(by, tape_id)
    anchor = _name(name)
    if anchor in anchors.RESERVED or anchor.startswith(anchors.MARK):
        raise refusals.Invalid(f"{anchor!r} is a name tapes use themselves.", code="reserved_name")
    said = _masked(dict(state)) if state else None
    open_topic = lifecycle.open_on(tape.pk)
    with refusals.of_tapes(), transaction.atomic():
        # Who writes a summary has the window before them; its sources go on with the words (C7).
        seen = views.read(tape.pk, views.View.last_anchor()) if said else []
        context = _context(by, why, seen)
        context["topic_id"] = open_topic.pk if open_topic else None
        return store.handoff(tape.pk, anchor, state=said, **context)


def reset(by: User | None, tape_id: int, *, why: str = "") -> Tape:
    """Close the tape for good and start anew under its name; its open topic ends (T12)."""
    tape = _tape(by, tape_id)
    try:
        with refusals.of_tapes():
            return resetting.reset(tape.pk, actor=_actor(by), why=_text(why))
    except lifecycle.TapeBusy as busy:
        raise refusals.Conflict(
            "A question is being answered on this tape; stop it or wait for its answer.",
            code=busy.code,
        ) from busy


def mark(by: User | None, tape_id: int, name: str, *, seqs: Sequence[int], note: str) -> Entry:
    """Mark entries with a note that the model is shown from now on; the window stays (T9)."""
    tape = _tape(by, tape_id)
    marked = _entries(by, tape, seqs)
    context = _context(by, "", marked)
    context["topic_id"] = marked[0].topic_id
    new = entries.mark(_name(name), _text(note), [entry.seq for entry in marked], **context)
    with refusals.of_tapes(), transaction.atomic():
        return store.append(tape.pk, [new])[0]


def correct(by: User | None, tape_id: int, *, corrects: int, text: str) -> Entry:
    """Say what is right where an entry was wrong; shown beside it wherever that is shown (T6)."""
    tape = _tape(by, tape_id)
    wrong = _entries(by, tape, [corrects])
    said = _text(text)
    if not said:
        raise refusals.Invalid("Say what is right.", code="empty_text")
    context = _context(by, "", wrong)
    context["topic_id"] = wrong[0].topic_id
    with refusals.of_tapes(), transaction.atomic():
        (correction,) = store.append(tape.pk, [entries.correction(corrects, said, **context)])
        if wrong[0].topic_id:
            finding.outdate(wrong[0].topic_id)
        return correction


def fork(by: User | None, tape_id: int, *, note: str = "") -> ShownFork:
    """Open a side line: what is written on it no default view shows until it is merged (T11)."""
    tape = _tape(by, tape_id)
    with refusals.of_tapes(), transaction.atomic():
        handle = forks.open(tape.pk)
        said = entries.event(
            tape_forks.SIDE_LINE, {"note": _text(note)}, **_context(by, _text(note), [])
        )
        store.append(tape.pk, [said], fork=handle)
    return _fork(tape, handle.id)


def note(by: User | None, tape_id: int, fork_id: int, text: str) -> Entry:
    """Write a note on an open side line: an experiment's finding, a thought."""
    tape = _tape(by, tape_id)
    _side_line(tape, fork_id)
    said = _text(text)
    if not said:
        raise refusals.Invalid("Write something first.", code="empty_text")
    new = entries.message("user", said, **_context(by, "", []))
    with refusals.of_tapes(), transaction.atomic():
        return store.append(tape.pk, [new], fork=forks.renew(fork_id))[0]


def merge(by: User | None, tape_id: int, fork_id: int, *, why: str = "") -> ShownFork:
    """Show a side line to every view; done twice, nothing changes."""
    tape = _tape(by, tape_id)
    if _side_line(tape, fork_id).state != "merged":
        with refusals.of_tapes(), transaction.atomic():
            forks.merge(forks.renew(fork_id), **_context(by, _text(why), []))
    return _fork(tape, fork_id)


def discard(by: User | None, tape_id: int, fork_id: int, *, why: str = "") -> ShownFork:
    """Hide a side line for good from all but an inspection; done twice, nothing changes."""
    tape = _tape(by, tape_id)
    if _side_line(tape, fork_id).state != "discarded":
        with refusals.of_tapes(), transaction.atomic():
            forks.discard(forks.renew(fork_id), **_context(by, _text(why), []))
    return _fork(tape, fork_id)


def _tape(by: User | None, tape_id: int) -> Tape:
    if by is not None:
        return Access(by).own_tape(tape_id)
    with refusals.of_tapes():
        return store.get(tape_id)


def _side_line(tape: Tape, fork_id: int) -> browsing.ForkSpan:
    """A fork of this tape that no turn is writing on: a turn's fork is its own to close."""
    found = browsing.fork(tape.pk, fork_id)
    if found is None:
        raise refusals.NotFound("fork")
    if Turn.objects.filter(fork=fork_id, status__in=UNFINISHED).exists():
        raise refusals.Conflict("A turn is writing on this fork.", code="fork_in_turn")
    return found


def _fork(tape: Tape, fork_id: int) -> ShownFork:
    found = browsing.fork(tape.pk, fork_id)
    return tape_forks.shown(tape.pk, [found] if found else [])[0]


def _entries(by: User | None, tape: Tape, seqs: Sequence[int]) -> list[Entry]:
    """The entries named, all of them there and readable for who names them."""
    wanted = sorted(set(seqs))
    if not wanted or len(wanted) > MOST_SEQS:
        raise refusals.Invalid(f"Name 1 to {MOST_SEQS} entries.", code="bad_seqs")
    found = sorted(views.at((tape.pk, seq) for seq in wanted), key=lambda entry: entry.seq)
    access = Access(by) if by else None
    shown = [one for one in found if access is None or not _withheld(access, one)]
    if len(shown) < len(wanted):
        raise refusals.NotFound("entry")
    return shown


def _withheld(access: Access, entry: Entry) -> bool:
    return entry_cases.shown_one(access, entry).withheld


def _actor(by: User | None) -> str:
    return f"person:{by.pk}" if by else "system"


def _context(by: User | None, why: str, seen: Sequence[Entry]) -> Context:
    sources = sorted({source for entry in seen for source in entry.sources})
    return {"actor": _actor(by), "why": _text(why), "sources": sources}


def _name(name: str) -> str:
    said = " ".join(_text(name).split())
    if not said or len(said) > LONGEST_NAME:
        raise refusals.Invalid(f"A name has 1 to {LONGEST_NAME} characters.", code="bad_name")
    return said


def _text(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise refusals.Invalid(f"At most {LONGEST_TEXT:,} characters.", code="text_too_long")
    return secrets.mask(text.strip()).text


def _masked(value: Any) -> Any:
    """A state with every text in it masked."""
    if isinstance(value, str):
        return secrets.mask(value).text
    if isinstance(value, Mapping):
        return {str(key): _masked(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_masked(part) for part in value]
    return value
