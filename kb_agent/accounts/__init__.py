"""People, their roles, and the audit of what they did with them."""

from __future__ import annotations
