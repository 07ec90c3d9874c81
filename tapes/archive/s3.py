"""Objects in a bucket that speaks the S3 protocol, by the library obstore."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from tapes.archive.objects import ArchiveUnreachable, MissingObject

if TYPE_CHECKING:
    from obstore.store import S3Store

_TIMEOUT = timedelta(seconds=30)
_RETRIES_TIMEOUT = timedelta(seconds=60)


class S3:
    """Objects under a prefix of a bucket."""

    def __init__(
        self,
        bucket: str,
        prefix: str,
        *,
        endpoint: str = "",
        region: str = "us-east-1",
        key: str = "",
        secret: str = "",
    ) -> None:
        """Without a key, what the machine itself is allowed to do counts (an instance's role)."""
        # Imported here: only installations with such an archive pay for loading it.
        from obstore.store import S3Store  # noqa: PLC0415

        own = {"endpoint": endpoint, "access_key_id": key, "secret_access_key": secret}
        given = {name: value for name, value in own.items() if value}
        self._store: S3Store = S3Store(
            bucket,
            prefix=prefix or None,
            region=region,
            client_options={"allow_http": endpoint.startswith("http://"), "timeout": _TIMEOUT},
            retry_config={"max_retries": 4, "retry_timeout": _RETRIES_TIMEOUT},
            **given,  # type: ignore[arg-type]
        )

    def put(self, key: str, data: bytes) -> None:
        """One object, visible when it is whole."""
        with _named(key):
            self._store.put(key, data)

    def get(self, key: str) -> bytes:
        """Read it whole: parts are cut small."""
        with _named(key):
            return bytes(self._store.get(key).bytes())

    def keys(self, prefix: str) -> Iterator[str]:
        """List, page by page."""
        with _named(prefix):
            for page in self._store.list(prefix):
                yield from (found["path"] for found in page)

    def delete(self, key: str) -> None:
        """Delete; a bucket with versions keeps its own."""
        with _named(key):
            self._store.delete(key)


@contextmanager
def _named(key: str) -> Iterator[None]:
    from obstore import exceptions  # noqa: PLC0415 — as above

    try:
        yield
    except (FileNotFoundError, exceptions.NotFoundError) as error:
        raise MissingObject(f"the archive has no {key}") from error
    except (exceptions.BaseError, OSError, ValueError) as error:
        raise ArchiveUnreachable(f"{key}: {error}") from error
