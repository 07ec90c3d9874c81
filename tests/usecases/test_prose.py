"""C7: `answers: company` opens prose, never code, places, words or routing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.repositories.models import Repository
from kb_agent.usecases import entries as entry_cases
from kb_agent.usecases import (
    evidence,
    people,
    prose,
    refusals,
    repositories,
    topic_list,
    topics,
)
from kb_agent.usecases.access import Access
from tapes import entries, store
from tests.api import company
from topics import finding

if TYPE_CHECKING:
    from tests.api.company import Company

SAID = (
    "Yes, **up to three times**. [e1]\n\n```python\nMAX_RETRIES = 3\n```\n\n"
    "    gateway.refund(refund)\n\n- It waits an hour\n    in between [e2]\n> ~~~\n> secret()\n> ~~~\nThen a person.\n"
)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            SAID,
            "Yes, **up to three times**.\n\n[…]\n\n[…]\n\n- It waits an hour\n    in between\n[…]\nThen a person.",
        ),
        ("```\nnever closed\nx = 1", "[…]"),
        ("````\n```\nx\n```\ny\n````\nz", "[…]\nz"),
        ("\tx = 1\n\ty = 2\nwords `x`", "[…]\nwords `x`"),
        ("1. ```sh\n   rm -r x\n   ```\nwords", "[…]\nwords"),
        ("", ""),
    ],
)
def test_C7_an_answers_prose_holds_none_of_the_code_it_quotes(answer: str, words: str) -> None:
    assert prose.of(answer) == words


# What a person is shown of a topic of their own: by grant, then by whom the repository answers.
SHOWN = {
    # (reads the code, answers): title, answer in lists, code in the answer, citations, tool results, evidence, repository
    (True, "readers"): (True, True, True, True, True, True, True),
    (True, "company"): (True, True, True, True, True, True, True),
    (False, "readers"): (False, False, False, False, False, False, False),
    (False, "company"): (True, True, False, False, False, False, False),
}


@pytest.fixture
def told(db: None) -> Company:
    """The company, where an answer quotes code and a title rests on it."""
    small = company.founded()
    sources = [small.shop.pk]
    turn = company.answered(small.topic, "And how?", SAID, sources=sources)
    result = {"id": "c", "name": "read_lines", "content": "28 MAX_RETRIES = 3"}
    context: dict[str, Any] = {"topic_id": small.topic.pk, "turn_id": turn.pk, "actor": "agent"}
    store.append(small.topic.tape_id, [entries.tool_result([result], sources=sources, **context)])
    type(small.topic).objects.filter(pk=small.topic.pk).update(
        sources=sources, title="Refund retries", summary="Three times."
    )
    return small


@pytest.mark.parametrize(("reads", "answers"), SHOWN)
def test_C7_answers_company_opens_prose_and_nothing_else(
    told: Company, *, reads: bool, answers: str
) -> None:
    if not reads:
        told.owner.groups.clear()
    Repository.objects.update(answers=answers)
    title, listed, code, cited, results, places, repository = SHOWN[reads, answers]
    owner = told.owner
    (topic,) = topic_list.page(owner).results
    assert (topic.title == "Refund retries") is title
    assert (topic.answer is not None and not topic.answer.withheld) is listed
    finding.refresh_stale()
    found = topic_list.page(owner, topic_list.Wanted(q="three times"))
    assert bool(found.results) is title
    entries_ = entry_cases.of_topic(owner, told.topic.pk).results
    said = [each for each in entries_ if each.kind == "message" and each.actor == "agent"]
    text = str([each.payload for each in said])
    assert ("Then a person" in text) is listed
    assert ("MAX_RETRIES" in text) is code
    assert ("gateway.refund" in text) is code
    assert any(each.meta.get("citations") for each in said) is cited
    found = [each for each in entries_ if each.kind == "tool_result"]
    assert any(each.payload for each in found) is results
    assert bool(evidence.states(owner, [told.evidence.pk])) is places
    assert bool(repositories.page(owner).results) is repository
    assert bool(people.me(owner).repositories) is repository


@pytest.mark.parametrize("who", ["stranger", "administrator", "auditor"])
def test_C7_prose_for_the_company_shows_no_topic_that_is_not_ones_to_see(
    told: Company, who: str
) -> None:
    Repository.objects.update(answers="company")
    person = told.people()[who]
    assert person is not None
    seen = Access(person).topics().filter(pk=told.topic.pk).exists()
    assert seen is (who == "auditor")
    if not seen:
        with pytest.raises(refusals.NotFound):
            topics.show(person, told.topic.pk)


def test_C7_a_deactivated_person_is_no_part_of_the_company(told: Company) -> None:
    Repository.objects.update(answers="company")
    told.owner.is_active = False
    assert Access(told.owner).prose_readable == frozenset()
