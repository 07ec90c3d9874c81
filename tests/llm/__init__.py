"""Tests of the language-model layer, against a real local server."""

from __future__ import annotations
