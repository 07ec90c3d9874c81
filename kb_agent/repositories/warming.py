"""Reads what a search needs of the public lists before the first question waits for it."""

from __future__ import annotations

import threading

from kb_agent.repositories import terms
from kb_agent.repositories.vocabulary import dictionary, glosses, synonyms


def warm() -> None:
    """Read every list of words that a question in any language needs; about a second of a core, once a process."""
    terms.fold("")
    dictionary.built_in()
    dictionary.has("")
    synonyms.of("")
    glosses.near("")


def begin() -> threading.Thread:
    """`warm` beside whatever the process does; a question that comes meanwhile reads what it needs itself."""
    thread = threading.Thread(target=warm, name="warming", daemon=True)
    thread.start()
    return thread
