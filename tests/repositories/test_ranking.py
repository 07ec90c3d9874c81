"""C5: what the ranking is made of: fields, labels, other words of translators, places joined, one reading a moment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from kb_agent.repositories import measuring, search, terms
from kb_agent.repositories.indexing import corpus
from kb_agent.repositories.models import Scope
from kb_agent.repositories.structure import lexing, naming
from kb_agent.repositories.vocabulary import translating
from tests.repositories.code import REFUND, Code, index, indexed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kb_agent.repositories.models import Repository

COMMENTED = {
    "python": 'def f(x):\n    """Explains."""\n    # why\n    return "shown text"\n',
    "java": '/** Explains. */\nint f() {\n  // why\n  return "shown text";\n}\n',
    "php": '<?php\n# why\n/* Explains. */\nreturn "shown text";\n',
    "sql": "-- why\n/* Explains. */\nSELECT 'shown text';\n",
}
PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def found(repository: Repository, words: str) -> list[str]:
    """Paths that a search finds."""
    return [hit.path for hit in search.search(words, readable=[repository.pk]).hits]


@pytest.mark.parametrize("language", COMMENTED)
def test_C4_comments_texts_and_names_are_told_apart(language: str) -> None:
    lexed = lexing.lex(COMMENTED[language], language, terms.keywords())
    assert {"why", "Explains."} <= {comment.strip() for comment in lexed.comments}
    assert lexed.texts == ["shown text"]
    assert "return" not in lexed.names
    assert lexed.decisions == (0 if language == "sql" else 1)


def test_C4_names_set_between_definitions_and_the_keys_of_a_long_table_are_read() -> None:
    assert naming.set_here(["LIMIT = 3", "export const RATE = 2", "f()"]) == "LIMIT RATE"
    table = ["DEFAULTS = {", "    'reservation_time': {", "        'type': int,", "    },"]
    assert naming.set_here(table) == "DEFAULTS reservation_time"


def test_C5_words_of_one_family_and_irregular_forms_meet() -> None:
    assert terms.stem("sold") == terms.stem("sells")
    assert terms.family("payment") == terms.family("pay") or terms.root("payment") == "pay"
    assert terms.neighbours(["gift", "card", "code"]) == ["gift card", "card code"]


@pytest.mark.django_db
def test_C5_a_message_that_code_names_by_its_key_speaks_for_that_code(code: Code) -> None:
    code.commit(
        {
            "a.py": "def f(order):\n    raise UserError('msg_blorp')\n",
            "b.py": "def g(order):\n    raise UserError('msg_other')\n",
            "locales/en.json": '{"msg_blorp": "The voucher was redeemed already"}',
            "locales/zh.json": '{"msg_blorp": "兑换券已使用"}',
        }
    )
    repository = indexed(code)
    assert found(repository, "voucher redeemed")[0] == "a.py"
    assert found(repository, "兑换券")[0] == "a.py"
    code.commit({"locales/en.json": '{"msg_other": "The voucher was redeemed already"}'})
    index(repository)
    assert found(repository, "voucher redeemed")[0] == "b.py"


@pytest.mark.django_db
def test_C5_words_that_translators_render_alike_stand_for_one_another(
    code: Code, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = [("Empty basket", "Warenkorb leeren"), ("Empty cart", "Warenkorb leeren")]
    both += [("Basket", "Warenkorb"), ("Cart", "Warenkorb"), ("My cart", "Mein Warenkorb")]
    catalogue = PO + "\n".join(f'msgid "{en}"\nmsgstr "{de}"\n' for en, de in both)
    shop = "def empty_cart(items):\n    return items\n"
    others = {f"m{n}.py": f"def rule_{n}(x):\n    return x\n" for n in range(80)}
    code.commit({"shop.py": shop, "locale/de/LC_MESSAGES/django.po": catalogue, **others})
    repository = indexed(code)
    stems = translating.paraphrases(["basket"], [repository.pk])
    assert [other for other, _ in stems["basket"]] == ["cart"]
    hit = search.search("basket", readable=[repository.pk]).hits[0]
    assert hit.path == "shop.py"
    assert [(match.kind, match.query, match.code) for match in hit.why] == [
        ("vocabulary", "basket", "cart")
    ]
    assert translating.paraphrases(["basket"], []) == {}


@pytest.mark.django_db
def test_C6_places_of_a_file_that_lie_close_together_are_one(code: Code) -> None:
    code.commit({"a.py": REFUND + "\n\ndef cancel_refund(refund):\n    return refund.cancel()\n"})
    hits = search.search("refund", readable=[indexed(code).pk]).hits
    assert [(hit.start_line, hit.end_line) for hit in hits] == [(1, 13)]
    assert len(hits[0].excerpt.split("\n")) == 13


@pytest.mark.django_db
def test_C3_what_a_process_remembers_of_an_index_is_never_an_old_edition(code: Code) -> None:
    code.commit({"a.py": REFUND})
    repository = indexed(code)
    assert found(repository, "retry refund") == ["a.py"]
    edition = Scope.objects.get().edition
    code.commit({"b.py": "def retry_refund_twice(refund):\n    return refund\n"})
    index(repository)
    assert Scope.objects.get().edition != edition
    assert set(found(repository, "retry refund")) == {"a.py", "b.py"}


@pytest.mark.django_db
def test_C6_a_place_tells_every_word_it_met_in_whatever_order_the_index_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readable = []
    for name in ("shop", "box", "till"):
        code = Code(tmp_path / name)
        code.commit({"a.py": REFUND, "b.py": "def cancel_refund(refund):\n    return refund\n"})
        readable.append(indexed(code, name).pk)
    read = corpus._rows
    told = []
    for order in (sorted, lambda rows: sorted(rows, reverse=True)):
        monkeypatch.setattr(
            corpus, "_rows", lambda parameters, order=order: _by_scope(order, read(parameters))
        )
        hits = search.search("retry a failed refund", readable=readable).hits
        told.append([(hit.repository_id, hit.path, hit.why, hit.score) for hit in hits])
    assert told[0] == told[1]
    assert len({str(why) for _, path, why, _ in told[0] if path == "a.py"}) == 1


def _by_scope(order: Callable[[Iterable[int]], Iterable[int]], rows: list[Any]) -> list[Any]:
    return [row for scope in order({row[0] for row in rows}) for row in rows if row[0] == scope]


@pytest.mark.django_db
@pytest.mark.parametrize("signal", measuring.SIGNALS)
def test_C9_each_signal_can_be_left_out_to_measure_it(signal: str, code: Code) -> None:
    code.commit({"a.py": REFUND})
    without = measuring.Signals(frozenset({signal}))
    hits = search.search("refund retry", readable=[indexed(code).pk], signals=without).hits
    assert hits[0].path == "a.py"


@pytest.mark.django_db
def test_C9_a_file_of_questions_gives_the_same_places_whatever_else_its_lines_hold(
    code: Code, tmp_path: Path
) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    full = {
        "id": "q1",
        "question": "failed refund",
        "lang": "en",
        "repo": "shop",
        "gold": [{"repo": "shop", "path": "refund.py"}],
        "answer": "three times",
    }
    asked, out = tmp_path / "asked.jsonl", tmp_path / "out.jsonl"
    results = []
    for row in (full, {name: full[name] for name in ("id", "question")}):
        asked.write_text(json.dumps(row) + "\n\n")
        call_command("search_code", questions=str(asked), out=str(out))
        results.append(json.loads(out.read_text()))
    assert results[0] == results[1]
    assert results[0]["id"] == "q1"
    place = {"repo": repository.name, "path": "refund.py", "start_line": 1, "end_line": 9}
    assert results[0]["results"] == [place]
    with pytest.raises(CommandError, match="go together"):
        call_command("search_code", questions=str(asked))
