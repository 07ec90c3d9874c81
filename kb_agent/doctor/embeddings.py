"""Vectors: whether the embedding endpoint answers, and how far the space it fills is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kb_agent.doctor.finding import Finding, failed, ok, warning
from kb_agent.llm import account, embeddings, endpoints
from kb_agent.llm.protocol import ProviderError
from kb_agent.repositories.models.vectors import Space

if TYPE_CHECKING:
    from django.db.models import QuerySet

ANSWER_SECONDS = 5.0


def look() -> Iterator[Finding]:
    """The endpoint, asked for one vector, and the spaces. Nothing at all is set up: nothing is missing."""
    endpoint, in_use = endpoints.embedding(), Space.objects.exclude(state=Space.State.RETIRED)
    if endpoint is None:
        if in_use.exists():
            advice = "Set it up again by add_endpoint --embedding; until then words search alone."
            yield warning("embeddings", "there are vectors and no endpoint", advice)
        else:
            yield ok("embeddings", "no endpoint: search uses words alone")
        return
    try:
        payer = account.of_system("settings test", tape="settings")
        answered = embeddings.embed(
            endpoint, ["doctor"], use="query", account=payer, seconds=ANSWER_SECONDS
        )
    except ProviderError as error:
        advice = "Check its address, key and model (add_endpoint --embedding)."
        yield failed("embeddings", f"{endpoint.name}: {error.message}", advice)
    else:
        numbers = answered.vectors.shape[1]
        yield ok("embeddings", f"{endpoint.name}: {endpoint.model}, {numbers} numbers")
    yield _space(in_use)


def _space(in_use: QuerySet[Space]) -> Finding:
    said = "; ".join(
        f"{space}: {space.state}, {space.done} of {space.total} chunks"
        + (f", {space.error}" if space.error else "")
        + (", cancelled" if space.cancelled else "")
        for space in in_use.order_by("pk")
    )
    if not said:
        return warning("vectors", "none yet", "See that a worker serves `indexing`.")
    if in_use.exclude(error="").exists() or in_use.filter(cancelled=True).exists():
        return warning("vectors", said, "Mend what it waits for, then `manage.py vectors --fill`.")
    return ok("vectors", said)
