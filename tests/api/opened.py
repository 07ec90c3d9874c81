"""A topic and a view opened to some, with a word of its own in everything that could give them away."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import Group

from tapes import entries, store
from tests.api import company
from tests.api.company import Company
from topics import continuing, describing, facts, lifecycle, named_views, quoting, sharing
from topics.sharing import Opening

if TYPE_CHECKING:
    from collections.abc import Callable

    from kb_agent.accounts.models import User
    from topics.models import Fact, NamedView, Share, Topic
    from topics.sharing import Opened as Made

# A word no other text has, by what it stands in; from code where `FROM_CODE` says so.
WORDS = {
    "question": "quokkafrage",
    "title": "tulpentitel",
    "summary": "sumatrasatz",
    "answer": "antilopenwort",
    "path": "pfefferpfad",
    "result": "resultatrose",
    "recall": "rebhuhnruf",
    "range": "rangierrest",
    "other": "otternfrage",
    "side line": "seitenspur",
    "fact": "faktenfalke",
    "proposed": "vorschlagsvogel",
    "cost": "0.4242",
    "view": "viehsicht",
    "anchor": "ankeramsel",
}
FROM_CODE = {"title", "summary", "answer", "path", "result", "cost", "fact", "proposed"}
OTHERS = {"recall", "range", "other", "side line", "anchor"}
"""Words of another topic of the owner's, or of the tape alone, that stand on the same tape."""


@dataclass
class Opened(Company):
    """The company, with more people: how each came to the topic, or lost it."""

    named: User
    member: User
    visitor: User
    unshared: User
    ungranted: User
    other: Topic
    share: Share
    view: NamedView
    view_share: Share
    fact: Fact
    proposed: Fact

    def people(self) -> dict[str, User | None]:
        """Everyone who may knock."""
        return {
            "owner": self.owner,
            "named": self.named,
            "member": self.member,
            "visitor": self.visitor,
            "ungranted": self.ungranted,
            "unshared": self.unshared,
            "colleague": self.colleague,
            "administrator": self.administrator,
            "auditor": self.auditor,
            "anonymous": None,
        }


READERS = ("owner", "named", "member", "visitor", "auditor")
"""They see the topic and read its code."""
SEE_TOPIC = (*READERS, "ungranted")
WHOLE_TAPE = ("owner", "auditor")


def opened() -> Opened:
    """The owner's topic and view are shared in every way; one share was taken back, one reader lost the code."""
    small = company.founded()
    product = Group.objects.get(name="product")
    testers = Group.objects.create(name="testers")
    named, unshared, ungranted, visitor = (
        company.person(name, product) for name in ("wen", "qin", "zhu", "ping")
    )
    member = company.person("fan", product, testers)
    other = _other_topic(small)
    _said(small, other)
    view = _view(small, other)
    kept, view_share = (
        _in_every_way(open_, named, ungranted, testers, visitor=visitor, unshared=unshared)
        for open_ in (partial(_of_topic, small), partial(_of_view, small, view))
    )
    ungranted.groups.clear()
    fact, proposed = _facts(small)
    small.topic.refresh_from_db()
    everyone = {"named": named, "member": member, "visitor": visitor}
    lost = {"unshared": unshared, "ungranted": ungranted}
    return Opened(
        **{**vars(small), **everyone, **lost},
        other=other,
        share=kept,
        view=view,
        view_share=view_share,
        fact=fact,
        proposed=proposed,
    )


def _other_topic(small: Company) -> Topic:
    """Another topic of the owner's on the same tape, kept to themselves."""
    lifecycle.finalize(small.topic.pk, reason="owner", actor="person:1")
    other = lifecycle.start(
        tape_id=small.topic.tape_id, owner_id=small.owner.pk, title=WORDS["other"], actor="person:1"
    )
    company.answered(other, f"{WORDS['other']}?", f"{WORDS['other']}.", sources=[small.shop.pk])
    return lifecycle.finalize(other.pk, reason="owner", actor="person:1")


