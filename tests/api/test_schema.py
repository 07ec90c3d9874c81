"""The schema is what the code says, the page documents every route, and answers fit their shapes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management import call_command

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


def kept() -> dict[str, Any]:
    """The schema as committed."""
    schema: dict[str, Any] = json.loads((DOCS / "openapi.json").read_text())
    return schema


def test_the_committed_schema_is_what_the_code_says_without_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "openapi.json"
    call_command(
        "spectacular", format="openapi-json", file=str(path), validate=True, fail_on_warn=True
    )
    assert json.loads(path.read_text()) == kept(), (
        "run: manage.py spectacular --format openapi-json --file docs/openapi.json"
    )


def test_every_route_has_its_heading_in_the_documentation() -> None:
    page = (DOCS / "api.md").read_text()
    headings = {line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")}
    routes = {
        f"{method.upper()} {path}"
        for path, methods in kept()["paths"].items()
        for method in methods
    }
    assert routes - headings == set()
    assert {each for each in headings if "/api/" in each} - routes == {"GET /api/schema"}
