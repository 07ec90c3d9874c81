"""The verbs of `manage.py topic`: a module each, as `manage.py tape` has them."""

from __future__ import annotations
