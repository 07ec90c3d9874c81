"""Turns what keeps a tool from a file into words for the model."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from kb_agent.agent.desk import ToolRefused
from kb_agent.repositories import mirror, text
from kb_agent.repositories.evidence import history
from kb_agent.repositories.mirror import git

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def code(path: str) -> Iterator[None]:
    """Read a file within; raises `ToolRefused` where it cannot be had."""
    try:
        yield
    except mirror.MissingFile as missing:
        raise ToolRefused(
            "unknown_file",
            f"there is no file {path!r} with such lines; use list_files to see paths",
        ) from missing
    except mirror.TooLarge as large:
        raise ToolRefused("too_large", f"{path!r} is too large for this") from large
    except text.Binary as binary:
        raise ToolRefused("no_text", f"{path!r} holds no text that can be shown") from binary
    except history.NoHistory as none:
        raise ToolRefused(
            "no_history", "this repository is a plain folder: nothing is known of its history"
        ) from none
    except git.TookTooLong as late:
        raise ToolRefused(
            "took_too_long", f"the history of {path!r} is too long to be told; ask for fewer lines"
        ) from late
