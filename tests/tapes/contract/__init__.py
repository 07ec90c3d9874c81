"""What every store of tapes promises, in sentences; the archive keeps the reading half."""

from __future__ import annotations
