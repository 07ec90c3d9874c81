"""C5, C6: a question in either language finds the code that decides, and the result says why."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from kb_agent.repositories import search, terms
from kb_agent.repositories.mirror import registry
from tests.repositories.code import REFUND, Code, index, indexed

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository

pytestmark = pytest.mark.django_db
DEMO = Path(settings.BASE_DIR) / "kb_agent" / "management" / "demo"
SHOP = {
    "退款失败后会自动重试吗？": "shop/payments/",
    "退款失敗後會自動重試嗎": "shop/payments/",
    "最多重试几次退款": "shop/payments/",
    "付了款的订单谁还能取消？": "shop/orders/cancellation.py",
    "两张优惠券可以叠加使用吗？": "shop/coupons/rules.py",
    "没付款的订单多久以后会过期": "shop/orders/",
    "什么时候包邮，偏远地区要加收运费吗": "shop/shipping/fees.py",
    "包裹丢了多久算丢失": "shop/shipping/delivery.py",
    "晚上会给客户发通知吗": "shop/notifications/",
    "大额退款谁来审批": "shop/payments/refunds.py",
    "积分最多能抵多少钱": "shop/members/points.py",
    "Is a failed refund retried automatically?": "shop/payments/",
    "Who may still cancel a paid order?": "shop/orders/cancellation.py",
    "Can two coupons be combined?": "shop/coupons/rules.py",
    "When is stock reordered?": "shop/stock/stock.py",
    "When do we ship for free?": "shop/shipping/fees.py",
}


@pytest.fixture
def shop() -> Repository:
    """The demo's shop."""
    repository = registry.add("shop", str(DEMO / "shop"))
    assert index(repository).status == "done"
    return repository


def test_C5_a_question_in_either_language_finds_the_file_that_decides_first(
    shop: Repository,
) -> None:
    firsts = {
        question: search.search(question, readable=[shop.pk]).hits[0].path for question in SHOP
    }
    wrong = {
        question: path for question, path in firsts.items() if not path.startswith(SHOP[question])
    }
    assert not wrong


def test_C5_the_code_stands_before_its_readme_and_its_tests(shop: Repository) -> None:
    for question in SHOP:
        first = search.search(question, readable=[shop.pk]).hits[0].path
        assert first.startswith("shop/"), question


def test_C6_a_hit_says_why_it_matched_where_and_shows_its_lines(shop: Repository) -> None:
    found = search.search("退款失败后会自动重试吗？", readable=[shop.pk])
    hit = found.hits[0]
    assert (hit.repository, hit.branch, hit.commit) == (
        "shop",
        "main",
        shop.branches.get().indexed_commit,
    )
    assert any((match.kind, match.query) == ("vocabulary", "退款") for match in hit.why)
    assert any(match.code == "refund" for match in hit.why)
    assert len(hit.excerpt.split("\n")) == hit.end_line - hit.start_line + 1
    assert any(tried.startswith("退款 → refund") for tried in found.tried)


def test_C6_routing_names_the_repository_and_how_sure_it_is(shop: Repository, code: Code) -> None:
    code.commit({"wiki.py": "def render_page(page):\n    return page.text\n"})
    other = indexed(code, "wiki")
    both = [shop.pk, other.pk]
    routed = search.search("退款失败后会自动重试吗？", readable=both).routing
    assert routed is not None
    assert (routed.repository, routed.certainty, routed.runner_up) == ("shop", "high", None)
    assert routed.reason
    copy = registry.add("copy", str(DEMO / "shop"))
    index(copy)
    routed = search.search("退款失败后会自动重试吗？", readable=[*both, copy.pk]).routing
    assert routed is not None
    assert (routed.certainty, {routed.repository, routed.runner_up}) == ("low", {"shop", "copy"})


def test_C6_what_staff_call_a_repository_speaks_for_it(code: Code) -> None:
    code.commit({"a.py": REFUND})
    first = indexed(code, "aaa")
    second = registry.add(
        "bbb",
        str(code.folder),
        about=registry.About(zh="网店的售后系统", en="After-sales of the web shop"),
    )
    index(second)
    readable = [first.pk, second.pk]
    assert (
        search.search("网店售后失败的退款怎么重试", readable=readable).hits[0].repository == "bbb"
    )
    assert search.search("after-sales refund retry", readable=readable).hits[0].repository == "bbb"


@pytest.mark.parametrize(
    "query", ["", "   ", "？？", "的吗呢", "% _ ' \" \\", "\x00", "zzzzqqqq", "a" * 10_000]
)
def test_a_query_that_says_nothing_finds_nothing_and_breaks_nothing(
    shop: Repository, query: str
) -> None:
    found = search.search(query, readable=[shop.pk])
    assert (found.hits, found.routing) == ([], None)


def test_a_name_from_the_code_is_found_by_its_whole_spelling(shop: Repository) -> None:
    for name in ("shipping_fee", "shippingFee", "REFUND_APPROVAL_ABOVE"):
        match = search.search(name, readable=[shop.pk]).hits[0].why[0]
        assert match.code.replace("_", "").lower() == name.replace("_", "").lower()


def test_a_named_branch_is_searched_where_there_is_one(code: Code) -> None:
    code.commit({"a.py": REFUND})
    code.git("switch", "--quiet", "--create", "next")
    code.commit({"next.py": "def retry_refund_later(refund):\n    return refund\n"})
    repository = registry.add("shop", str(code.folder), branches=["main", "next"])
    index(repository)

    def paths(branch: str) -> set[str]:
        return {
            hit.path
            for hit in search.search("retry refund", readable=[repository.pk], branch=branch).hits
        }

    assert (paths(""), paths("main"), paths("nowhere")) == ({"a.py"}, {"a.py"}, {"a.py"})
    assert paths("next") == {"a.py", "next.py"}


def test_C5_traditional_and_simplified_characters_meet() -> None:
    assert terms.count("退款失敗後重試") == terms.count("退款失败后重试")


def test_the_demo_asks_questions_that_its_repositories_answer(shop: Repository) -> None:
    samples = json.loads((DEMO / "samples.json").read_text("utf-8"))["repositories"]
    asked = [
        sample["text"] for each in samples if each["name"] == "shop" for sample in each["questions"]
    ]
    assert {sample["language"] for each in samples for sample in each["questions"]} == {"zh", "en"}
    for question in asked:
        assert search.search(question, readable=[shop.pk]).hits[0].path.startswith("shop/"), (
            question
        )


def test_many_threads_stem_as_one_does() -> None:
    words = [f"retr{ending}{n}" for n in range(50) for ending in ("ied", "ying", "ies", "iesed")]
    words += ["cancellations", "reservations", "customers", "refunded", "companies"] * 20
    alone = [terms.stem.__wrapped__(word) for word in words]
    with ThreadPoolExecutor(8) as threads:
        together = list(
            threads.map(lambda _: [terms.stem.__wrapped__(word) for word in words], range(24))
        )
    assert all(each == alone for each in together)
