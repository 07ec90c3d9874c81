"""`manage.py facts`: list facts, show one, accept or reject it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.core.serializers.json import DjangoJSONEncoder

from kb_agent.usecases import fact_review, facts, people, refusals

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable

    from kb_agent.accounts.models import User


class Command(BaseCommand):
    """Facts, for who reviews at a terminal."""

    help = "List facts, show one with its versions and evidence, accept or reject it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """A verb, and as whom."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        listing = verbs.add_parser("list", help="facts, the newest change first")
        listing.add_argument("--state", choices=facts.STATES, default=facts.REVIEW)
        listing.add_argument("--q", default="", help="words in the text")
        for verb, said in (
            ("show", "one fact with its versions and evidence"),
            ("accept", "let a fact take part in answering"),
            ("reject", "let it be none, with a reason"),
        ):
            one = verbs.add_parser(verb, help=said)
            one.add_argument("fact", type=int)
            if verb == "reject":
                one.add_argument("--why", required=True, help="the reason, for its contributor")
        for each in verbs.choices.values():
            each.add_argument("--as", dest="person", metavar="USER", help="act as this person")
            each.add_argument("--json", action="store_true", help="answer in JSON")

    def handle(self, *_: Any, verb: str, **options: Any) -> None:
        """Do it; a refusal is said in one line, with exit code 1."""
        try:
            self._verbs()[verb](options)
        except refusals.Refusal as refused:
            raise CommandError(f"{refused.code}: {refused}") from refused

    def _verbs(self) -> dict[str, Callable[[dict[str, Any]], None]]:
        return {
            "list": self._list,
            "show": lambda options: self._show(options, options["fact"]),
            "accept": self._accept,
            "reject": self._reject,
        }

    def _list(self, options: dict[str, Any]) -> None:
        wanted = facts.Wanted(state=options["state"], q=options["q"])
        found = facts.page(_person(options), wanted)
        if options["json"]:
            self._say([each.id for each in found.results])
            return
        for each in found.results:
            standing = "stale" if each.stale else each.status
            self.stdout.write(f"{each.id} {standing}: {each.text or '[withheld]'}")

    def _show(self, options: dict[str, Any], fact_id: int) -> None:
        shown = facts.show(_person(options), fact_id)
        if options["json"]:
            self._say(shown)
            return
        self.stdout.write(f"{shown['id']} {shown['status']}: {shown['text'] or '[withheld]'}")
        for place in shown["evidence"]:
            lines = f"{place.start_line}-{place.end_line}"
            where = f"{place.repository.name}/{place.path}:{lines} at {place.commit[:10]}"
            self.stdout.write(f"  {where}{'' if place.holds else ' (changed since)'}")

    def _accept(self, options: dict[str, Any]) -> None:
        done = fact_review.accept(_person(options), options["fact"], version=_version(options))
        self._show(options, done.pk)

    def _reject(self, options: dict[str, Any]) -> None:
        version = _version(options)
        done = fact_review.reject(
            _person(options), options["fact"], version=version, reason=options["why"]
        )
        self._show(options, done.pk)

    def _say(self, said: object) -> None:
        self.stdout.write(json.dumps(said, ensure_ascii=False, cls=_Encoder))


class _Encoder(DjangoJSONEncoder):
    """Shown things are plain values with names."""

    def default(self, o: Any) -> Any:
        return vars(o) if hasattr(o, "__dataclass_fields__") else super().default(o)


def _person(options: dict[str, Any]) -> User:
    named = options["person"]
    return people.named(named) if named else people.reviewing_operator()


def _version(options: dict[str, Any]) -> int:
    return int(facts.show(_person(options), options["fact"])["version"])
