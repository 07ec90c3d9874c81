"""The folder of tapes under crashes, full disks, other processes and erasures."""

from __future__ import annotations
