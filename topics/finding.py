"""Keeps what topics are found by up to date, and finds them; words are searched where they may be read.

Whoever changes a topic calls `outdate` in the same transaction; the words are made anew right after
the commit, and by the sweep where the process was lost in between.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchVectorField
from django.db import connection, connections, transaction
from django.db.models import Exists, Func, OuterRef, Q, QuerySet, TextField, Value

from tapes import browsing, views
from tapes.matching import fuzzy
from topics import finding_words, quoting
from topics.models import Topic, Turn
from topics.models.finding import TopicIndexing, TopicTerm, TopicWords

if TYPE_CHECKING:
    from tapes.entries import Entry

MOST_TURNS = 200
"""Turns of a topic whose questions and answers are indexed: the newest."""
MOST_SOURCE_SETS = 8
"""Different sets of repositories a topic has rows for; texts of others are in the whole alone."""
FEW = 2_000
"""Rows with the words that are fetched before topics are: the planner guesses badly how many."""
_SIMILAR_ENOUGH = "0.2"
"""How many trigrams of a misspelt word a name must share before it is compared, 0 to 1."""

logger = logging.getLogger(__name__)

Text = tuple[str, frozenset[int]]
"""A text and the repositories it rests on."""


def outdate(topic_id: int) -> None:
    """Have a topic's words made anew once this transaction is committed."""
    TopicIndexing.objects.bulk_create(
        [TopicIndexing(topic_id=topic_id, stale=True)],
        update_conflicts=True,
        unique_fields=["topic"],
        update_fields=["stale"],
    )
    transaction.on_commit(partial(refresh, topic_id), robust=True)


def stale(*, limit: int = 500) -> list[int]:
    """Topics whose words wait to be made anew."""
    rows = TopicIndexing.objects.filter(stale=True)
    return list(rows.order_by("topic").values_list("topic_id", flat=True)[:limit])


def refresh_stale() -> int:
    """Make the words anew that wait for it; returns how many topics."""
    done = 0
    for topic_id in stale():
        try:
            done += refresh(topic_id)
        except Exception:
            # Another topic's words are no worse for it.
            logger.exception("the words of topic %s could not be made", topic_id)
    return done


@transaction.atomic
def refresh(topic_id: int) -> bool:
    """Make a topic's words anew, unless someone has since it changed; says whether it did."""
    state = TopicIndexing.objects.select_for_update().filter(topic=topic_id, stale=True).first()
    if state is None:
        return False
    topic = Topic.objects.get(pk=topic_id)
    made = list(rows(topic, list(texts(topic))))
    forget(topic_id)
    write(made)
    TopicIndexing.objects.filter(pk=topic_id).update(stale=False)
    return True


def write(made: Sequence[tuple[TopicWords, set[str]]]) -> None:
    """Insert what `rows` made."""
    names = sorted({name for _, found in made for name in finding_words.names_of(found)})
    TopicTerm.objects.bulk_create([TopicTerm(term=name) for name in names], ignore_conflicts=True)
    for row, found in made:
        row.words = Func(
            Value(sorted(found), output_field=ArrayField(TextField())),
            function="array_to_tsvector",
            output_field=SearchVectorField(),
        )
    TopicWords.objects.bulk_create([row for row, _ in made])


def forget(topic_id: int, *, using: str = "default") -> None:
    """Drop a topic's words."""
    TopicWords.objects.using(using).filter(topic=topic_id).delete()


def forget_words(topic_ids: Iterable[int], *, using: str) -> None:
    """Drop the words of erased topics in the erasure's transaction, and terms no other holds (T19)."""
    ids = sorted(set(topic_ids))
    with connections[using].cursor() as cursor:
        cursor.execute(
            "DELETE FROM topics_topicwords WHERE topic_id = ANY(%s)"
            " RETURNING tsvector_to_array(words)",
            [ids],
        )
        gone = sorted({term for (found,) in cursor.fetchall() for term in found})
        cursor.execute(
            "DELETE FROM topics_topicterm AS t WHERE t.term = ANY(%s) AND NOT EXISTS"
            " (SELECT 1 FROM topics_topicwords AS w WHERE w.words @@ quote_literal(t.term)::tsquery)",
            [gone],
        )
        cursor.execute(
            "INSERT INTO topics_topicindexing (topic_id, stale) SELECT id, true FROM topics_topic"
            " WHERE id = ANY(%s) ON CONFLICT (topic_id) DO UPDATE SET stale = true",
            [ids],
        )


