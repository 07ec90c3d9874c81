"""Tool: read on in a result that was cut."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from kb_agent.agent.desk import Desk, Output, ToolRefused
from tapes import spilled
from topics import quoting


def read_more(
    desk: Desk,
    id: Annotated[str, Field(description="The id that the cut result names")],  # noqa: A002 - the model's word
    page: Annotated[int, Field(ge=1, description="Which page, from 1")] = 2,
) -> Output:
    """Read another page of an earlier result that was cut, as its last line says.

    A narrower search or a smaller range is usually the better way.
    """
    found = spilled.find(desk.tape_id, id.strip()) if len(id.strip()) >= spilled.SHORT else None
    if found is None or not desk.shows(found[0]):
        raise ToolRefused("unknown_id", f"no result of this tape was cut under the id {id!r}")
    entry, spill = found
    try:
        text = spilled.page(spill, page)
    except spilled.UnknownPage as none:
        raise ToolRefused("unknown_page", str(none)) from none
    return Output(
        content=f"{text.rstrip()}\n[page {page} of {spill['pages']}]",
        data={"id": spill["id"], "page": page, "pages": spill["pages"], "seq": entry.seq},
        sources=frozenset(entry.sources),
        topics=quoting.all_quoted([entry]),
    )
