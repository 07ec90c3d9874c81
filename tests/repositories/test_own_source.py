"""C5: questions about this product, asked of its own source, find code first, in either language."""

from __future__ import annotations

import pytest
from django.conf import settings

from kb_agent.repositories import search
from kb_agent.repositories.mirror import registry
from kb_agent.repositories.models import File
from tests.repositories.code import index

QUESTIONS: dict[str, str | tuple[str, ...]] = {
    "话题闲置多久会被自动关闭？": "topics/",
    "索引一个仓库可以取消吗？": (
        "kb_agent/repositories/indexing/",
        "kb_agent/api/upkeep.py",
        "kb_agent/usecases/upkeep.py",
        "frontend/src/features/repositories/api/cancel-indexing.ts",
    ),
    "模型报 429 错误时会重试几次？": "kb_agent/llm/",
    "怎么添加一个仓库？": "kb_agent/",
    "工作进程被杀掉以后，正在回答的一轮会怎么样？": "",
    "密码和密钥在进入索引之前是怎么脱敏的？": "",
    "纸带上的条目能被修改或删除吗？": "",
    "停止一轮需要多久生效？": "",
    "How are secrets masked?": "kb_agent/repositories/secrets.py",
    "How is an answer's citation checked before it is shown?": (
        "kb_agent/agent/citations.py",
        "kb_agent/usecases/answers.py",
    ),
    "Can two topics be open on one tape?": "topics/",
}


@pytest.mark.django_db
def test_C5_the_first_place_is_code_and_no_readme_document_or_test() -> None:
    repository = registry.add("kb-agent", str(settings.BASE_DIR))
    run = index(repository)
    assert (run.status, run.error) == ("done", "")
    role = dict(File.objects.values_list("path", "role"))
    assert not [path for path in role if path.startswith("kb_agent/management/demo/shop/")]
    for question, place in QUESTIONS.items():
        first = search.search(question, readable=[repository.pk]).hits[0].path
        assert first.startswith(place), (question, first)
        assert role[first] in {"code", "edge", "page", "package"}, (question, first)
