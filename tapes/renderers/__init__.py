"""How entries become messages: one module a version, never edited once released, only added.

Calls recorded under an old version are rebuilt by it, and their hashes prove them (T18).
"""

from __future__ import annotations
