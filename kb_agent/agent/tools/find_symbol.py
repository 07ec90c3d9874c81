"""Tool: find where a name is defined and used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from kb_agent.agent import showing
from kb_agent.agent.desk import Desk, Output, ToolRefused
from kb_agent.repositories import evidence
from kb_agent.repositories.search import symbols
from kb_agent.repositories.structure import references

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFINITIONS_MOST = 12
USES_MOST = 25
LINES_SHOWN = 6
TITLES = {
    references.USE: "Used here:",
    references.IMPORT: "Imported here:",
    references.TEXT: "Named in a text here:",
    references.COMMENT: "Spoken of in a comment here:",
}


def find_symbol(
    desk: Desk,
    name: Annotated[
        str, Field(description="A class, function, method or constant, as the code spells it")
    ],
    repository: Annotated[str, Field(description="Name of one repository; empty: all")] = "",
) -> Output:
    """Find the definitions of a name and the places that use it, exactly as spelt.

    Use it to follow a rule from where it is named to where it is enforced, and to see who depends
    on it: uses come first, then imports, texts and comments. Every place has an evidence id.
    """
    if not name.strip():
        raise ToolRefused("empty_name", "the name is empty; say which symbol")
    found = symbols.find(name.strip(), desk.named(repository), branch=desk.branch)
    definitions, uses = found.definitions[:DEFINITIONS_MOST], found.uses[:USES_MOST]
    minted = evidence.mint(desk.topic_id, desk.turn_id, [*definitions, *uses])
    defined = list(zip(minted, definitions, strict=False))
    used = list(zip(minted[len(definitions) :], uses, strict=True))
    return Output(
        content="\n".join(
            [
                *_shown("Defined here:", defined),
                *(
                    line
                    for kind, title in TITLES.items()
                    for line in _shown(title, [pair for pair in used if pair[1].kind == kind])
                ),
                *_left_out(found, definitions, uses),
            ]
        )
        or f"No symbol is spelt {name!r}. Try search_code.",
        data={
            "name": name,
            "definitions": [showing.place(row, place.repository) for row, place in defined],
            "uses": [
                {**showing.place(row, place.repository), "kind": place.kind} for row, place in used
            ],
        },
        sources=frozenset(place.repository_id for place in [*definitions, *uses]),
    )


def _shown(title: str, pairs: Sequence[tuple[Any, Any]]) -> list[str]:
    lines = [title] if pairs else []
    for row, place in pairs:
        lines.append(showing.head(row, place.repository, place.symbol))
        lines.append(showing.numbered(place.excerpt.split("\n")[:LINES_SHOWN], place.start_line))
    return lines


def _left_out(found: Any, definitions: Sequence[Any], uses: Sequence[Any]) -> list[str]:
    more = len(found.definitions) + len(found.uses) - len(definitions) - len(uses)
    return [f"({more} more places are left out; name a repository)"] if more else []
