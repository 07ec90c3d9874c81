"""`manage.py topic`: a verb a module of `kb_agent.management.topic_commands`."""

from __future__ import annotations

from kb_agent.management import topic_commands
from kb_agent.management.verbs import VerbCommand


class Command(VerbCommand):
    """Dispatches to its verbs."""

    help = "Look at topics."
    package = topic_commands
