"""Copies of closed tapes outside the database, verified, and read back on demand (T15)."""

from __future__ import annotations
