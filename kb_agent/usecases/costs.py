"""What administrators see of costs: figures by day, person, group, repository, model, purpose and topic (P11, C10)."""

from __future__ import annotations

import calendar
import datetime
from collections import defaultdict
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import Group
from django.utils import timezone

from kb_agent.accounts import roles
from kb_agent.accounts.models import User
from kb_agent.usecases import refusals
from kb_agent.usecases.access import Access
from kb_agent.usecases.people import person as shown_person
from topics import ledger, purposes
from topics.ledger import figures as ledger_figures
from topics.ledger import ranking, rolling
from topics.ledger.figures import Figures
from topics.ledger.folding import COUNTS, day_of
from topics.ledger.reading import COMPANY, Asked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST_DAYS = 800
YEARS = range(1900, 3000)
"""A day of another year is a slip; the calendar's first and last have none before or after them."""
MOST_TOPICS = 10
LOST_AFTER = datetime.timedelta(hours=1)
_FORECAST_DAYS = 14
ONLY_ADMINISTRATORS = "Only an administrator may see what everybody costs."


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What the address of the page says; days in ISO form, ids as numbers; 0 as person: the company."""

    first: datetime.date | None = None
    last: datetime.date | None = None
    days: int | None = None
    currency: str = ""
    person: int | None = None
    group: int | None = None
    repository: int | None = None
    model: str = ""
    purpose: str = ""


def show(user: User, wanted: Wanted) -> dict[str, Any]:
    """The dashboard. Raises `refusals.Forbidden`, `refusals.Invalid`."""
    administers(user)
    rolling.catch_up()
    asked = _asked(wanted)
    found, before = ledger_figures.split(asked), ledger_figures.total(asked.before())
    currency = wanted.currency or _main_currency(found.total, before)
    return {
        "first": asked.first,
        "last": asked.last,
        "before": {"first": asked.before().first, "last": asked.before().last},
        "time_zone": settings.COST_TIME_ZONE,
        "currency": currency,
        "currencies": sorted({currency, *found.total.money} - {""}),
        "total": figures(found.total),
        "previous": figures(before),
        "days": [
            {"day": day, "purpose": purpose, **figures(each)}
            for (day, purpose), each in sorted(found.days.items())
        ],
        "people": _people(found.people, currency),
        "groups": _groups(found.people, currency),
        "repositories": _repositories(user, asked, currency),
        "models": [
            {"model": model, **figures(each)} for model, each in _ranked(found.models, currency)
        ],
        "purposes": [
            {"purpose": purpose, **purposes.words(purpose)._asdict(), **figures(each)}
            for purpose, each in _ranked(found.purposes, currency)
        ],
        "topics": _topics(user, asked, currency),
        "unpriced": [
            {"model": model, **figures(each)}
            for model, each in sorted(ledger_figures.unpriced(asked).items())
        ],
        "lost": ledger_figures.lost(before=timezone.now() - LOST_AFTER),
        "forecast": _forecast(asked),
    }


def rows(user: User, wanted: Wanted) -> Iterator[list[Any]]:
    """The same period as lines of a table: a day, payer, model, purpose and currency each."""
    administers(user)
    rolling.catch_up()
    return _lines(_asked(wanted))


HEADINGS = ["day", "person", "model", "purpose", "currency", "amount", *ledger_figures.NAMES[:-1]]


def _lines(asked: Asked) -> Iterator[list[Any]]:
    yield HEADINGS
    names = {pk: _inert(name) for pk, name in User.objects.values_list("pk", "username")}
    for day, payer, model, purpose, currency, *counts, amount in ledger_figures.by_day(asked):
        yield [
            day.isoformat(),
            names.get(payer, ""),
            _inert(model),
            _inert(purpose),
            currency,
            ledger.written(amount) if currency else "",
            *counts,
        ]


def _inert(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text


def administers(user: User) -> None:
    """Raises `refusals.Forbidden` for anybody else."""
    if not roles.has(user, "administrator"):
        raise refusals.Forbidden(ONLY_ADMINISTRATORS)


def figures(found: Figures) -> dict[str, Any]:
    """What every part of the dashboard says of its calls."""
    prompt = found.counts["input"] + found.counts["cached"]
    return {
        "money": [
            {"amount": ledger.written(amount), "currency": currency}
            for currency, amount in sorted(found.money.items())
        ],
        "tokens": {name: found.counts[name] for name in COUNTS},
        "unknown_calls": found.counts["unpriced"],
        "calls": found.counts["calls"],
        "turns": found.counts["turns"],
        "failed": found.counts["failed"],
        "retries": found.counts["retries"],
        "cached_share": round(found.counts["cached"] / prompt, 4) if prompt else None,
    }


def _asked(wanted: Wanted) -> Asked:
    """The period, this month when none is said. Raises `refusals.Invalid`."""
    today = day_of(timezone.now())
    last = wanted.last or today
    if not all(day is None or day.year in YEARS for day in (wanted.first, last)):
        raise refusals.Invalid("Costs have days of this age only.", code="bad_period")
    since = last - datetime.timedelta(days=(wanted.days or 1) - 1)
    first = wanted.first or (since if wanted.days else last.replace(day=1))
    if not 0 <= (last - first).days < MOST_DAYS:
        raise refusals.Invalid(f"A period has 1 to {MOST_DAYS} days.", code="bad_period")
    return Asked(
        first=first,
        last=last,
        person=wanted.person,
        members=_members(wanted.group),
        repository=wanted.repository,
        model=wanted.model,
        purpose=wanted.purpose,
    )


def _members(group_id: int | None) -> tuple[int, ...] | None:
    if group_id is None:
        return None
    return tuple(User.objects.filter(groups=group_id).values_list("pk", flat=True))


def _main_currency(*found: Figures) -> str:
    """The currency with the most money, since one plot has one; empty when nothing has a price."""
    for each in found:
        if each.money:
            return max(sorted(each.money), key=lambda currency: each.money[currency])
    return ""


def _ranked(found: Mapping[Any, Figures], currency: str) -> list[tuple[Any, Figures]]:
    """What cost most first, then what used most tokens, then by key: the same order at every look."""

    def weight(each: tuple[Any, Figures]) -> tuple[Decimal, int]:
        return -each[1].money.get(currency, Decimal(0)), -each[1].tokens

    return sorted(sorted(found.items()), key=weight)


def _people(found: Mapping[int, Figures], currency: str) -> list[dict[str, Any]]:
    known = User.objects.in_bulk([pk for pk in found if pk != COMPANY])
    return [
        {"person": asdict(shown_person(known[pk])) if pk in known else None, **figures(each)}
        for pk, each in _ranked(found, currency)
    ]


def _groups(found: Mapping[int, Figures], currency: str) -> list[dict[str, Any]]:
    """By the members of today; who is in two groups counts in both, so these are never added up."""
    joined: dict[int, Figures] = defaultdict(Figures)
    members = User.groups.through.objects.filter(user_id__in=list(found))
    for user_id, group_id in members.values_list("user_id", "group_id"):
        joined[group_id].join(found[user_id])
    names = dict(Group.objects.filter(pk__in=joined).values_list("pk", "name"))
    return [
        {"group": {"id": pk, "name": names[pk]}, **figures(each)}
        for pk, each in _ranked(joined, currency)
    ]


def _repositories(user: User, asked: Asked, currency: str) -> list[dict[str, Any]]:
    """With each in view; a name only of those this person may read (C10)."""
    found = ledger_figures.repositories(asked)
    names = dict(Access(user).repositories().values_list("pk", "name"))
    return [
        {"repository": {"id": pk, "name": names.get(pk)}, **figures(each)}
        for pk, each in _ranked(found, currency)
    ]


def _topics(user: User, asked: Asked, currency: str) -> list[dict[str, Any]]:
    """The most expensive; one this person may not read shows its id, not its title (C10)."""
    found = ranking.topics(asked, currency=currency, most=MOST_TOPICS)
    access = Access(user)
    known = access.known_topics().filter(pk__in=found)
    titles = {topic.pk: topic.title for topic in known if access.shows_prose(topic.sources)}
    return [{"topic": pk, "title": titles.get(pk), **figures(each)} for pk, each in found.items()]


def _forecast(asked: Asked) -> dict[str, Any]:
    """Where this month ends at the pace of the last two weeks; under the same filters, money by currency."""
    today = day_of(timezone.now())
    length = calendar.monthrange(today.year, today.month)[1]
    so_far = ledger_figures.total(_over(asked, today.replace(day=1), today))
    pace = ledger_figures.total(
        _over(asked, today - datetime.timedelta(days=_FORECAST_DAYS), today - _DAY)
    )
    expected = {
        currency: so_far.money.get(currency, Decimal(0))
        + pace.money.get(currency, Decimal(0)) / _FORECAST_DAYS * (length - today.day)
        for currency in {*so_far.money, *pace.money}
    }
    return {
        "month": today.replace(day=1),
        "money": [
            {"amount": f"{amount:.6f}", "currency": currency}
            for currency, amount in sorted(expected.items())
        ],
    }


_DAY = datetime.timedelta(days=1)


def _over(asked: Asked, first: datetime.date, last: datetime.date) -> Asked:
    return Asked(**(vars(asked) | {"first": first, "last": last}))
