"""Looks at everything the product needs, and says what to do about what is missing."""

from __future__ import annotations

from kb_agent.doctor.examine import examine
from kb_agent.doctor.finding import Finding, Level

__all__ = ["Finding", "Level", "examine"]
