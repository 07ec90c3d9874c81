"""Says why a word stands for a code's word: the texts of the repository that tie the two, with path and line (C5)."""

from __future__ import annotations

import json
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from django.db.models import Sum

from kb_agent.repositories import catalogues, mirror, secrets, terms, text
from kb_agent.repositories.models import Branch, File, Repository, Vocabulary
from kb_agent.repositories.vocabulary import wordlist

MOST, MOST_OF_FILE = 20, 4
LONGEST_TEXT = 200
NEEDLE = 30
# A message's key or source text stands on its line, or a few lines before.
BESIDE = 3
ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
APART = re.compile(r'[\n"\\]|<[^>]*>')
CATALOGUE = "catalogue"


@dataclass(frozen=True)
class Example:
    """A place where the two words stand for one another; texts are masked (C8)."""

    kind: str
    path: str
    line: int
    text: str
    translation: str
    repository_id: int
    commit: str


@dataclass(frozen=True)
class _Tie:
    """Two texts that say the same, and what of them may stand in the file as it is."""

    kind: str
    path: str
    chinese: str
    english: str
    key: str = ""


@dataclass(frozen=True)
class _Sought:
    """The pair asked about, as texts are compared with it."""

    word: str
    stems: frozenset[str]

    def meets(self, chinese: str, english: str) -> bool:
        """Whether the texts hold the two words."""
        return self.word in terms.fold(chinese) and self.stems <= set(terms.english(english))


@dataclass
class _Files:
    """The texts of a repository's default branch, unpacked when they are asked for."""

    branch: Branch
    packed: dict[str, int] = field(default_factory=dict)

    def texts(self, path: str) -> list[list[str]]:
        """Rows of (key, text), or (code, text, kind) of a file of code."""
        held = File.objects.filter(pk=self.packed[path]).values_list("blob__texts", flat=True)
        data = bytes(held.get())
        return [list(row) for row in json.loads(zlib.decompress(data))] if data else []


def why(word: str, code: str, repositories: Iterable[int]) -> list[Example]:
    """At most 20 places of these repositories, those that tie the words most often first."""
    sought = _Sought(terms.fold(word.strip()), frozenset(terms.english(code)))
    if not sought.word or not sought.stems:
        return []
    found: list[Example] = []
    for repository in _saying(sought, repositories):
        found += islice(_examples(repository, sought), MOST - len(found))
    return found


def _saying(sought: _Sought, repositories: Iterable[int]) -> list[Repository]:
    """The repositories whose vocabulary holds the pair, by weight."""
    rows = Vocabulary.objects.filter(
        repository__in=list(repositories),
        kind__in=wordlist.MINED,
        word=sought.word,
        code__in=sought.stems,
    )
    weights = dict(
        rows.values("repository").annotate(total=Sum("weight")).values_list("repository", "total")
    )
    known = Repository.objects.in_bulk(weights.keys())
    return [known[pk] for pk in sorted(known, key=lambda pk: (-weights[pk], pk))]


def _examples(repository: Repository, sought: _Sought) -> Iterator[Example]:
    branch = (
        Branch.objects.filter(repository=repository, name=repository.default_branch)
        .exclude(indexed_commit="")
        .first()
    )
    if branch is None:
        return
    rows = branch.files.exclude(blob__texts=b"").exclude(role="test").order_by("path")
    files = _Files(branch, dict(rows.values_list("path", "pk")))
    of_file: dict[str, list[_Tie]] = defaultdict(list)
    for tie in _ties(files, sought):
        if len(of_file[tie.path]) < MOST_OF_FILE:
            of_file[tie.path].append(tie)
            if len(of_file[tie.path]) == MOST_OF_FILE:
                yield from _placed(repository, branch, tie.path, of_file[tie.path])
    for path, ties in of_file.items():
        if len(ties) < MOST_OF_FILE:
            yield from _placed(repository, branch, path, ties)


def _ties(files: _Files, sought: _Sought) -> Iterator[_Tie]:
    families: dict[str, list[str]] = defaultdict(list)
    for path in files.packed:
        form, language = catalogues.reader(path)
        if not form:
            yield from _of_code(path, files.texts(path), sought)
        elif language not in catalogues.ELSEWHERE:
            if form in catalogues.BESIDE:
                yield from _of_messages(path, files.texts(path), sought)
            else:
                families[catalogues.family(path)].append(path)
    for paths in families.values():
        yield from _of_family({path: files.texts(path) for path in paths}, sought)


def _of_code(path: str, rows: list[list[str]], sought: _Sought) -> Iterator[_Tie]:
    """What was mined from code and tables of words: a code word, what it is called, the kind of place."""
    for english, chinese, *kind in rows:
        if sought.meets(chinese, english):
            yield _Tie(kind[0] if kind else CATALOGUE, path, chinese, english)


def _of_messages(path: str, rows: list[list[str]], sought: _Sought) -> Iterator[_Tie]:
    """Messages whose key is the other language's text."""
    for key, said in rows:
        source = catalogues.source(key)
        for chinese, english in ((said, source), (source, said)):
            if sought.meets(chinese, catalogues.plain(english)):
                yield _Tie(CATALOGUE, path, chinese, english)


def _of_family(read: Mapping[str, list[list[str]]], sought: _Sought) -> Iterator[_Tie]:
    """Files that say the same by key, each in its language; without an English one the keys' own words count."""
    english = {
        key: said for rows in read.values() for key, said in rows if not catalogues.HAN.search(said)
    }
    for path, rows in read.items():
        for key, chinese in rows:
            name = key.rpartition(".")[2]
            other = catalogues.plain(english.get(key, "" if english else name))
            if sought.meets(chinese, other):
                yield _Tie(CATALOGUE, path, chinese, other, name)


def _placed(
    repository: Repository, branch: Branch, path: str, ties: list[_Tie]
) -> Iterator[Example]:
    """The ties with their lines, as the file stands at the indexed commit."""
    try:
        lines = text.lines(text.decode(mirror.read(repository, branch.indexed_commit, path)))
    except (mirror.MissingFile, mirror.TooLarge, text.Binary):
        return
    read = [ESCAPED.sub(lambda match: chr(int(match[1], 16)), line) for line in lines]
    for tie in ties:
        line = _line(read, tie)
        if line:
            yield Example(
                tie.kind,
                path,
                line,
                _masked(tie.chinese),
                _masked(tie.english),
                repository.pk,
                branch.indexed_commit,
            )


def _line(lines: list[str], tie: _Tie) -> int:
    """Where the Chinese text stands, near its key or its translation when it stands there more than once; 0 for nowhere."""
    needle = _needle(tie.chinese)
    places = [number for number, line in enumerate(lines, 1) if needle and needle in line]
    beside = tie.key or _needle(tie.english)
    for reach in (0, BESIDE):
        for place in places:
            if beside and any(beside in line for line in lines[max(0, place - 1 - reach) : place]):
                return place
    return places[0] if places else 0


def _needle(said: str) -> str:
    """The beginning of the longest stretch that no form of file escapes."""
    return max(APART.split(said), key=len).strip()[:NEEDLE]


def _masked(said: str) -> str:
    return secrets.mask(said).text.strip()[:LONGEST_TEXT]
