"""Shelves: each test runs once for every store that makes the promise."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from moto.server import ThreadedMotoServer

from tapes.archive import objects
from tapes.archive.copies import Archive
from tapes.archive.s3 import S3
from tests.tapes.contract import shelves

if TYPE_CHECKING:
    from pathlib import Path

    from tapes.stores.protocol import Store
    from tests.tapes.contract.shelves import Shelf

BUCKET = "tapes-of-tests"


@pytest.fixture(autouse=True)
def _real_commits() -> None:
    """Not every shelf has a database; the one that has asks for it."""


@pytest.fixture(scope="session")
def s3_address() -> Iterator[str]:
    """A real server that speaks S3, with a bucket."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    asked = urllib.request.Request(f"{address}/{BUCKET}", method="PUT")
    urllib.request.urlopen(asked).close()
    yield address
    server.stop()


@pytest.fixture
def bucket(s3_address: str, tmp_path: Path) -> S3:
    """A place in the bucket that no other test sees."""
    return S3(BUCKET, tmp_path.name, endpoint=s3_address, key="some", secret="thing")  # noqa: S106


def _shelf(request: pytest.FixtureRequest, root: Path) -> Shelf:
    match request.param:
        case "postgres":
            request.getfixturevalue("committed_database")
            return shelves.postgres()
        case "archive in a folder":
            return shelves.Folder(root / "store", Archive(objects.Folder(root / "archive")))
        case "archive in S3":
            return shelves.Folder(root / "store", Archive(request.getfixturevalue("bucket")))
    return shelves.Folder(root / "store")


@pytest.fixture(params=["postgres", "folder"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Shelf:
    """What tapes can be written to."""
    return _shelf(request, tmp_path)


@pytest.fixture(params=["postgres", "folder", "archive in a folder", "archive in S3"])
def any_shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Shelf:
    """What finished tapes can be read from."""
    return _shelf(request, tmp_path)


@pytest.fixture
def store(shelf: Shelf) -> Store:
    """The store of the shelf."""
    return shelf.store


@pytest.fixture
def tape(store: Store) -> int:
    """The id of a new tape: its only entry is the anchor session/start."""
    return store.create("work").id
