"""What the tapes are about: topics, their turns, and the hooks around them."""

from __future__ import annotations
