"""Whole copies of tapes as objects: parts of records, and a manifest that makes them one copy.

    tapes/<id>/<time>-<random>/000001.jsonl.gz …    records, about 2 MB before they are packed
    tapes/<id>/<time>-<random>/manifest.json        written last: without it there is no copy

The manifest holds the tape, its anchors and forks, and the range and SHA-256 of every part, so a
view reads the parts it needs and no other, and reads nothing that was changed.
"""

from __future__ import annotations

import datetime
import gzip
import hashlib
import json
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tapes import checking, records, windows
from tapes.archive.objects import MissingObject, Objects
from tapes.chain import Verdict
from tapes.errors import TapeError, UnknownTape
from tapes.matching import scanning
from tapes.source import AnchorPlace, ForkState, Source
from tapes.tape_info import TapeInfo

if TYPE_CHECKING:
    from tapes.entries import Entry
    from tapes.matching.tiers import Found
    from tapes.records import Record
    from tapes.windows import View

FORMAT = 1
_BYTES_A_PART = 2_000_000
_MANIFEST = "manifest.json"


class ChangedCopy(TapeError):
    """An object of the archive is not what was written there."""

    code = "changed_copy"


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy that was written."""

    folder: str
    digest: str
    """SHA-256 of the manifest."""
    bytes: int
    """Of all its objects."""


@dataclass(frozen=True, slots=True)
class ArchivedTape:
    """A copy that is read; a `tapes.source.Source`."""

    objects: Objects
    folder: str
    manifest: Mapping[str, Any]

    @property
    def info(self) -> TapeInfo:
        """The tape as it was when it was copied."""
        said = self.manifest["tape"]
        dates = [said[name] and _date(said[name]) for name in ("created_at", "archived_at")]
        return TapeInfo(said["id"], said["name"], said["head"], *dates)

    def anchors(self) -> Sequence[AnchorPlace]:
        """Return every anchor in order."""
        return [AnchorPlace(**said) for said in self.manifest["anchors"]]

    def forks(self) -> Mapping[int, ForkState]:
        """Return every fork by its id."""
        return {said["id"]: ForkState(**said) for said in self.manifest["forks"]}

    def stretch(self, first: int, last: int | None) -> Iterator[Entry]:
        """Yield entries from the parts that hold them."""
        for record in self.records(first, last):
            yield record.entry

    def records(self, first: int = 1, last: int | None = None) -> Iterator[Record]:
        """Yield entries with what proves them. Raises `ChangedCopy`, `MissingObject`."""
        end = self.info.head if last is None else last
        for part in self.manifest["parts"]:
            if part["last"] < first or part["first"] > end:
                continue
            for record in self._part(part):
                if first <= record.entry.seq <= end:
                    yield record

    def at(self, seqs: Iterable[int]) -> Iterator[Entry]:
        """Yield the entries at some seqs, in order; each part that holds one is read once."""
        wanted = sorted(set(seqs))
        for part in self.manifest["parts"]:
            here = {seq for seq in wanted if part["first"] <= seq <= part["last"]}
            for record in self._part(part) if here else ():
                if record.entry.seq in here:
                    yield record.entry

    def _part(self, part: Mapping[str, Any]) -> Iterator[Record]:
        """Yield what a part holds. Raises `ChangedCopy`, `MissingObject`."""
        packed = self.objects.get(f"{self.folder}/{part['file']}")
        if hashlib.sha256(packed).hexdigest() != part["sha256"]:
            raise ChangedCopy(f"{self.folder}/{part['file']} is not what was written")
        for line in gzip.decompress(packed).splitlines(keepends=True):
            yield records.parse(line, self.info.id).record

    def verify(self, found: Iterable[Record] | None = None) -> Verdict:
        """Check every hash from the first entry to the head; `found` are its records, watched.

        A part that was changed or is gone is bad from its first seq on.
        """
        head_hash = bytes.fromhex(self.manifest["tape"]["hash"])
        try:
            return checking.check(self.records() if found is None else found, head_hash)
        except (ChangedCopy, MissingObject) as error:
            bad = self._first_bad()
            return Verdict(ok=False, first_bad_seq=bad, reason=str(error), entries=bad - 1)

    def _first_bad(self) -> int:
        for part in self.manifest["parts"]:
            try:
                list(self.records(part["first"], part["last"]))
            except (ChangedCopy, MissingObject):
                return int(part["first"])
        return 1


class Archive:
    """The copies in one place; its reading half is `tapes.stores.protocol.Readable`."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects

    def write(
        self, info: TapeInfo, head_hash: bytes, source: Source, found: Iterable[Record]
    ) -> Copy:
        """Copy a tape, read the copy back, and check every hash. Raises `ChangedCopy`."""
        now = datetime.datetime.now(datetime.UTC)
        folder = f"tapes/{info.id}/{now:%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
        parts = [self._part(folder, number, lines) for number, lines in enumerate(_cut(found), 1)]
        tape = asdict(info) | {"hash": head_hash.hex()}
        manifest = {
            "format": FORMAT,
            "tape": tape,
            "forks": [asdict(fork) for fork in source.forks().values()],
            "anchors": [asdict(place) for place in source.anchors()],
            "parts": parts,
        }
        text = json.dumps(manifest, ensure_ascii=False, default=_iso).encode()
        digest = hashlib.sha256(text).hexdigest()
        verdict = ArchivedTape(self.objects, folder, json.loads(text)).verify()
        if not verdict.ok or verdict.entries != info.head:
            self.remove(folder)
            raise ChangedCopy(f"the copy differs at seq {verdict.first_bad_seq}: {verdict.reason}")
        self.objects.put(f"{folder}/{_MANIFEST}", text)
        self.open(folder, digest)
        return Copy(folder, digest, len(text) + sum(part["bytes"] for part in parts))

    def open(self, folder: str, digest: str | None = None) -> ArchivedTape:
        """Return a copy to read, being the one of that digest. Raises `ChangedCopy`."""
        text = self.objects.get(f"{folder}/{_MANIFEST}")
        if digest is not None and hashlib.sha256(text).hexdigest() != digest:
            raise ChangedCopy(f"the manifest of {folder} is not what was written")
        return ArchivedTape(self.objects, folder, json.loads(text))

    def remove(self, folder: str) -> None:
        """Delete a copy, its manifest first."""
        self.objects.delete(f"{folder}/{_MANIFEST}")
        for key in list(self.objects.keys(f"{folder}/")):
            self.objects.delete(key)

    def clear(self, tape_id: int, *, kept: str = "") -> int:
        """Delete whatever the archive holds of a tape but one copy, also what an interrupted write left; return how much."""
        others = [
            key
            for key in self.objects.keys(f"tapes/{tape_id}/")
            if not (kept and key.startswith(f"{kept}/"))
        ]
        for key in others:
            self.objects.delete(key)
        return len(others)

    def renew(
        self, info: TapeInfo, head_hash: bytes, source: Source, found: Iterable[Record]
    ) -> None:
        """After an erasure: leave one copy of the tape as it is now where there was any, and nothing else."""
        folders = self._folders(info.id).get(info.id, [])
        current = [folder for folder in folders if self.open(folder).info.head == info.head]
        if folders and not current:
            current = [self.write(info, head_hash, source, found).folder]
        self.clear(info.id, kept=max(current, default=""))

    def tapes(self) -> list[TapeInfo]:
        """Return every tape that has a copy, in the order of ids."""
        return [self._latest(tape_id).info for tape_id in sorted(self._folders())]

    def read(self, tape_id: int, view: View) -> list[Entry]:
        """Read a view from the newest copy. Raises `UnknownTape`, `MissingAnchor`."""
        return list(view.entries(self._latest(tape_id)))

    def anchors(self, tape_id: int) -> list[AnchorPlace]:
        """Return the anchors in order, without those of forks that are not merged."""
        return windows.merged_anchors(self._latest(tape_id))

    def latest_event(self, tape_id: int, name: str) -> Entry | None:
        """Read the copy from its start."""
        return windows.latest_event(self._latest(tape_id), name)

    def counts(self, tape_id: int) -> dict[str, int]:
        """Read the copy from its start."""
        return windows.counts(self._latest(tape_id))

    def search(
        self,
        tape_id: int,
        query: str,
        *,
        limit: int = 20,
        readable: Collection[int] = (),
        kinds: Collection[str] = (),
    ) -> Found:
        """Read the copy from its end until there is enough."""
        copy = self._latest(tape_id)
        return scanning.scan(
            copy, copy.info.head, query, limit=limit, readable=readable, kinds=kinds
        )

    def verify(self, tape_id: int) -> Verdict:
        """Check the newest copy."""
        return self._latest(tape_id).verify()

    def _part(self, folder: str, number: int, lines: Sequence[tuple[int, bytes]]) -> dict[str, Any]:
        file = f"{number:06}.jsonl.gz"
        packed = gzip.compress(b"".join(line for _, line in lines), 6, mtime=0)
        self.objects.put(f"{folder}/{file}", packed)
        return {
            "file": file,
            "first": lines[0][0],
            "last": lines[-1][0],
            "bytes": len(packed),
            "sha256": hashlib.sha256(packed).hexdigest(),
        }

    def _latest(self, tape_id: int) -> ArchivedTape:
        folders = self._folders(tape_id).get(tape_id)
        if not folders:
            raise UnknownTape(f"the archive has no tape {tape_id}")
        return self.open(max(folders))

    def _folders(self, tape_id: int | None = None) -> dict[int, list[str]]:
        """Return the folders of whole copies by tape."""
        found: dict[int, list[str]] = {}
        for key in self.objects.keys("tapes/" if tape_id is None else f"tapes/{tape_id}/"):
            folder, _, file = key.rpartition("/")
            if file == _MANIFEST:
                found.setdefault(int(folder.split("/")[1]), []).append(folder)
        return found


def _cut(found: Iterable[Record]) -> Iterator[list[tuple[int, bytes]]]:
    lines: list[tuple[int, bytes]] = []
    size = 0
    for record in found:
        line = records.write(record)
        if lines and size + len(line) > _BYTES_A_PART:
            yield lines
            lines, size = [], 0
        lines.append((record.entry.seq, line))
        size += len(line)
    if lines:
        yield lines


def _date(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text)


def _iso(value: object) -> str:
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    raise TypeError(f"{type(value)} is not written into a manifest")
