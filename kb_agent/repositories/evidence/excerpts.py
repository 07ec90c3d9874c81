"""Cuts the masked text of places out of git, one git process a repository."""

from __future__ import annotations

from collections.abc import Sequence

from kb_agent.repositories import mirror, secrets, text
from kb_agent.repositories.models import Blob, File, Repository

LONGEST_LINE = 400


def of(places: Sequence[tuple[Repository, File, tuple[int, int]]]) -> list[str]:
    """The text of each place's lines, masked; one that cannot be read is empty."""
    shas = dict(
        Blob.objects.filter(pk__in={file.blob_id for _, file, _ in places}).values_list("pk", "sha")
    )
    read: dict[tuple[int, str], str] = {}
    for repository in {repository for repository, _, _ in places}:
        wanted = {shas[file.blob_id] for owner, file, _ in places if owner.pk == repository.pk}
        for sha, data in mirror.blobs(repository, sorted(wanted)):
            read[repository.pk, sha] = _decoded(data)
    return [
        "\n".join(cut(read[repository.pk, shas[file.blob_id]], *lines))
        for repository, file, lines in places
    ]


def cut(decoded: str, start_line: int, end_line: int) -> list[str]:
    """Some lines of a text, masked and none too long.

    Only these lines are masked, unless the file holds a private key: such a secret spans lines.
    """
    if "PRIVATE KEY" in decoded:
        decoded = secrets.mask(decoded).text
    some = "\n".join(text.lines(decoded)[start_line - 1 : end_line])
    return [line[:LONGEST_LINE] for line in secrets.mask(some).text.split("\n")]


def masked_lines(data: bytes) -> list[str]:
    """All lines of a blob, masked and none too long; none for bytes that are no text."""
    return [line[:LONGEST_LINE] for line in text.lines(secrets.mask(_decoded(data)).text)]


def _decoded(data: bytes) -> str:
    try:
        return text.decode(data)
    except text.Binary:
        return ""
