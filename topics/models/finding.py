"""The rows by which topics are found in a list: words (written by `finding`), and pins (`pins`)."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Lookup, Q
from django.db.models.functions import Now


class Words(SearchVectorField):  # type: ignore[type-arg]
    """Terms as PostgreSQL finds them; `words__hold` takes a query in its own language."""


@Words.register_lookup
class Hold(Lookup):
    """`words @@ query`, the query as it is: no dictionary cuts its terms again."""

    lookup_name = "hold"
    prepare_rhs = False

    def get_db_prep_lookup(self, value: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Hand the query over as text."""
        return "%s::tsquery", (value,)

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Compare the words with the query."""
        words, of_words = self.process_lhs(compiler, connection)
        query, of_query = self.process_rhs(compiler, connection)
        return f"{words} @@ {query}", (*of_words, *of_query)


class TopicWords(models.Model):
    """What a topic is found by, for those who may read all of `sources`; a projection of its tape.

    A topic has a row for each different set of repositories its texts rest on, and each holds the
    words of every text that rests on nothing else: so one row answers, whoever asks, and a topic
    with one withheld answer is still found by its title.
    """

    topic = models.ForeignKey("topics.Topic", models.CASCADE, related_name="words")
    named = models.BooleanField(default=False)
    """Whether these are the words of title and summary alone, which are prose (C7)."""

    whole = models.BooleanField(default=False)
    """Whether these are all words of the topic; its sources are all repositories it rests on."""

    sources = ArrayField(models.BigIntegerField(), default=list)
    words = Words()
    """Folded terms (`tapes.matching.terms`), without places."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["topic", "named", "sources"], name="topic_words_once_a_source_set"
            ),
            models.UniqueConstraint(
                fields=["topic"], condition=Q(whole=True), name="topic_words_whole_once"
            ),
        ]
        indexes: ClassVar = [
            GinIndex(fields=["words"], name="topic_words_by_word", fastupdate=False),
            GinIndex(
                fields=["sources"],
                name="topic_words_by_source",
                condition=Q(whole=True),
                fastupdate=False,
            ),
        ]

    def __str__(self) -> str:
        return f"words of topic {self.topic_id}"


class TopicTerm(models.Model):
    """A word in letters that some topic holds: what a misspelt one is compared with."""

    term = models.CharField(max_length=64, primary_key=True)

    class Meta:
        indexes: ClassVar = [
            # New terms go into the index at once: a list of them beside it is read whole by every search.
            GinIndex(
                OpClass("term", "gin_trgm_ops"), name="topic_term_by_trigram", fastupdate=False
            ),
        ]

    def __str__(self) -> str:
        return self.term


class TopicIndexing(models.Model):
    """Whether a topic's words are up to date; set stale where the topic changes."""

    topic = models.OneToOneField(
        "topics.Topic", models.CASCADE, primary_key=True, related_name="indexing"
    )
    stale = models.BooleanField(default=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["topic"], condition=Q(stale=True), name="topic_words_stale"),
        ]

    def __str__(self) -> str:
        return f"words of topic {self.topic_id}: {'stale' if self.stale else 'fresh'}"


class TopicPin(models.Model):
    """A topic that a person keeps at the top of their list."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="topic_pins")
    topic = models.ForeignKey("topics.Topic", models.CASCADE, related_name="pins")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["person", "topic"], name="topic_pinned_once"),
        ]

    def __str__(self) -> str:
        return f"topic {self.topic_id} pinned by {self.person_id}"
