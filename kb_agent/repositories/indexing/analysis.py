"""Learns from one blob all that the index needs: chunks, symbols, packed terms, catalogue texts."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

import numpy as np

from kb_agent.repositories import catalogues, secrets, terms, text
from kb_agent.repositories.catalogues import mining
from kb_agent.repositories.indexing import fields
from kb_agent.repositories.structure import chunking, parsing, skipping

# Raised whenever the same blob would be read differently; every blob is then read again.
ANALYSER = 10
OCCURRENCE = np.dtype([("chunk", "<u2"), ("term", "<u4"), ("weight", "<u2")])
PLACE = np.dtype(
    [("length", "<u4"), ("decisions", "u1"), ("kind", "u1"), ("start", "<u4"), ("end", "<u4")]
)
LITERAL = np.dtype([("chunk", "<u2"), ("hash", "<u4")])
# What a chunk is: a definition, code between definitions, or text.
DEFINES, BETWEEN, TEXT = 0, 1, 2
KINDS = {"code": BETWEEN, "text": TEXT, "section": TEXT, "element": BETWEEN, "statement": BETWEEN}
MOST_CHUNKS = 60_000
# Catalogues whose messages are symbols: code names them without quotes.
NAMED = frozenset(["xml", "resx"])
# Prose, and data whose names are no names of code.
UNMINED = frozenset(["markdown", "text", "json", "css", "scss", "less"])


@dataclass(frozen=True)
class Analysis:
    """What was learnt from one blob; `skipped` says why nothing was."""

    skipped: str = ""
    lines: int = 0
    masked: int = 0
    chunks: tuple[chunking.Chunk, ...] = ()
    definitions: tuple[parsing.Definition, ...] = ()
    terms: bytes = b""
    texts: bytes = b""


@dataclass(frozen=True)
class Terms:
    """Terms of one blob: `names[i]` is the term that `occurrences["term"] == i` means; a row of `places` a chunk."""

    names: list[str]
    occurrences: np.ndarray
    places: np.ndarray
    literals: np.ndarray


def analyse(data: bytes, language: str, *, catalogue: str = "") -> Analysis:
    """Read a blob as `language`; as a translation catalogue when `catalogue` names a reader of `catalogues`."""
    try:
        decoded = text.decode(data)
    except text.Binary:
        return Analysis(skipped="binary")
    if catalogue:
        clear = secrets.mask(decoded).text
        texts = catalogues.read(clear, catalogue)
        lines = text.lines(clear)
        named = chunking.cut(clear, lines, "xml").definitions if catalogue in NAMED else ()
        return Analysis(lines=len(lines), texts=catalogues.pack(texts), definitions=named)
    if reason := skipping.by_content(data, decoded):
        return Analysis(skipped=reason)
    masked = secrets.mask(decoded)
    lines = text.lines(masked.text)
    structure = chunking.cut(masked.text, lines, language)
    chunks = structure.chunks[:MOST_CHUNKS]
    tables = catalogues.pack(catalogues.tables(lines)) if language == "markdown" else b""
    mined = b"" if language in UNMINED else mining.pack(mining.read(lines, language))
    return Analysis(
        lines=len(lines),
        masked=masked.count,
        chunks=chunks,
        definitions=structure.definitions,
        terms=pack(lines, chunks, language),
        texts=tables or mined,
    )


def pack(lines: list[str], chunks: tuple[chunking.Chunk, ...], language: str) -> bytes:
    """Terms of the chunks, compressed (see `unpack`)."""
    numbers: dict[str, int] = {}
    rows: list[tuple[int, int, int]] = []
    places: list[tuple[int, int, int, int, int]] = []
    literals: list[tuple[int, int]] = []
    for ordinal, chunk in enumerate(chunks):
        source = "\n".join(lines[chunk.start_line - 1 : chunk.end_line])
        found = fields.of(chunk, source, language)
        kind = KINDS.get(chunk.kind, DEFINES)
        places.append(
            (found.length, min(found.decisions, 255), kind, chunk.start_line, chunk.end_line)
        )
        for term, weight in found.weights.items():
            rows.append((ordinal, numbers.setdefault(term, len(numbers)), min(weight, 65535)))
        for term, times in found.pairs.items():
            weight = min(times * fields.PAIR, 65535)
            rows.append((ordinal, numbers.setdefault(term, len(numbers)), weight))
        literals += [(ordinal, each) for each in found.literals]
    names = "\n".join(numbers).encode()
    head = np.array([len(names), len(rows), len(places), len(literals)], "<u4").tobytes()
    arrays = (
        np.array(rows, OCCURRENCE),
        np.array(places, PLACE),
        np.array(literals, LITERAL),
    )
    return zlib.compress(head + names + b"".join(array.tobytes() for array in arrays), 1)


def unpack(packed: bytes) -> Terms:
    """The inverse of `pack`."""
    if not packed:
        return Terms([], np.empty(0, OCCURRENCE), np.empty(0, PLACE), np.empty(0, LITERAL))
    data = zlib.decompress(packed)
    size, *counts = (int(number) for number in np.frombuffer(data, "<u4", 4))
    names = data[16 : 16 + size].decode().split("\n") if size else []
    start = 16 + size
    arrays = []
    for kind, count in zip((OCCURRENCE, PLACE, LITERAL), counts, strict=True):
        arrays.append(np.frombuffer(data, kind, count, start))
        start += count * kind.itemsize
    return Terms(names, *arrays)


def path_terms(path: str) -> set[str]:
    """Terms of the names on a path."""
    return set(terms.count(without_ending(path)))


def without_ending(path: str) -> str:
    """The path without its file's ending."""
    return re.sub(r"\.\w{1,5}$", "", path)
