"""C8: secrets planted in code reach no index, no tool's result, no page and no example, by whatever route lines are read."""

from __future__ import annotations

import re
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from django.apps import apps

from kb_agent.agent.desk import Desk
from kb_agent.agent.tools.read_lines import read_lines
from kb_agent.agent.tools.search_code import search_code
from kb_agent.repositories import evidence, mirror, search, secrets
from kb_agent.repositories.indexing import analysis, outline
from kb_agent.repositories.models import Blob, Evidence
from kb_agent.repositories.search import symbols
from kb_agent.repositories.vocabulary import explaining
from tests.repositories.code import Code, indexed
from tests.repositories.planted import BLOCK, EVERY, LINES, SECRETS

if TYPE_CHECKING:
    from django.test import Client

    from kb_agent.accounts.models import User

PAGE = "\n".join([*LINES, *BLOCK.split("\n")])
FILES: dict[str, str | bytes | None] = {
    "deploy/settings.py": "def connect():\n    return charge()\n\n\n" + PAGE + "\n",
    "deploy/app.yml": PAGE,
    "deploy/app.properties": PAGE,
    "deploy/Config.java": "class Config {\n" + PAGE + "\n}\n",
    "deploy/beans.xml": f"<beans>\n<bean id='db'>\n{PAGE}\n</bean>\n</beans>\n",
    "deploy/page.vue": f"<template>\n{PAGE}\n</template>\n<script>\n{PAGE}\n</script>\n",
    "deploy/seed.sql": "CREATE TABLE t (\n" + PAGE + "\n);\n",
    "docs/runbook.md": "# 部署\n\n" + PAGE,
    "i18n/messages_zh.properties": "\n".join(f"k{n}={line}" for n, line in enumerate(LINES)),
    "i18n/messages_en.properties": "k1=Order\n",
    "locale/zh/LC_MESSAGES/a.po": "\n\n".join(
        f'msgid "Order {n}"\nmsgstr "订单 {line}"'
        for n, line in enumerate(line.replace('"', "'") for line in LINES)
    ),
    "deploy/names.go": "\n".join(f"var Name{n} = 1 // 订单 {line}" for n, line in enumerate(LINES)),
}


def leaked(text: str) -> list[str]:
    """The planted secrets of which a telling part stands in `text`, in whatever case."""
    lowered = text.lower()
    runs = {secret: re.split(r"[^a-z0-9]+", secret.lower()) for secret in EVERY}
    return [
        secret
        for secret, parts in runs.items()
        if secret.lower() in lowered or any(len(p) >= 16 and p in lowered for p in parts)
    ]


def stored() -> str:
    """Everything the index's tables hold, packed things unpacked."""
    said: list[str] = []
    for model in apps.get_app_config("repositories").get_models():
        for row in model._default_manager.values_list():
            for value in row:
                raw = bytes(value) if isinstance(value, memoryview | bytes) else b""
                said.append(_plain(raw) if raw else str(value))
    for packed in Blob.objects.exclude(terms=b"").values_list("terms", flat=True):
        said += analysis.unpack(bytes(packed)).names
    return "\n".join(said)


def _plain(raw: bytes) -> str:
    with suppress(zlib.error):
        raw = zlib.decompress(raw)
    return raw.decode("utf-8", errors="replace")


@pytest.mark.parametrize("name", SECRETS)
def test_C8_a_secret_of_a_common_provider_is_masked_on_its_line(name: str) -> None:
    line, secret = SECRETS[name]
    masked = secrets.mask(line.replace("{}", secret))
    assert leaked(masked.text) == []
    assert masked.count >= 1


@pytest.mark.django_db
def test_C8_planted_secrets_reach_no_table_and_no_reader(
    code: Code, reader: User, client: Client
) -> None:
    commit = code.commit(FILES)
    repository = indexed(code)
    assert leaked(stored()) == []
    assert leaked(mirror.read(repository, commit, "docs/runbook.md").decode()) != []

    ids = frozenset({repository.pk})
    desk = Desk(tape_id=1, topic_id=7, turn_id=1, readable=ids, scope=ids)
    shown: list[str] = []
    for question in ("connect charge", "数据库密码", "deploy password", "redis cache", "订单"):
        found = search.search(question, readable=ids)
        shown += [hit.excerpt + str(hit.why) for hit in found.hits]
        shown.append(search_code(desk, queries=[question]).content)
    for path in FILES:
        told = read_lines(desk, repository="shop", path=path)
        shown += [told.content, str(told.data)]
        shown.append(str(outline.of(repository, commit, path)))
    shown += [str(evidence.open(row, context=500)) for row in Evidence.objects.all()]
    shown.append(str(symbols.find("connect", ids)))
    shown.append(str(symbols.find("password", ids)))
    shown += [str(explaining.why("订单", code_, ids)) for code_ in ("order", "name")]
    client.force_login(reader)
    for path in FILES:
        where: dict[str, str] = {"commit": commit, "path": path, "start": "1", "end": "0"}
        page = client.get(f"/api/repositories/{repository.pk}/lines", where)
        assert page.status_code == 200
        shown.append(page.content.decode("unicode_escape", errors="replace"))
        shown.append(page.content.decode())
    assert leaked("\n".join(shown)) == []
    assert secrets.MASK in "\n".join(shown)
