"""Language models: endpoints, the one client that calls them, and the evidence model that needs none."""

from __future__ import annotations
