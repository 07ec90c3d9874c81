"""T13: search over all tapes a person may see, and from the command line; C7: nothing else is matched."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kb_agent import tasks
from kb_agent.accounts.models import Audit
from kb_agent.repositories.models import Grant
from kb_agent.usecases import tape_search, tapes
from tapes import entries, store
from tapes.search import index as search_index
from tests.api import company
from topics import sharing
from topics.sharing import Opening

if TYPE_CHECKING:
    from collections.abc import Callable

    from kb_agent.accounts.models import User
    from tests.api.company import Company


@pytest.fixture
def small(db: None) -> Company:
    """A company whose owner has asked one question."""
    return company.founded()


def found(person: User, query: str) -> list[tuple[int, str]]:
    return [(hit.tape, hit.tier) for hit in tape_search.find(person, query).results]


def test_T13_a_person_finds_words_on_all_their_tapes_exact_ones_first(small: Company) -> None:
    other = company.opened(small.owner)
    store.append(other.tape_id, [entries.message("user", "up to three tmes", topic_id=other.pk)])
    hits = tape_search.find(small.owner, "up to three times")
    assert [(hit.tape, hit.tier) for hit in hits.results] == [
        (small.topic.tape_id, "exact"),
        (other.tape_id, "fuzzy"),
    ]
    assert (hits.results[0].topic, hits.left) == (small.topic.pk, 0)
    assert hits.tapes == 2


def test_C7_other_peoples_tapes_and_unreadable_sources_are_not_matched(small: Company) -> None:
    assert found(small.owner, "three times")
    assert found(small.colleague, "three times") == []
    assert found(small.administrator, "three times") == []
    Grant.objects.all().delete()
    assert found(small.owner, "three times") == []
    assert found(small.owner, "thre tmes") == []


def test_C10_what_an_auditor_finds_on_others_tapes_is_an_audit_line(small: Company) -> None:
    assert found(small.auditor, "three times")
    (line,) = Audit.objects.filter(action="tapes_searched")
    assert (line.actor, line.details) == (small.auditor, {"tapes": [small.topic.tape_id]})
    found(small.owner, "three times")
    assert Audit.objects.filter(action="tapes_searched").count() == 1


def test_T13_tapes_that_there_was_no_time_for_are_counted(
    small: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    company.opened(small.owner)
    monkeypatch.setattr(tape_search, "SECONDS", -1.0)
    hits = tape_search.find(small.owner, "three times")
    assert (hits.results, hits.tapes, hits.left) == ([], 0, 2)


def test_T13_the_operator_searches_a_tape_by_name(small: Company) -> None:
    name = store.get(small.topic.tape_id).name
    out = StringIO()
    call_command("tape", "search", name, "THREE times", "--json", stdout=out)
    said = json.loads(out.getvalue())
    (hit,) = said["hits"]
    assert (hit["seq"], hit["tier"], hit["score"]) == (small.turn.answer_seq, "exact", 1.0)
    assert "up to three times" in hit["snippet"]
    plain = StringIO()
    call_command("tape", "search", name, "thre tmes", stdout=plain)
    assert plain.getvalue().startswith(f"{small.turn.answer_seq}\tfuzzy\t0.")
    nothing = StringIO()
    call_command("tape", "search", name, "xylophone", stdout=nothing)
    assert nothing.getvalue() == "nothing was found\n"


def test_T13_the_operator_reads_what_stands_around_a_hit(small: Company) -> None:
    name = store.get(small.topic.tape_id).name
    store.append(small.topic.tape_id, [entries.message("user", words) for words in "abwcd"])
    store.append(small.topic.tape_id, [entries.message("user", "wombat")])
    plain, as_json = StringIO(), StringIO()
    call_command("tape", "search", name, "wombat", "--around", "2", stdout=plain)
    hit, *beside = plain.getvalue().splitlines()
    seq = int(hit.split("\t")[0])
    assert beside == [
        f"    {seq - 2} message user: c",
        f"    {seq - 1} message user: d",
        f"    {seq} message user: wombat",
    ]
    call_command("tape", "search", name, "wombat", "--around", "1", "--json", stdout=as_json)
    (said,) = json.loads(as_json.getvalue())["hits"]
    assert [one["seq"] for one in said["around"]] == [seq - 1, seq]
    with pytest.raises(CommandError, match="0 or more"):
        call_command("tape", "search", name, "wombat", "--around", "-1")


def test_T13_upkeep_seals_tapes_that_have_grown(small: Company) -> None:
    tape_id = small.topic.tape_id
    store.append(tape_id, [entries.message("user", f"more {n}") for n in range(200)])
    assert search_index.due() == [tape_id]
    tasks.seal_tapes()
    assert search_index.due() == []
    assert found(small.owner, "three times") == [(tape_id, "exact")]


@pytest.mark.parametrize("look", [lambda person: tape_search.find(person, "three"), tapes.page])
def test_C7_rights_on_many_tapes_are_asked_for_at_once(
    small: Company, look: Callable[[User], object]
) -> None:
    def shared(number: int) -> int:
        for _ in range(number):
            topic = company.opened(small.owner)
            sharing.share(topic.pk, Opening(kind="company", actor="system"))
        with CaptureQueriesContext(connection) as asked:
            look(small.colleague)
        return sum('"topics_topic"' in each["sql"] for each in asked)

    assert shared(2) == shared(5)