def texts(topic: Topic) -> Iterator[Text]:
    """What a topic is found by: title, summary, questions, answers, and what corrects those."""
    named = frozenset(topic.sources)
    yield topic.title, named
    yield topic.summary, named
    turns = Turn.objects.filter(topic=topic.pk).order_by("-pk")[:MOST_TURNS]
    seqs = {seq for turn in turns for seq in (turn.question_seq, turn.answer_seq) if seq}
    places = [(topic.tape_id, seq) for seq in sorted(seqs)]
    for entry in views.at(places):
        # What repeats another topic's words is for those who may see that one: it is not searched.
        if not quoting.quoted(entry):
            yield _said(entry, "content"), frozenset(entry.sources)
    for corrections in browsing.corrections(places).values():
        for entry in corrections:
            yield _said(entry, "text"), frozenset(entry.sources)


def rows(topic: Topic, found: Sequence[Text]) -> Iterator[tuple[TopicWords, set[str]]]:
    """The rows of a topic whose texts these are, title and summary first, each with its terms."""
    named = frozenset(topic.sources)
    if named:
        called = (finding_words.of(text) for text, sources in found[:2] if sources == named)
        words = set[str]().union(*called)
        yield TopicWords(topic=topic, named=True, sources=sorted(named)), words
    cut = [(finding_words.of(text), sources) for text, sources in found if text]
    sets = list(dict.fromkeys(sources for _, sources in cut))[-MOST_SOURCE_SETS:]
    whole = frozenset[int]().union(*(sources for _, sources in cut))
    for each in dict.fromkeys([*sets, whole]):
        words = set[str]().union(*(terms for terms, sources in cut if sources <= each))
        yield TopicWords(topic=topic, whole=each == whole, sources=sorted(each)), words


@dataclass(frozen=True)
class Held:
    """The topics that hold the words looked for where the reader may read them."""

    rows: QuerySet[TopicWords]

    def among(self, topic_ids: Sequence[int]) -> set[int]:
        """Those of these topics, which are few."""
        held = self.rows.filter(topic__in=topic_ids)
        return set(held.values_list("topic_id", flat=True))

    def anywhere(self) -> Q:
        """All of them, as a filter on topics."""
        few = list(self.rows.values_list("topic_id", flat=True)[:FEW])
        if len(few) < FEW:
            return Q(pk__in=set(few))
        # In many topics: a page is soon full when topics are looked at from the newest.
        return Q(Exists(self.rows.filter(topic=OuterRef("pk"))))


def holding(words: str, *, readable: frozenset[int], prose: frozenset[int]) -> Held | None:
    """What holds these words where the reader may read them; None without words: all topics.

    `readable` are the repositories whose code the reader may read, `prose` those whose titles and
    summaries they may.
    """
    query = finding_words.query(words)
    return _held(query, readable, prose) if query else None


def nearly_holding(words: str, *, readable: frozenset[int], prose: frozenset[int]) -> Held | None:
    """What holds something near these words; None where nothing can be near them."""
    rough = finding_words.rough_query(words, _near)
    return _held(rough, readable, prose) if rough else None


def resting_on(repository_id: int) -> Q:
    """Topics of which some text rests on this repository."""
    rows = TopicWords.objects.filter(topic=OuterRef("pk"), whole=True)
    return Q(Exists(rows.filter(sources__contains=[repository_id])))


def repositories_of(topic_ids: Iterable[int]) -> dict[int, list[int]]:
    """The repositories that topics rest on, by topic."""
    rows = TopicWords.objects.filter(topic__in=list(topic_ids), whole=True)
    return dict(rows.values_list("topic_id", "sources"))


def _held(query: str, readable: frozenset[int], prose: frozenset[int]) -> Held:
    may_read = Q(sources__contained_by=sorted(readable))
    if prose != readable:
        may_read |= Q(named=True, sources__contained_by=sorted(prose))
    return Held(TopicWords.objects.filter(may_read, words__hold=query))


def _said(entry: Entry, name: str) -> str:
    """What an entry says; nothing of one that was erased."""
    payload = entry.payload.get("data") or entry.payload
    said = payload.get(name)
    return said if isinstance(said, str) else ""


def _near(word: str) -> list[str]:
    """Words in topics near a misspelt one, the nearest first."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('pg_trgm.similarity_threshold', %s, true)", [_SIMILAR_ENOUGH]
        )
        cursor.execute(
            "SELECT term FROM topics_topicterm WHERE term %% %s"
            " ORDER BY similarity(term, %s) DESC, term LIMIT 300",
            [word, word],
        )
        names = [term for (term,) in cursor.fetchall()]
    return [names[place] for place in fuzzy.near_names(word, names)]
