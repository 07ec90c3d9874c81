"""The product's settings for the processes that tests start: unordered rows come in reverse there too."""

from __future__ import annotations

from kb_agent.settings import *  # noqa: F403 — all of them
from kb_agent.settings import DATABASES

for database in DATABASES.values():
    database["ENGINE"] = "tests.backwards"
