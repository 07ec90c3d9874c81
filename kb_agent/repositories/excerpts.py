"""Cuts the masked text of places out of git, one git process a repository."""

from __future__ import annotations

from collections.abc import Sequence

from kb_agent.repositories import mirror, secrets, text
from kb_agent.repositories.models import Blob, Chunk, File, Repository

LONGEST_LINE = 400


def of(places: Sequence[tuple[Repository, File, Chunk]]) -> list[str]:
    """The text of each place's lines, masked; one that cannot be read is empty."""
    shas = dict(Blob.objects.filter(pk__in={file.blob_id for _, file, _ in places}).values_list("pk", "sha"))
    read: dict[tuple[int, str], list[str]] = {}
    for repository in {repository for repository, _, _ in places}:
        wanted = {shas[file.blob_id] for owner, file, _ in places if owner.pk == repository.pk}
        for sha, data in mirror.blobs(repository, sorted(wanted)):
            read[repository.pk, sha] = masked_lines(data)
    return [
        "\n".join(read[repository.pk, shas[file.blob_id]][chunk.start_line - 1 : chunk.end_line])
        for repository, file, chunk in places
    ]


def masked_lines(data: bytes) -> list[str]:
    """The lines of a blob, masked and none too long; none for bytes that are no text."""
    try:
        decoded = text.decode(data)
    except text.Binary:
        return []
    return [line[:LONGEST_LINE] for line in text.lines(secrets.mask(decoded).text)]
