"""The company that `bench_topics` measures: people, repositories, topics with questions and answers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import accumulate

from django.contrib.auth.models import Group

from kb_agent.accounts import roles
from kb_agent.accounts.models import User
from kb_agent.repositories.models import Grant, Repository
from tapes import entries, store
from topics import finding
from topics.models import Topic, Turn
from topics.models.ledger import TopicCost
from topics.models.shares import Share

PEOPLE, REPOSITORIES, AT_ONCE = 200, 40, 500
NOW = datetime(2026, 11, 30, tzinfo=UTC)
_chance = random.Random(5)  # noqa: S311 — repeatable, not secret
_CHINESE = (
    "退款 失败 重试 订单 取消 优惠券 叠加 发票 抬头 校验 支付 渠道 风控 审核 库存 扣减 物流 发货 延迟 通知"
    " 短信 限流 对账 差异 容忍 结算 账期 会员 等级 积分 过期 门店 营业 时间 同步 权限 角色 登录 密码 重置"
    " 报表 导出 分页 缓存 失效 队列 超时 幂等 锁 事务 回滚 日志 审计 配置 开关 灰度 发布 版本 接口 签名 回调"
)
_PARTS = ("ka", "re", "to", "mi", "sen", "der", "pol", "bu", "fi", "nal", "or", "ing", "cha", "ver")
_ENGLISH = (
    "refund order coupon invoice payment retry failed cancel stock delivery notify limit ledger"
    " settle member points store sync role login password report export cache queue timeout lock"
)
_WORDS = _ENGLISH.split() + [
    "".join(_chance.choices(_PARTS, k=_chance.randint(2, 4))) for _ in range(20_000)
]
_WEIGHTS = list(accumulate(1 / rank for rank in range(1, len(_WORDS) + 1)))
_BUSINESS = _CHINESE.split()
_CHINESE_WEIGHTS = list(accumulate(1 / rank**0.7 for rank in range(1, len(_BUSINESS) + 1)))


def company(size: int) -> tuple[User, User]:
    """Found it with so many topics; return a member who sees about half of them, and an auditor."""
    people = [User(username=f"p{number}") for number in range(PEOPLE)]
    User.objects.bulk_create(people)
    group = Group.objects.create(name="all")
    member, auditor = people[0], people[1]
    group.user_set.add(member, auditor)
    roles.grant(auditor, "auditor", by=None)
    repositories = [
        Repository(name=f"r{number}", source=f"/srv/r{number}", kind="git_local")
        for number in range(REPOSITORIES)
    ]
    Repository.objects.bulk_create(repositories)
    # Every tenth repository is one the member may not read.
    read = [each for number, each in enumerate(repositories) if number % 10]
    Grant.objects.bulk_create(Grant(repository=each, group=group) for each in read)
    for first in range(0, size, AT_ONCE):
        _topics(first, min(AT_ONCE, size - first), people, [each.pk for each in repositories])
    return member, auditor


def _topics(first: int, count: int, people: list[User], repositories: list[int]) -> None:
    tape = store.create(f"bench/{first}")
    made, turns, said, texts = [], [], [], []
    for number in range(first, first + count):
        owner = people[number % PEOPLE]
        sources = sorted(_chance.sample(repositories, k=_chance.choice((1, 1, 1, 2))))
        title, place = _title(number), 5 * (number - first) + 2
        at = NOW - timedelta(minutes=5 * number)
        made.append(
            Topic(
                tape=tape,
                owner=owner,
                title=title,
                status="finalized" if number % AT_ONCE else "open",
                reason="owner" if number % AT_ONCE else "",
                initial_seq=place,
                finalized_seq=place + 5 if number % AT_ONCE else None,
                started_at=at,
                finalized_at=at if number % AT_ONCE else None,
                last_activity_at=at,
            )
        )
        words = [_question(number), _answer(), _question(number), _answer()]
        said.append(entries.anchor("topic_initial", {"title": title}))
        for index, text in enumerate(words):
            role = "assistant" if index % 2 else "user"
            said.append(entries.message(role, text, sources=tuple(sources) if index % 2 else ()))
        texts.append([(title, frozenset[int]()), ("", frozenset[int]()), *_sourced(words, sources)])
        turns += [(place + 1, place + 2), (place + 3, place + 4)]
    store.append(tape.pk, said)
    Topic.objects.bulk_create(made)
    Turn.objects.bulk_create(
        Turn(
            topic=made[index // 2],
            tape=tape,
            asker=made[index // 2].owner,
            question_seq=asked,
            answer_seq=answered,
            status="done",
            idempotency_key=f"{first} {index}",
            ended_at=NOW,
        )
        for index, (asked, answered) in enumerate(turns)
    )
    _beside(first, made, texts)


def _sourced(words: list[str], sources: list[int]) -> Iterator[finding.Text]:
    for index, text in enumerate(words):
        yield text, frozenset(sources if index % 2 else ())


def _beside(first: int, made: list[Topic], texts: list[list[finding.Text]]) -> None:
    finding.write(
        [row for topic, of in zip(made, texts, strict=True) for row in finding.rows(topic, of)]
    )
    Share.objects.bulk_create(
        Share(topic=topic, kind="company", created_by=topic.owner)
        for number, topic in enumerate(made, first)
        if number % 2
    )
    TopicCost.objects.bulk_create(
        TopicCost(
            topic=topic,
            currency="CNY" if number % 9 else "",
            amount=Decimal(number % 500) / 100 if number % 9 else 0,
            unpriced=0 if number % 9 else 1,
            calls=4,
        )
        for number, topic in enumerate(made, first)
    )


def _title(number: int) -> str:
    return f"{''.join(_chance.choices(_BUSINESS, cum_weights=_CHINESE_WEIGHTS, k=3))} {_english(2)} {number}"


def _question(number: int) -> str:
    rare = (
        "谁能审批海关申报的加急单？ Who clears a zylophone shipment?"
        if number % 5_000 == 77
        else ""
    )
    chinese = "".join(_chance.choices(_BUSINESS, cum_weights=_CHINESE_WEIGHTS, k=6))
    return f"{chinese}会自动吗？{_english(8)}? {rare}"


def _answer() -> str:
    chinese = "，".join(
        "".join(_chance.choices(_BUSINESS, cum_weights=_CHINESE_WEIGHTS, k=4)) for _ in range(12)
    )
    return f"会的。{chinese}。`{_english(3).title().replace(' ', '')}` {_english(60)}."


def _english(count: int) -> str:
    return " ".join(_chance.choices(_WORDS, cum_weights=_WEIGHTS, k=count))
