"""What a branch's catalogues say of the messages that its code names: joined to chunks by a hash of the text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from kb_agent.repositories import catalogues, terms
from kb_agent.repositories.indexing import fields

if TYPE_CHECKING:
    from kb_agent.repositories.models import Branch

Weights = tuple[tuple[str, int], ...]
MOST_TERMS = 40
# A gettext context that says which name of the code a message belongs to: `model:sale.order,name:`.
CONTEXT = re.compile(r"(\w+):([\w.]+),(\w*):(.*)")


class Labels:
    """The terms that a literal of the code stands for, by its hash; worked out for those that are asked for."""

    def __init__(self, texts: Mapping[int, Mapping[str, str]]) -> None:
        """`texts` are what a literal says, by language."""
        self._texts = texts
        self._known: dict[int, Weights] = {}

    def of(self, hash_: int) -> Weights:
        """Terms with weights; none for a literal that is no message."""
        if hash_ not in self._texts:
            return ()
        if hash_ not in self._known:
            self._known[hash_] = _weights(self._texts[hash_])
        return self._known[hash_]


def of(branch: Branch) -> Labels:
    """What the branch's catalogues say in English and Chinese."""
    texts: dict[int, dict[str, str]] = defaultdict(dict)
    for path, packed in _catalogues(branch):
        form, language = catalogues.reader(path)
        for key, text in catalogues.unpack(packed):
            for name in _names(key, form):
                if name != text:
                    texts[fields.literal(name)].setdefault(language, text)
                if form == "po" and language == "zh" and name != catalogues.source(key):
                    texts[fields.literal(name)].setdefault("en", catalogues.source(key))
    return Labels(texts)


def speak(path: str) -> bool:
    """Whether the file at `path` is a catalogue whose messages are joined to code."""
    form, language = catalogues.reader(path)
    return bool(form) and language in {"zh", "en"}


def _catalogues(branch: Branch) -> Iterator[tuple[str, bytes]]:
    rows = branch.files.filter(role="catalogue").order_by("path")
    wanted = [pk for pk, path in rows.values_list("pk", "path") if speak(path)]
    for path, packed in rows.filter(pk__in=wanted).values_list("path", "blob__texts"):
        yield path, bytes(packed)


def _names(key: str, form: str) -> list[str]:
    """How code names a message: by its key, or in gettext by its text and sometimes by its context."""
    if form != "po":
        return [key, key.rpartition(".")[2]] if "_" in key.rpartition(".")[2] else [key]
    context, source = catalogues.context(key), catalogues.source(key)
    if found := CONTEXT.match(context):
        if found[1] == "model" and found[2] != "ir.message":
            return [source, found[2]]
        if found[2] == "ir.message":
            return [source, found[4]]
    return [source]


def _weights(said: Mapping[str, str]) -> Weights:
    counted: Counter[str] = Counter()
    for text in said.values():
        counted.update(terms.count(catalogues.plain(text)))
    return tuple((term, times * fields.LABEL) for term, times in counted.most_common(MOST_TERMS))
