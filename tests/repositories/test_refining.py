"""C5: the first files of a search are ranked anew among those of their repository, by finer signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kb_agent.repositories import measuring, search
from kb_agent.repositories.search import naming_systems
from kb_agent.repositories.vocabulary.questions import Concept
from tests.repositories.code import Code, indexed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kb_agent.repositories.search import Hit

WITHOUT = measuring.Signals(frozenset({"refining"}))
# One place that meets the whole question.
RULE = """
def voucher_expires(voucher, season):
    if voucher.season == season and voucher.shipped:
        raise ValueError("the voucher of this season was shipped")
    return False
"""
# Two of its words here, two there, and often.
LONG = "".join(
    f"\ndef {one}_{other}_{n}(x):\n    # {one} {other} {one} {other}\n    return {one}(x, {other}={other})\n"
    for n in range(3)
    for one, other in (("voucher", "season"), ("season", "shipped"), ("shipped", "voucher"))
)
OTHERS: dict[str, str | bytes | None] = {
    f"m{n}.py": f"def thing_{n}(x):\n    return x\n" for n in range(40)
}
QUESTION = "When is a voucher of the season shipped and expires?"


def concepts(*words: str) -> list[Concept]:
    """Concepts of these words, each standing for itself."""
    return [Concept(word, ((word, 1.0),)) for word in words]


def files(hits: Sequence[Hit]) -> list[str]:
    """The files found, best first."""
    return list(dict.fromkeys(hit.path for hit in hits))


def ranks(hits: Sequence[Hit]) -> list[tuple[int, float]]:
    """The repository and score of each file, best first."""
    best: dict[str, tuple[int, float]] = {}
    for hit in hits:
        best.setdefault(hit.path, (hit.repository_id, hit.score))
    return list(best.values())


def test_C5_words_that_only_name_the_system_are_told_from_what_is_asked() -> None:
    said = concepts(
        "lightning", "wallet", "service", "add", "refused", "erp", "network", "inventory"
    )
    question = "A user of our Lightning wallet service opens an add-on and is refused."
    assert naming_systems.words(question, said) == {"lightning", "wallet", "service"}
    assert naming_systems.words("In the ERP the network is refused", said) == {"erp"}
    assert naming_systems.words("Which service is refused, and what does it add?", said) == set()
    assert naming_systems.words("What the user may add to each service", said) == set()
    chinese = concepts("记账", "系统", "分录", "科目")
    assert naming_systems.words("記賬系統里，分錄能用哪些科目？", chinese) == {"记账", "系统"}
    assert naming_systems.words("记账系统里，分录能用哪些科目？", chinese) == {"记账", "系统"}
    assert naming_systems.words("分录能用哪些科目？", chinese) == set()


@pytest.mark.django_db
def test_C5_a_place_that_meets_the_whole_question_goes_before_words_scattered_over_a_file(
    code: Code,
) -> None:
    code.commit({"lists.py": LONG, "rules.py": RULE, **OTHERS})
    readable = [indexed(code).pk]
    plain = search.search(QUESTION, readable=readable, signals=WITHOUT).hits
    assert files(plain) == ["lists.py", "rules.py"]
    assert files(search.search(QUESTION, readable=readable).hits) == ["rules.py", "lists.py"]


@pytest.mark.django_db
def test_C6_where_a_question_lands_and_how_sure_that_is_stays_when_files_are_ranked_anew(
    code: Code, tmp_path: Path
) -> None:
    code.commit({"lists.py": LONG, "rules.py": RULE, **OTHERS})
    other = Code(tmp_path / "other")
    other.commit({"seasons.py": LONG, "shipped.py": RULE.replace("voucher", "parcel"), **OTHERS})
    readable = [indexed(code).pk, indexed(other, "other").pk]
    plain = search.search(QUESTION, readable=readable, signals=WITHOUT)
    anew = search.search(QUESTION, readable=readable)
    assert files(plain.hits) != files(anew.hits)
    assert ranks(plain.hits) == ranks(anew.hits)
    assert plain.routing
    assert anew.routing
    assert plain.routing.repository_id == anew.routing.repository_id
    assert (plain.routing.certainty, plain.found) == (anew.routing.certainty, anew.found)
