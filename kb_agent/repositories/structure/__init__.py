"""How a text is made: its language, its parts and their names, read off the text alone."""

from __future__ import annotations
