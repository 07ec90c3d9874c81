"""A folder of its own for each test's mirrors, and people who read them or do not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Group

from kb_agent.accounts.models import User
from kb_agent.repositories import vectors
from tests.llm import embedding_server
from tests.repositories import embedding, git_server
from tests.repositories.certificates import Authority
from tests.repositories.code import REFUND, Code, indexed

if TYPE_CHECKING:
    from pytest_django import Settings

    from kb_agent.repositories.models import Repository
    from tests.llm.embedding_server import EmbeddingServer
    from tests.repositories.git_server import GitServer


@pytest.fixture(autouse=True)
def _own_mirrors(settings: Settings, tmp_path: Path) -> None:
    """Ids start anew with every test database; mirrors of an earlier run must not be met."""
    settings.VAR = tmp_path / "var"


@pytest.fixture
def code(tmp_path: Path) -> Code:
    """A git repository to be filled."""
    return Code(tmp_path / "source")


@pytest.fixture
def reader(db: None) -> User:
    """Someone in the group `readers`."""
    user = User.objects.create_user("reader")
    user.groups.add(Group.objects.get_or_create(name="readers")[0])
    return user


@pytest.fixture
def stranger(db: None) -> User:
    """Someone in no group."""
    return User.objects.create_user("stranger")


@pytest.fixture
def authority(tmp_path: Path, settings: Settings) -> Authority:
    """The company's authority, trusted."""
    made = Authority(tmp_path)
    settings.GIT_CA_FILE = made.file
    return made


@pytest.fixture
def server(authority: Authority, code: Code) -> Iterator[GitServer]:
    """Serves the repository of `code` as `source/.git`."""
    code.commit({"refund.py": REFUND})
    with git_server.serving(code.folder.parent, authority.certify("127.0.0.1")) as running:
        yield running


@pytest.fixture
def embedder(settings: Settings) -> Iterator[EmbeddingServer]:
    """A server of vectors, and no other in the environment."""
    settings.EMBEDDING_BASE_URL = ""
    vectors.memory.clear()
    with embedding_server.serving(256) as running:
        yield running


@pytest.fixture
def shop(code: Code, embedder: EmbeddingServer) -> Repository:
    """An indexed repository, and an endpoint that may embed it."""
    code.commit(embedding.SHOP)
    embedding.use(embedder)
    return indexed(code)
