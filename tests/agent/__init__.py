"""Tests of the agent: loop, tools, citations, on a real tape."""

from __future__ import annotations
