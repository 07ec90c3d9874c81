"""C4: each language companies use is cut along its own structure; the sources and what is found in them lie in `structure/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb_agent.repositories import text
from kb_agent.repositories.structure import chunking, languages

FOLDER = Path(__file__).parent / "structure"


def expected() -> dict[str, tuple[str, str]]:
    """(definitions as name:kind:lines, chunks as symbol:lines) of each source."""
    blocks = (FOLDER / "expected.txt").read_text("utf-8").split("== ")[1:]
    return {name: (found, chunks) for name, found, chunks in (b.splitlines() for b in blocks)}


def cut(source: str, language: str) -> chunking.Structure:
    """The structure of a source."""
    return chunking.cut(source, text.lines(source), language)


def said(structure: chunking.Structure) -> tuple[str, str]:
    """A structure in the words of `expected`."""
    found = (
        f"{each.qualified.replace(' ', '_')}:{each.kind}:{each.start_line}-{each.end_line}"
        for each in structure.definitions
    )
    chunks = (
        f"{chunk.symbol.replace(' ', '_') or '-'}:{chunk.start_line}-{chunk.end_line}"
        for chunk in structure.chunks
    )
    return " ".join(found), " ".join(chunks)


@pytest.mark.parametrize("name", expected())
def test_C4_symbols_chunks_and_lines_are_those_of_the_language(name: str) -> None:
    source = (FOLDER / name).read_text("utf-8")
    assert said(cut(source, languages.language(name))) == expected()[name]


@pytest.mark.parametrize("name", expected())
def test_C4_a_file_broken_off_anywhere_still_gives_every_line_once(name: str) -> None:
    whole = (FOLDER / name).read_text("utf-8")
    for end in range(0, len(whole), max(1, len(whole) // 12)):
        source = whole[:end] + "\n<<<<<<< ((( {{{ \"'\n" + whole[end:]
        covered = [
            number
            for chunk in cut(source, languages.language(name)).chunks
            for number in range(chunk.start_line, chunk.end_line + 1)
        ]
        says = {n for n, line in enumerate(text.lines(source), 1) if any(map(str.isalnum, line))}
        assert len(covered) == len(set(covered))
        assert says <= set(covered)


@pytest.mark.parametrize("name", expected())
def test_C4_a_file_that_is_not_what_its_ending_says_is_cut_all_the_same(name: str) -> None:
    source = (FOLDER / name).read_text("utf-8")
    for language in sorted({*languages.ENDINGS.values(), ""}):
        chunks = cut(source, language).chunks
        assert chunks[0].start_line <= 2
        assert all(chunk.start_line <= chunk.end_line for chunk in chunks)


def test_C4_what_comes_after_a_syntax_error_is_still_found() -> None:
    source = "def first():\n    return ((1\n\n\ndef second():\n    return 2\n"
    assert "second" in {found.name for found in cut(source, "python").definitions}
    broken = "class A {\n  void first() { if ( }\n  void second() { return; }\n}\nclass B { void third() {} }\n"
    assert {"second", "third"} <= {found.name for found in cut(broken, "java").definitions}


def test_C4_a_short_class_at_the_end_leaves_what_stands_above_it_as_it_is() -> None:
    source = "def refund():\n    return 1\n\n\nclass Refused(Exception):\n    pass\n"
    assert [chunk.symbol for chunk in cut(source, "python").chunks] == ["refund", "Refused"]
