"""What of a chunk is indexed: one weighted frequency a term over all its fields, and one length.

The weights come from a study over this project's benchmark company; between half and twice of each nothing much changes.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.repositories import terms
from kb_agent.repositories.structure import lexing

if TYPE_CHECKING:
    from kb_agent.repositories.structure.chunking import Chunk

# Frequencies are kept in tenths, so that weights of fields survive in whole numbers.
TENTHS = 10
NAME, OWNER, CONTEXT, COMMENTS, TEXTS, BODY = 30, 15, 5, 10, 12, 10
PATH, LABEL = 15, 12
PAIR = TENTHS
LONGEST_LITERAL = 200
# Lines that only bring names in, or go on with such a list.
_IMPORT = re.compile(
    r"^\s*(import|from|use|using|package|require|require_once|include|#include|namespace)\b|^\s*[\w, ]*[\])}][;,]?$|^\s*[\w.* ]+,?(\s+as\s+\w+,?)?$"
)


@dataclass(frozen=True)
class Content:
    """The indexed content of one chunk, frequencies in tenths; `literals` are hashes of its texts in quotes."""

    weights: Counter[str]
    pairs: Counter[str]
    length: int
    decisions: int
    literals: list[int]


def of(chunk: Chunk, source: str, language: str) -> Content:
    """The content of a chunk of `source` lines read as `language`."""
    if chunk.kind == "code" and _only_imports(source):
        return Content(Counter(), Counter(), 0, 0, [])
    found = lexing.lex(source, _reading(chunk, language), terms.keywords())
    owner, _, name = chunk.symbol.rpartition(".")
    if chunk.kind == "section":
        owner, name = "", chunk.symbol
    weights: Counter[str] = Counter()
    for weight, counted in (
        (NAME, terms.count(f"{name} {chunk.names}")),
        (OWNER, terms.count(owner)),
        (CONTEXT, terms.count(" ".join(chunk.labels))),
        (COMMENTS, terms.count("\n".join(found.comments))),
        (TEXTS, terms.count("\n".join(found.texts))),
        (BODY, terms.of_tokens(found.names)),
    ):
        for term, times in counted.items():
            weights[term] += weight * times
    length = sum(weight for term, weight in weights.items() if term[0] != "=")
    literals = [*_literals(found.texts), *_literals(chunk.labels)]
    return Content(weights, _pairs(chunk, found), length, found.decisions, literals)


def _reading(chunk: Chunk, language: str) -> str:
    """How a chunk is taken apart: what of a page is neither function nor script is its template."""
    if language in {"vue", "html"}:
        return "html" if chunk.kind in {"text", "section"} else "typescript"
    return language


def _only_imports(source: str) -> bool:
    lines = [line for line in source.split("\n") if line.strip()]
    return lines[0].lstrip().startswith(
        ("import ", "from ", "use ", "using ", "#include", "require")
    ) and all(_IMPORT.match(line) for line in lines)


def _pairs(chunk: Chunk, found: lexing.Lexed) -> Counter[str]:
    """Pair terms: parts of one name side by side, and words side by side in the texts of code."""
    pairs: Counter[str] = Counter()
    for name in {*found.names, *chunk.symbol.split("."), *chunk.names.split()}:
        pairs.update(terms.pairs_of_name(name))
    if chunk.kind not in {"text", "section"}:
        for text in (*found.texts, *found.comments):
            pairs.update(terms.pairs_of_text(text))
    return pairs


def _literals(texts: list[str] | tuple[str, ...]) -> list[int]:
    return [literal(text) for text in texts if 2 <= len(text) <= LONGEST_LITERAL]


def literal(text: str) -> int:
    """The hash by which a text in code meets a message of a catalogue."""
    return zlib.crc32(text.encode())
