"""Learns from one blob all that the index needs: chunks, symbols, packed terms, catalogue texts."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kb_agent.repositories import catalogues, chunking, secrets, skipping, terms, text

# Raised whenever the same blob would be read differently; every blob is then read again.
ANALYSER = 4
OCCURRENCE = np.dtype([("chunk", "<u2"), ("term", "<u4"), ("symbol", "u1"), ("body", "u1")])
MOST_CHUNKS = 60_000


@dataclass(frozen=True)
class Analysis:
    """What was learnt from one blob; `skipped` says why nothing was."""

    skipped: str = ""
    lines: int = 0
    masked: int = 0
    chunks: tuple[chunking.Chunk, ...] = ()
    definitions: tuple[chunking.Definition, ...] = ()
    terms: bytes = b""
    texts: bytes = b""


@dataclass(frozen=True)
class Terms:
    """Terms of one blob: `names[i]` is the term that `occurrences["term"] == i` means; a length a chunk."""

    names: list[str]
    occurrences: np.ndarray
    lengths: np.ndarray


def analyse(data: bytes, language: str, *, catalogue: str = "") -> Analysis:
    """Read a blob as `language`; as a translation catalogue when `catalogue` names a reader of `catalogues`."""
    try:
        decoded = text.decode(data)
    except text.Binary:
        return Analysis(skipped="binary")
    if catalogue:
        texts = catalogues.read(secrets.mask(decoded).text, catalogue)
        return Analysis(lines=len(text.lines(decoded)), texts=catalogues.pack(texts))
    if reason := skipping.by_content(data, decoded):
        return Analysis(skipped=reason)
    masked = secrets.mask(decoded)
    lines = text.lines(masked.text)
    structure = chunking.cut(masked.text, lines, language)
    chunks = structure.chunks[:MOST_CHUNKS]
    tables = catalogues.pack(catalogues.tables(lines)) if language == "markdown" else b""
    return Analysis(
        lines=len(lines),
        masked=masked.count,
        chunks=chunks,
        definitions=structure.definitions,
        terms=pack(lines, chunks),
        texts=tables,
    )


def pack(lines: list[str], chunks: tuple[chunking.Chunk, ...]) -> bytes:
    """Terms of the chunks, compressed (see `unpack`)."""
    numbers: dict[str, int] = {}
    rows: list[tuple[int, int, int, int]] = []
    lengths: list[int] = []
    for ordinal, chunk in enumerate(chunks):
        body = terms.count("\n".join(lines[chunk.start_line - 1 : chunk.end_line]))
        symbol = _symbol_terms(chunk)
        lengths.append(min(sum(body.values()), 65535))
        for term in body.keys() | symbol.keys():
            number = numbers.setdefault(term, len(numbers))
            rows.append((ordinal, number, min(symbol[term], 255), min(body[term], 255)))
    names = "\n".join(numbers).encode()
    head = np.array([len(names), len(rows), len(lengths)], "<u4").tobytes()
    occurrences = np.array(rows, OCCURRENCE).tobytes()
    return zlib.compress(head + names + occurrences + np.array(lengths, "<u2").tobytes(), 1)


def unpack(packed: bytes) -> Terms:
    """The inverse of `pack`."""
    if not packed:
        return Terms([], np.empty(0, OCCURRENCE), np.empty(0, "<u2"))
    data = zlib.decompress(packed)
    size, count, chunks = (int(number) for number in np.frombuffer(data, "<u4", 3))
    names = data[12 : 12 + size].decode().split("\n") if size else []
    start = 12 + size
    occurrences = np.frombuffer(data, OCCURRENCE, count, start)
    lengths = np.frombuffer(data, "<u2", chunks, start + count * OCCURRENCE.itemsize)
    return Terms(names, occurrences, lengths)


def _symbol_terms(chunk: chunking.Chunk) -> Counter[str]:
    """A symbol's own name counts twice, the names it stands in once."""
    if not chunk.symbol:
        return Counter()
    found = terms.count(chunk.symbol)
    own = chunk.symbol if chunk.kind == "section" else chunk.symbol.rpartition(".")[2]
    return found + terms.count(own)


def path_terms(path: str) -> set[str]:
    """Terms of the names on a path."""
    return set(_path_terms(path))


def _path_terms(path: str) -> Iterator[str]:
    names = re.sub(r"\.\w{1,5}$", "", path)
    for token in terms.TOKEN.findall(names):
        yield from terms.expand(token)
