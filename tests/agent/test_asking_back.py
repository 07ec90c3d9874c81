"""Two systems that fit equally well: the built-in model asks which is meant, and goes on with the answer (A3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kb_agent.repositories.models import Repository
from tests.agent import shops
from tests.agent.conftest import MANUAL, RETRY
from tests.agent.stories import answer_of, story

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import Group

    from tests.agent.conftest import Ask, Run

FILES = {"payments/retry.py": RETRY, "payments/manual.py": MANUAL}
QUESTION = "退款失败后会自动重试吗？"


@pytest.fixture
def twins(staff: Group, tmp_path: Path) -> None:
    """A web shop and a box office that treat refunds alike."""
    for name, about in (("webshop", "网店"), ("boxoffice", "票务系统")):
        shops.indexed(name, FILES, group=staff, place=tmp_path / name)
        Repository.objects.filter(name=name).update(description_zh=about)


@pytest.mark.usefixtures("twins")
def test_A3_asked_back_and_answered_the_question_goes_on_in_the_chosen_system(
    ask: Ask, run: Run
) -> None:
    asked = answer_of(run(ask(QUESTION)))
    content = asked.payload["content"]
    assert content.startswith("**有两个系统同样说得通：")
    assert "**webshop**（网店）" in content
    assert "**boxoffice**（票务系统）" in content
    assert asked.meta["routing"]["tied"] is True
    assert "found" not in asked.meta
    turn = run(ask("票务的"))
    answer = answer_of(turn)
    assert {one["repository"] for one in answer.meta["citations"]} == {"boxoffice"}
    assert (
        "boxoffice 的代码里写着：「退款失败后自动重试，最多 MAX_ATTEMPTS 次。」"
        in answer.payload["content"]
    )
    assert f'search_code {{"queries": ["{QUESTION}"], "repository": "boxoffice"}}' in story(
        turn.tape_id
    )


@pytest.mark.usefixtures("twins")
def test_A3_who_names_the_system_is_not_asked_back(ask: Ask, run: Run) -> None:
    answer = answer_of(run(ask(f"webshop 里{QUESTION}")))
    assert "问的是哪一个" not in answer.payload["content"]
