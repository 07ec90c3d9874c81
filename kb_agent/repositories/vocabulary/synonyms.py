"""What an English word of business is called elsewhere: our own list, of single words and of words side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources

from kb_agent.repositories import terms

LONGEST_PHRASE = 3
Stems = tuple[str, ...]


def of(stem: str) -> tuple[str, ...]:
    """Index terms that may stand for a word, given as its stem."""
    return _listed().get((stem,), ())


def phrases(words: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """The phrases of the list among lower-case `words` in their order, the longest first, each with its index terms."""
    stems = [terms.stem(word) for word in words]
    found: list[tuple[str, tuple[str, ...]]] = []
    start = 0
    while start < len(stems):
        size = next((n for n in _sizes(stems, start) if n > 1), 1)
        if size > 1:
            said = " ".join(words[start : start + size])
            found.append((said, _listed()[tuple(stems[start : start + size])]))
        start += size
    return found


def _sizes(stems: Sequence[str], start: int) -> list[int]:
    """How many words from `start` on are a phrase of the list, the most first."""
    longest = min(LONGEST_PHRASE, len(stems) - start)
    return [n for n in range(longest, 1, -1) if tuple(stems[start : start + n]) in _listed()]


@cache
def _listed() -> dict[Stems, tuple[str, ...]]:
    """Stems of a word or phrase, and the index terms that may stand for it; a phrase may also stand for itself, joined."""
    text = (resources.files("kb_agent.repositories") / "data" / "synonyms_en.txt").read_text(
        "utf-8"
    )
    found: dict[Stems, dict[str, None]] = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        said, *others = line.split()
        stems = _stems(said)
        held = found.setdefault(stems, {})
        if len(stems) > 1:
            held.update(dict.fromkeys(_written(said)))
        for other in others:
            held.update(dict.fromkeys(_written(other)))
        held.pop(stems[0] if len(stems) == 1 else "", None)
    return {stems: tuple(held) for stems, held in found.items()}


def _stems(said: str) -> Stems:
    return tuple(terms.stem(word) for word in said.split("_"))


def _written(said: str) -> list[str]:
    """How code may write a word or phrase: its stem; the words side by side, or joined."""
    if "_" not in said:
        return [terms.stem(said)]
    return [" ".join(_stems(said)), terms.whole(said), terms.stem(said.replace("_", ""))]
