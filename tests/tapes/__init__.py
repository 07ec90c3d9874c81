"""Tests of the tapes app: its rules are named in the tests' names."""

from __future__ import annotations
