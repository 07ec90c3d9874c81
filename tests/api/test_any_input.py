"""Whatever is sent, nothing fails inside: the schema's own operations with made-up input."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import schemathesis
from django.contrib.sessions.models import Session
from django.core.cache import cache
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api.reader import cookie_of
from tests.api.test_schema import kept

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemathesis import Case

    from tests.api.company import Company
    from tests.flows.harness import WebServer

schema = schemathesis.openapi.from_dict(kept()).exclude(path="/api/stream")
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)


@pytest.fixture(scope="module")
def address(web_server: WebServer) -> str:
    """Where the API is."""
    return web_server.url


@pytest.fixture
def cookie(committed: Company) -> Callable[[], str]:
    """What the owner's browser sends; once something has signed them out, they have signed in again."""
    sent: list[str] = []

    def current() -> str:
        if not sent or not Session.objects.filter(pk=sent[0].partition("=")[2]).exists():
            sent[:] = [cookie_of(committed.owner)]
        return sent[0]

    return current


@schema.parametrize()
@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_no_input_makes_the_api_fail_or_answer_outside_its_schema(
    case: Case, cookie: Callable[[], str], address: str
) -> None:
    cache.clear()
    token = "t" * 32
    case.call_and_validate(
        base_url=address,
        checks=CHECKS,
        headers={
            "Cookie": f"{cookie()}; csrftoken={token}",
            "X-CSRFToken": token,
            "Referer": address,
        },
    )
