"""The tools, one a file: typed functions whose docstring is what the model reads. All are read-only."""

from __future__ import annotations
