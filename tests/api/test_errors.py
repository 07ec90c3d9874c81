"""Every refusal under /api has the one shape, and every page its headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.test import Client

from kb_agent.api import errors
from tests.api.company import Company, browser

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings


@pytest.fixture(autouse=True)
def _fresh_limits() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("get", "/api/nowhere", None, 404, "not_found"),
        ("get", "/api/topics/", None, 404, "not_found"),
        ("get", "/api/topics/99999999999999999999999", None, 404, "not_found"),
        ("post", "/api/nowhere", "{}", 404, "not_found"),
        ("delete", "/api/topics", None, 405, "method_not_allowed"),
        ("post", "/api/questions", "{not json", 400, "unreadable"),
        ("post", "/api/questions", "[1]", 400, "invalid"),
        ("post", "/api/questions", "{}", 400, "invalid"),
        ("post", "/api/questions", '"\\ud800"', 400, "invalid"),
        ("get", "/api/topics?status=closed", None, 400, "invalid"),
        ("get", "/api/topics?cursor=made-up", None, 400, "bad_cursor"),
        ("get", "/api/topics?q=%00", None, 400, "invalid"),
        ("get", "/api/evidence?ids=1;2", None, 400, "invalid"),
        ("get", "/api/evidence", None, 400, "invalid"),
        ("get", "/api/questions/preview?topic=x", None, 400, "invalid"),
        ("patch", "/api/me", '{"language": "de"}', 400, "invalid"),
    ],
)
def test_what_cannot_be_answered_is_told_in_the_one_shape(
    small: Company, method: str, path: str, body: str | None, status: int, code: str
) -> None:
    client = browser(small.owner)
    response = client.generic(method.upper(), path, body or "", content_type="application/json")
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    assert set(response.json()["error"]) == {"code", "message", "details"}


def test_another_media_type_is_refused_in_the_one_shape(small: Company) -> None:
    response = browser(small.owner).post("/api/questions", {"text": "?"}, format="multipart")
    assert (response.status_code, response.json()["error"]["code"]) == (
        415,
        "unsupported_media_type",
    )


def test_the_fields_that_are_wrong_are_named(small: Company) -> None:
    response = browser(small.owner).post("/api/questions", {"topic": "x"}, format="json")
    problem = response.json()["error"]
    assert problem["message"].startswith(("text: ", "topic: "))
    assert set(problem["details"]["fields"]) == {"text", "topic"}


def test_what_nobody_foresaw_is_told_in_the_one_shape_without_its_inside(
    small: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr("kb_agent.usecases.people.me", broken)
    client = browser(small.owner)
    client.raise_request_exception = False
    response = client.get("/api/me")
    assert (response.status_code, response.json()["error"]["code"]) == (500, "failed")
    assert "inside" not in response.content.decode()
    assert response.json()["error"]["details"]["request"]


def test_too_many_questions_are_refused_with_the_time_to_wait(small: Company) -> None:
    client = browser(small.owner)
    for _ in range(60):
        client.post("/api/questions", {"text": ""}, format="json")
    response = client.post("/api/questions", {"text": ""}, format="json")
    problem = response.json()["error"]
    assert (response.status_code, problem["code"]) == (429, "too_many_requests")
    assert 0 < problem["details"]["wait_seconds"] <= 60


def test_one_signs_in_by_session_and_out_again(small: Company) -> None:
    client = browser(None)
    wrong = {"username": "mei", "password": "wrong"}
    assert _sign_in(client, wrong) == 400
    assert _sign_in(client, {"username": "mei", "password": "secret mei"}) == 200
    client.credentials(HTTP_X_CSRFTOKEN=client.cookies["csrftoken"].value)
    assert client.get("/api/session").json()["user"]["display_name"] == "Mei"
    assert client.delete("/_allauth/browser/v1/auth/session").status_code == 401
    assert client.get("/api/session").json() == {"authenticated": False, "user": None}


def test_guessing_passwords_is_slowed_down(small: Company) -> None:
    client = browser(None)
    for number in range(6):
        _sign_in(client, {"username": "mei", "password": f"guess {number}"})
    right = {"username": "mei", "password": "secret mei"}
    response = client.post("/_allauth/browser/v1/auth/login", right, format="json")
    assert response.json()["errors"][0]["code"] == "too_many_login_attempts"


def test_nobody_signs_themselves_up(small: Company) -> None:
    client = browser(None)
    response = client.post(
        "/_allauth/browser/v1/auth/signup",
        {"username": "new", "password": "long enough 42"},
        format="json",
    )
    assert response.status_code == 403


def _sign_in(client: Client, said: dict[str, str]) -> int:
    response = client.post("/_allauth/browser/v1/auth/login", said, format="json")
    return int(response.status_code)


@pytest.mark.parametrize("path", ["/", "/topics/12", "/api/health", "/api/nowhere", "/api/me"])
def test_every_answer_carries_the_security_headers(
    small: Company, settings: Settings, tmp_path: Path, path: str
) -> None:
    settings.FRONTEND_DIST = tmp_path
    (tmp_path / "index.html").write_text("<!doctype html><p>here</p>")
    response = Client().get(path)
    policy = response.headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["X-Frame-Options"] == "DENY"


def test_every_other_address_answers_the_page_and_is_asked_for_again(
    small: Company, settings: Settings, tmp_path: Path
) -> None:
    settings.FRONTEND_DIST = tmp_path
    assert Client().get("/topics").status_code == 503
    (tmp_path / "index.html").write_text("<!doctype html><p>here</p>")
    response = Client().get("/topics/12?lang=zh")
    assert response.getvalue() == b"<!doctype html><p>here</p>"
    assert response.headers["Cache-Control"] == "no-cache"
    assert Client().post("/topics").status_code in {403, 405}
    assert Client().get("/assets/of-another-build.js").status_code == 404


def test_nothing_under_api_is_kept_by_a_cache(small: Company) -> None:
    assert browser(small.owner).get("/api/me").headers["Cache-Control"] == "no-store"


def test_ready_says_what_answers(small: Company) -> None:
    assert browser(None).get("/api/ready").json() == {
        "ready": True,
        "database": True,
        "migrated": True,
        "live": True,
    }


def test_every_status_has_its_own_words() -> None:
    assert errors.of_status(418)["error"]["code"] == "invalid"
    assert errors.of_status(404)["error"]["code"] == "not_found"


def test_the_log_names_the_address_and_not_what_was_looked_for(
    small: Company, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    browser(small.owner).get("/api/topics", {"q": "salaries"})
    assert "GET /api/topics" in caplog.text
    assert "salaries" not in caplog.text
