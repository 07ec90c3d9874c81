"""The stores a tape can be kept in, all behind the protocol in `tapes.stores.protocol` (T15)."""

from __future__ import annotations