def _said(small: Company, other: Topic) -> None:
    """Everything a topic can have, under its id: it reads as one that went on."""
    shop, tape_id = [small.shop.pk], small.topic.tape_id
    context: dict[str, Any] = {
        "topic_id": small.topic.pk,
        "turn_id": small.turn.pk,
        "actor": "agent",
    }
    call = {"id": "c1", "type": "function", "function": {"name": "x", "arguments": "{}"}}
    place = {"topic": other.pk, "tape": tape_id, "range": [other.initial_seq, other.finalized_seq]}
    recalled = {**place, "title": WORDS["recall"], "summary": "", "score": 0.9}
    noted = {"text": WORDS["recall"], "topics": [recalled]}
    quoting_other = {quoting.META: [other.pk]}
    ended = {"call": 9, "status": "ok", "usage": {"input": 1}, "price": "0.4242", "currency": "CNY"}
    store.append(
        tape_id,
        [
            entries.message("user", WORDS["question"], **{**context, "actor": "person:1"}),
            entries.anchor(continuing.RECALL, noted, **context),
            entries.tool_call([call], **context, step=1, part=1),
            entries.tool_result([_result("c1", WORDS["result"])], **context, sources=shop),
            entries.tool_call([{**call, "id": "c2"}], **context, step=2, part=1),
            entries.tool_result([_result("c2", WORDS["range"])], **context, meta=quoting_other),
            entries.message("assistant", WORDS["answer"], **context, sources=shop),
            entries.event("model_call_ended", ended, **context, sources=shop),
            entries.event("side_line", {"note": WORDS["side line"]}, actor="person:1"),
        ],
    )
    small.evidence.path = f"refunds/{WORDS['path']}.py"
    small.evidence.save()
    describing.describe(
        small.topic.pk,
        title=WORDS["title"],
        summary=WORDS["summary"],
        actor="system",
        sources=shop,
    )


def _result(call: str, text: str) -> dict[str, str]:
    return {"id": call, "name": "x", "content": text}


def _view(small: Company, other: Topic) -> NamedView:
    """A view of both topics, of all their tape, and of what follows an anchor that stands in neither."""
    tape_id = small.topic.tape_id
    store.append(tape_id, [entries.anchor(WORDS["anchor"], {}, actor="person:1")])
    parts: list[dict[str, Any]] = [
        {"topic": small.topic.pk},
        {"topic": other.pk},
        {"tape": tape_id, "first": 1},
        {"tape": tape_id, "after": WORDS["anchor"]},
    ]
    return named_views.create(small.owner.pk, WORDS["view"], parts)


def _in_every_way(
    open_: Callable[..., Made],
    named: User,
    ungranted: User,
    group: Group,
    *,
    visitor: User,
    unshared: User,
) -> Share:
    """Open it to two people, a group, by a link, and to one from whom it is taken back; the first share."""
    kept = open_(kind="person", person=named.pk).share
    open_(kind="person", person=ungranted.pk)
    open_(kind="group", group=group)
    sharing.follow(open_(kind="link").token, person_id=visitor.pk)
    sharing.revoke(open_(kind="person", person=unshared.pk).share.pk, actor="system")
    return kept


def _of_topic(small: Company, **how: Any) -> Made:
    return sharing.share(small.topic.pk, _opening(small, **how))


def _of_view(small: Company, view: NamedView, **how: Any) -> Made:
    return sharing.share_view(view.pk, _opening(small, **how))


def _opening(small: Company, **how: Any) -> Opening:
    return Opening(actor=f"person:{small.owner.pk}", by=small.owner.pk, **how)


def _facts(small: Company) -> tuple[Fact, Fact]:
    """An accepted one and a proposed one, drawn from the topic's code."""
    accepted = facts.propose(_draft(small, WORDS["fact"]))
    facts.accept(accepted.pk, version=1, actor=f"person:{small.administrator.pk}")
    return accepted, facts.propose(_draft(small, WORDS["proposed"]))


def _draft(small: Company, text: str) -> facts.Draft:
    row = small.evidence
    place = facts.Cited(
        repository=small.shop.pk,
        commit=row.commit,
        branch=row.branch,
        path="refunds/retry.py",
        start_line=row.start_line,
        end_line=row.end_line,
        content_hash=row.content_hash,
    )
    return facts.Draft(
        topic_id=small.topic.pk,
        text=text,
        evidence=[place],
        sources=[small.shop.pk],
        first_seq=small.topic.initial_seq,
        last_seq=small.topic.initial_seq + 1,
        contributor_id=small.owner.pk,
        origin="person",
        actor=f"person:{small.owner.pk}",
    )
