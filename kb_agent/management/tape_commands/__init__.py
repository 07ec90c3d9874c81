"""The verbs of `manage.py tape`, a module each: `add_arguments(parser)`, `handle(options, out)`."""

from __future__ import annotations
