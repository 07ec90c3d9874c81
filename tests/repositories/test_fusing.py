"""Several wordings of one question are ranked each and fused; two repositories that fit alike are told."""

from __future__ import annotations

import pytest

from kb_agent.repositories import search
from kb_agent.repositories.mirror import registry
from kb_agent.repositories.search import fusing
from kb_agent.repositories.search.places import Place
from tests.repositories.code import REFUND, Code, index, indexed

CANCEL = '''"""Orders."""


def annul_order(order, person):
    """Only the seller may annul an order that was paid."""
    if order.paid and not person.sells:
        raise PermissionError
'''


def _place(file: int, start: int, score: float) -> Place:
    return Place(file * 100 + start, file, start, 1, 1, start, start + 9, score)


def test_one_ranking_stays_as_it_is() -> None:
    ranking = [_place(1, 1, 1.3), _place(2, 1, 0.4)]
    assert fusing.fused([ranking, []]) == ranking
    assert fusing.fused([]) == []


def test_what_every_wording_finds_stands_before_what_one_finds_first() -> None:
    one = [_place(1, 1, 1.0), _place(3, 1, 0.9)]
    other = [_place(2, 1, 1.0), _place(3, 5, 0.9)]
    found = fusing.fused([one, other])
    assert [place.file_id for place in found] == [3, 1, 2]
    assert found[0].score == 1.0


@pytest.mark.django_db
def test_C5_wordings_of_one_question_are_fused_and_each_says_why(code: Code) -> None:
    code.commit({"refund.py": REFUND, "orders.py": CANCEL})
    readable = [indexed(code).pk]
    wordings = ["谁能取消已付款的订单", "who may annul a paid order"]
    alone = [search.search(each, readable=readable) for each in wordings]
    found = search.search_all([*wordings, ""], readable=readable)
    assert found.found
    assert found.hits[0].path == "orders.py"
    assert {match.query for match in found.hits[0].why} >= {"annul"}
    assert set(found.tried) >= {word for each in alone for word in each.tried if "→" not in word}
    assert search.search_all(wordings[1:], readable=readable) == alone[1]


@pytest.mark.django_db
def test_C6_two_repositories_that_fit_alike_are_tied(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    first = indexed(code, "first")
    found = search.search("failed refund retry", readable=[first.pk])
    assert found.routing is not None
    assert not found.routing.tied
    second = registry.add("second", str(code.folder))
    index(second)
    routed = search.search("failed refund retry", readable=[first.pk, second.pk]).routing
    assert routed is not None
    assert routed.tied
    assert {routed.repository, routed.runner_up} == {"first", "second"}
