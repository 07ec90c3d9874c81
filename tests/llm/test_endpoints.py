"""Endpoints: kept with sealed keys, used in order, never needed (A2, A3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from kb_agent.llm import endpoints, keys
from kb_agent.llm.models import Endpoint

if TYPE_CHECKING:
    from pytest_django import Settings

pytestmark = pytest.mark.django_db


def test_A2_a_key_is_stored_encrypted_and_opens_with_the_same_secret_only() -> None:
    endpoints.add("main", base_url="https://llm.example.com/v1/", model="m", key="sk-plain-text")
    row = Endpoint.objects.get()
    assert "sk-plain-text" not in row.key_encrypted
    assert row.key == "sk-plain-text"
    assert row.base_url == "https://llm.example.com/v1"
    with override_settings(SECRET_KEY="another"), pytest.raises(keys.SealBroken):  # noqa: S106
        _ = row.key


def test_A3_with_no_endpoint_the_evidence_model_answers(settings: Settings) -> None:
    settings.LLM_BASE_URL = ""
    (only,) = endpoints.chosen()
    assert only.by_rule


def test_A2_rows_come_in_their_order_and_before_the_environment(settings: Settings) -> None:
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://localhost:1/v1", "local"
    assert [endpoint.name for endpoint in endpoints.chosen()] == ["environment"]
    endpoints.add("b", base_url="http://b/v1", model="m", terms=endpoints.Terms(position=2))
    endpoints.add("a", base_url="http://a/v1", model="m", terms=endpoints.Terms(position=1))
    assert [endpoint.name for endpoint in endpoints.chosen()] == ["a", "b"]


def test_A3_a_model_that_is_taken_out_again_answers_no_longer_and_leaves_no_key(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.LLM_BASE_URL = ""
    endpoints.add("main", base_url="https://main/v1", model="m", key="sk-plain-text")
    call_command("remove_endpoint", "main")
    assert capsys.readouterr().out == "main is used no longer. Questions go to: evidence.\n"
    assert [endpoint.by_rule for endpoint in endpoints.chosen()] == [True]
    assert Endpoint.objects.get(name="main").key_encrypted == ""
    with pytest.raises(CommandError, match="in use: none"):
        call_command("remove_endpoint", "main")
    endpoints.add("main", base_url="https://main/v1", model="m")
    assert [endpoint.name for endpoint in endpoints.chosen()] == ["main"]


@pytest.mark.parametrize(
    "address", ["", "ftp://x/v1", "localhost:8000", "https://user:pass@host/v1", "https://"]
)
def test_an_address_that_cannot_be_one_is_refused(address: str) -> None:
    with pytest.raises(endpoints.BadEndpoint):
        endpoints.add("x", base_url=address, model="m")


def test_a_key_goes_with_its_address_only() -> None:
    endpoints.add("x", base_url="http://one/v1", model="m", key="sk-one")
    assert endpoints.add("x", base_url="http://one/v1", model="n").key == "sk-one"
    assert endpoints.add("x", base_url="http://two/v1", model="n").key == ""


def test_the_command_takes_the_key_from_the_environment_and_never_prints_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-from-env")
    call_command(
        "add_endpoint", "main", "https://llm.example.com/v1", "m", key_env="MY_KEY", window=32000
    )
    row = Endpoint.objects.get(name="main")
    assert (row.key, row.window) == ("sk-from-env", 32000)
    assert "sk-from-env" not in capsys.readouterr().out
