"""One call to an OpenAI-compatible embeddings endpoint: texts go in, vectors of one length come out."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from kb_agent.llm import call_events, failures, reserving, usage
from kb_agent.llm.client import opened_key
from kb_agent.llm.line import Line
from kb_agent.llm.protocol import BudgetReached, ProviderDown, ProviderError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kb_agent.llm.account import Account
    from kb_agent.llm.models import Endpoint
    from kb_agent.llm.protocol import Usage

Use = Literal["query", "passage"]


class BadVectors(ProviderError):
    """The endpoint answered with something that is no list of vectors of the expected length."""

    code = "bad_vectors"


class OverBudget(ProviderError):
    """A budget is used up: the call was not made, and whoever wanted vectors does without."""

    code = "budget_reached"


@dataclass(frozen=True)
class Embedded:
    """A row a text, each of length 1, and what the call used (None: the provider did not say)."""

    vectors: np.ndarray
    usage: Usage | None


def embed(
    endpoint: Endpoint,
    texts: Sequence[str],
    *,
    use: Use,
    account: Account,
    seconds: float,
    dimension: int | None = None,
) -> Embedded:
    """Embed texts as questions or as passages, in one call that ends within `seconds`.

    The call is recorded on the account's tape before it starts and after it ended. Raises a
    ProviderError by name: BadVectors also when the vectors are not of `dimension`, OverBudget when a
    budget does not allow the call, which then leaves nothing on the tape.
    """
    call = call_events.new_id()
    _reserve(call, endpoint, texts, account, seconds)
    account.started(call, endpoint, texts)
    began = time.monotonic()
    try:
        raw = _asked(endpoint, _parameters(endpoint, texts, use), seconds)
        used = usage.read(raw.get("usage"))
        try:
            vectors = _read(raw, len(texts), dimension)
        except ProviderError as error:
            error.usage = used
            raise
    except ProviderError as error:
        account.failed(call, endpoint, error, time.monotonic() - began)
        raise
    account.ended(call, endpoint, used, time.monotonic() - began)
    return Embedded(vectors, used)


def _reserve(
    call: str, endpoint: Endpoint, texts: Sequence[str], account: Account, seconds: float
) -> None:
    tokens = sum(usage.estimate(text) for text in texts)
    try:
        reserving.for_texts(call, endpoint, tokens, payer=account.payer, seconds=seconds)
    except BudgetReached as reached:
        raise OverBudget(f"the {reached.scope} budget in {reached.unit} is used up") from reached


def _parameters(endpoint: Endpoint, texts: Sequence[str], use: Use) -> dict[str, Any]:
    told = endpoint.inputs
    return {
        "model": endpoint.model,
        "input": [f"{use}: {text}" if told == "prefixed" else text for text in texts],
        # Asked for by name: the client's own default is a form that some servers do not know.
        "encoding_format": "float",
        "extra_body": {"input_type": use} if told == "input_type" else None,
    }


def _asked(endpoint: Endpoint, parameters: dict[str, Any], seconds: float) -> Mapping[str, Any]:
    """The endpoint's answer; asked in a thread of its own, so that no one waits longer than agreed."""
    line, key = Line(), opened_key(endpoint)
    threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embeddings")
    asking = threads.submit(_post, endpoint, parameters, line, key)
    threads.shutdown(wait=False)
    try:
        return asking.result(timeout=seconds)
    except TimeoutError:
        line.hang_up()
        raise ProviderDown(f"the endpoint did not answer within {seconds:g} s") from None


def _post(
    endpoint: Endpoint, parameters: dict[str, Any], line: Line, key: str
) -> Mapping[str, Any]:
    import httpx2  # noqa: PLC0415 -- heavy, see failures
    import openai  # noqa: PLC0415

    known = (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError)
    with line.http(silence=endpoint.idle_seconds) as http:
        try:
            client = openai.OpenAI(
                base_url=endpoint.base_url,
                api_key=key or "none",
                http_client=http,
                max_retries=0,
            )
            return client.embeddings.create(**parameters).to_dict(warnings=False)
        except (AttributeError, TypeError) as error:
            raise BadVectors("the endpoint's answer is no list of vectors") from error
        except known as error:
            raise failures.named(error, key, begun=False) from error


def _read(raw: Mapping[str, Any], count: int, dimension: int | None) -> np.ndarray:
    """The vectors in the order of the texts, each brought to length 1."""
    try:
        rows = sorted(raw["data"], key=lambda row: row["index"])
        vectors = np.array([row["embedding"] for row in rows], "<f4")
    except (KeyError, TypeError, ValueError) as error:
        raise BadVectors("the endpoint's answer is no list of vectors") from error
    if vectors.ndim != 2 or len(vectors) != count:
        raise BadVectors(f"{count} texts were sent and {len(vectors)} vectors came back")
    if dimension is not None and vectors.shape[1] != dimension:
        raise BadVectors(
            f"vectors of {vectors.shape[1]} numbers came back instead of {dimension}: another model"
            " answers under this name; give it an endpoint of its own"
        )
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise BadVectors("the endpoint sent vectors without a direction")
    directions: np.ndarray = vectors / lengths
    return directions
