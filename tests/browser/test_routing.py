"""Two systems that fit a question alike are both named, with how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Group
from playwright.sync_api import expect

from tests.agent import shops

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Visit
    from tests.flows.harness import Process

CANCEL = '''\
def cancel_booking(booking, now):
    """A booking may be cancelled until a day before it begins."""
    if booking.begins_at - now < DAY:
        raise TooLate(booking)
    booking.state = "cancelled"
'''


@pytest.fixture
def twins(committed_database: None, tmp_path: Path) -> None:
    """Two systems that both cancel bookings, in the same words."""
    group, _ = Group.objects.get_or_create(name="product")
    for name in ("hotels", "flights"):
        files = {"bookings/cancel.py": CANCEL, f"{name}/names.py": f'NAME = "{name}"\n'}
        shops.indexed(name, files, group=group, place=tmp_path / name)


def test_both_systems_are_shown_when_they_fit_alike(
    twins: None, worker: Process, visit: Visit
) -> None:
    visitor = visit("en")
    visitor.ask("Until when may a booking be cancelled?")
    visitor.read_answer()
    routing = visitor.page.locator(".routing")
    expect(routing).to_contain_text("fit about equally well")
    expect(routing).to_contain_text("hotels")
    expect(routing).to_contain_text("flights")
    expect(routing.locator(".certainty")).to_be_visible()
    visitor.keep_picture("both")
    assert visitor.complaints == []
