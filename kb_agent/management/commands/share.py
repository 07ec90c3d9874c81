"""`manage.py share`: open a topic or a named view to others, see who has it, take it back."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import Group
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from kb_agent.usecases import people, refusals, sharing
from kb_agent.usecases.sharing import Subject

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from kb_agent.accounts.models import User
    from kb_agent.usecases.sharing import ShownShare


class Command(BaseCommand):
    """Open, list, take back."""

    help = "Open a topic or a view to a person, a group, the company or by link; list or take back openings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What, to whom, until when, as whom."""
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("topic", type=int, nargs="?", help="the topic's number")
        what.add_argument("--view", type=int, metavar="VIEW", help="a named view, by its number")
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--person", metavar="USER", help="open it to this person")
        how.add_argument("--group", metavar="NAME", help="open it to this group's members")
        how.add_argument("--company", action="store_true", help="open it to everyone")
        how.add_argument("--link", action="store_true", help="make a link, shown this once")
        how.add_argument("--revoke", type=int, metavar="SHARE", help="take this opening back")
        parser.add_argument(
            "--expires", type=int, metavar="DAYS", help="it ends after so many days"
        )
        parser.add_argument("--as", dest="owner", metavar="USER", help="act as its owner")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *_: Any, topic: int | None, view: int | None, **options: Any) -> None:
        """Do it, then say who has it."""
        subject = Subject("view", view or 0) if topic is None else Subject("topic", topic)
        try:
            by = people.named(options["owner"]) if options["owner"] else None
            token = _changed(by, subject, options)
            held = sharing.page(by, subject)
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        if options["json"]:
            self.stdout.write(_as_json(held, token))
            return
        if token:
            self.stdout.write(f"link: /s/{token} (shown this once)")
        self.stdout.write("\n".join(map(_line, held)) or "Nobody but its owner has it.")


def _changed(by: User | None, subject: Subject, options: dict[str, Any]) -> str:
    """Open or take back what was asked for; returns a new link's token."""
    if options["revoke"]:
        sharing.revoke(by, subject, options["revoke"])
        return ""
    kinds = ("person", "group", "company", "link")
    kind = next((one for one in kinds if options[one]), None)
    if kind is None:
        return ""
    days = options["expires"]
    made = sharing.share(
        by,
        subject,
        kind=kind,
        person_id=people.named(options["person"]).pk if options["person"] else None,
        group_id=_group(options["group"]) if options["group"] else None,
        expires_at=timezone.now() + timedelta(days=days) if days is not None else None,
    )
    return made.token


def _group(name: str) -> int:
    found = Group.objects.filter(name=name).first()
    if found is None:
        raise refusals.NotFound(f"group {name!r}")
    return found.pk


def _whom(share: ShownShare) -> str:
    named = share.person.display_name if share.person else share.group.name if share.group else ""
    return f"{share.kind} {named}".strip()


def _line(share: ShownShare) -> str:
    until = f" until {share.expires_at:%Y-%m-%d %H:%M}" if share.expires_at else ""
    visits = f", {share.visits} came by it" if share.kind == "link" else ""
    return f"share {share.id}: {_whom(share)}{until}{visits}"


def _as_json(held: list[ShownShare], token: str) -> str:
    shown = [
        {
            "id": share.id,
            "kind": share.kind,
            "person": share.person.id if share.person else None,
            "group": share.group.name if share.group else None,
            "expires_at": share.expires_at.isoformat() if share.expires_at else None,
            "visits": share.visits,
        }
        for share in held
    ]
    return json.dumps({"shares": shown, "token": token or None}, ensure_ascii=False, indent=2)
