"""`manage.py tape`: a verb a module of `kb_agent.management.tape_commands`."""

from __future__ import annotations

from kb_agent.management import tape_commands
from kb_agent.management.verbs import VerbCommand


class Command(VerbCommand):
    """Dispatches to its verbs."""

    help = "Read, write, check, move and archive tapes."
    package = tape_commands
