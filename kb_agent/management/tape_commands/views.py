"""Keep stretches of tapes, or topics, under a name: list, show, add and remove a person's views; show those opened to them."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from kb_agent.usecases import named_views, people, refusals
from tapes import store

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper

    from kb_agent.accounts.models import User
    from kb_agent.usecases.named_views import OpenedView, ShownView

Answer = tuple[Any, list[str]]
"""What is said in JSON, and in lines for a terminal."""


def add_arguments(parser: ArgumentParser) -> None:
    """What to do, with which view, as whom."""
    parser.add_argument("does", choices=DOES, nargs="?", default="list")
    parser.add_argument("name", nargs="?", default="", help="the view's name, or its number")
    parser.add_argument(
        "--part",
        action="append",
        default=[],
        type=_part,
        metavar="PART",
        help="topic:7, TAPE:3-40, TAPE:3-, TAPE:after=ANCHOR or TAPE:after=ANCHOR,before=ANCHOR;"
        " TAPE is a name or a number; once for each part",
    )
    parser.add_argument("--as", dest="person", metavar="USER", help="whose views; the operator's")


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Do the one thing, and say what is there."""
    try:
        by = people.named(options["person"]) if options["person"] else people.operator()
        said, lines = DOES[options["does"]](by, options)
    except refusals.Refusal as refused:
        raise CommandError(f"{refused.code}: {refused}") from refused
    out.write(
        json.dumps(said, ensure_ascii=False, default=str) if options["json"] else "\n".join(lines)
    )


def _list(by: User, _: Mapping[str, Any]) -> Answer:
    found = named_views.page(by)
    lines = [f"{_titled(view)}: {', '.join(map(_said, view.parts))}" for view in found]
    return [asdict(view) for view in found], lines or ["no views"]


def _show(by: User, options: Mapping[str, Any]) -> Answer:
    view = named_views.open(by, _named(by, options).id)
    return asdict(view), list(_lines(view))


def _lines(view: OpenedView) -> list[str]:
    lines: list[str] = []
    for part in view.shown:
        more = ", and more" if part.more else ""
        partly = ", what is not open to them withheld" if part.partly else ""
        count = part.problem or f"{len(part.entries)} entries"
        lines.append(f"{_said(part.part)}: {count}{more}{partly}")
        for entry in part.entries:
            text = "withheld" if entry.withheld else json.dumps(entry.payload, ensure_ascii=False)
            lines.append(f"  {entry.tape}:{entry.seq} {entry.kind} {text}")
    return lines


def _add(by: User, options: Mapping[str, Any]) -> Answer:
    if not options["name"] or not options["part"]:
        raise CommandError("bad_part: name the view, and give it a --part")
    parts = [
        {**part, "tape": _tape(part["tape"])} if "tape" in part else part
        for part in options["part"]
    ]
    made = named_views.create(by, options["name"], parts)
    return asdict(made), [f"view {made.name} with {len(made.parts)} parts"]


def _remove(by: User, options: Mapping[str, Any]) -> Answer:
    view = _named(by, options)
    named_views.remove(by, view.id)
    return {"removed": view.name}, [f"view {view.name} is forgotten; nothing it showed is touched"]


DOES: Mapping[str, Callable[[User, Mapping[str, Any]], Answer]] = {
    "list": _list,
    "show": _show,
    "add": _add,
    "remove": _remove,
}


def _named(by: User, options: Mapping[str, Any]) -> ShownView:
    """One's own of this name before another's; another's also by its number."""
    name = options["name"]
    found = [view for view in named_views.page(by) if name in (view.name, str(view.id))]
    if not found:
        raise refusals.NotFound("view")
    return min(found, key=lambda view: (view.name != name, not view.mine))


def _titled(view: ShownView) -> str:
    """Its number, too: `share --view` wants it."""
    return f"{view.id} {view.name}" + ("" if view.mine else f" (of {view.owner.display_name})")


def _tape(name: str) -> int:
    return int(name) if name.isdecimal() else store.by_name(name).pk


def _part(text: str) -> dict[str, Any]:
    """A part as it is written on the command line; a tape's name may hold colons."""
    of, _, rest = text.rpartition(":")
    if of == "topic" and rest.isdecimal():
        return {"topic": int(rest)}
    if of and rest.startswith("after="):
        after, _, before = rest.removeprefix("after=").partition(",before=")
        return {"tape": of, "after": after} | ({"before": before} if before else {})
    first, dash, last = rest.partition("-")
    ends = {"first": first, "last": last} if dash else {"first": first, "last": first}
    if not of or any(end and not end.isdecimal() for end in ends.values()):
        raise ArgumentTypeError(f"{text!r} is no part of a view")
    return {"tape": of} | {name: int(end) for name, end in ends.items() if end}


def _said(part: Mapping[str, Any]) -> str:
    if not part:
        return "a part that is withheld"
    if "topic" in part:
        return f"topic {part['topic']}"
    if "after" in part:
        before = f" before {part['before']}" if "before" in part else ""
        return f"tape {part['tape']} after {part['after']}{before}"
    return f"tape {part['tape']} {part.get('first', 1)}-{part.get('last', '')}"
