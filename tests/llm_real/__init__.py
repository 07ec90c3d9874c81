"""The wire format against software no one here wrote: llama.cpp from wheels, with tiny weights."""

from __future__ import annotations
