"""Puts together what a finished topic is recalled by: its words in both languages, and its places in code (P7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from kb_agent.accounts.models import User
from kb_agent.repositories import access, search, secrets, terms
from kb_agent.repositories.vocabulary import questions
from topics import recalling, retelling
from topics.models import Topic, TopicStatus
from topics.recalling import Kept

if TYPE_CHECKING:
    from kb_agent.repositories.search import Hit

# Places that a question landed in, and those its answer cites, that are kept.
LANDED, MOST_CITED = 10, 40
# From this weight on a translation counts as one of the topic's own words.
SURE = 0.6
TEXT_CHARS = 2_000


def remember(topic_id: int) -> bool:
    """Write anew what a topic is recalled by; says whether there was anything to write."""
    topic = Topic.objects.filter(pk=topic_id).exclude(status=TopicStatus.OPEN).first()
    kept = of(topic) if topic else None
    if kept is not None:
        recalling.keep(topic_id, kept)
    return kept is not None


def of(topic: Topic) -> Kept | None:
    """What a topic is recalled by; None when nothing was asked in it."""
    told = retelling.of(topic)
    if not told:
        return None
    sources = {*topic.sources, *(source for one in told for source in one.sources)}
    texts = [topic.title, topic.summary]
    texts += [part for one in told for part in (one.question, one.said)]
    readable = access.readable_ids(User.objects.get(pk=topic.owner_id))
    masked = [secrets.mask(text).text for text in dict.fromkeys(texts) if text]
    return Kept(
        language=told[0].language,
        words=set(words(masked, sorted(sources & readable))),
        landed=landed([one.question for one in told], readable),
        cited=[place for one in told for place in _cited(one.places)][:MOST_CITED],
        text="\n".join(masked)[:TEXT_CHARS],
        sources=sources,
    )


def words(texts: Iterable[str], repositories: list[int]) -> Iterator[str]:
    """The terms of texts, and what their Chinese words may be in English, weak ones marked.

    Only the catalogues of repositories that the topic rests on speak: whoever recalls it reads them.
    """
    for text in texts:
        yield from terms.count(terms.email_joined(terms.fold(text)))
        for concept in questions.concepts(text, repositories):
            if concept.chinese:
                for term, weight in concept.terms:
                    yield term if weight >= SURE else recalling.WEAK + term


def landed(asked: Iterable[str], readable: frozenset[int]) -> list[tuple[str, float]]:
    """The first places that questions land in, and what each counts."""
    best: dict[str, float] = {}
    for question in asked:
        hits = search.search(question, readable=readable, limit=LANDED).hits
        for key, weight in landed_in(hits):
            best[key] = max(best.get(key, 0.0), weight)
    return sorted(best.items(), key=lambda one: (-one[1], one[0]))[: 2 * LANDED]


def landed_in(hits: Sequence[Hit]) -> list[tuple[str, float]]:
    """The first of these places by name, so that they are the same after the next indexing."""
    return [
        (f"{hit.repository_id}:{hit.path}#{hit.symbol}", recalling.by_rank(rank))
        for rank, hit in enumerate(hits[:LANDED])
    ]


def _cited(places: Iterable[dict[str, object]]) -> Iterator[recalling.Place]:
    for place in places:
        lines = (place["repository_id"], place["start_line"], place["end_line"])
        repository, first, last = (int(str(number)) for number in lines)
        yield repository, str(place["path"]), first, last
