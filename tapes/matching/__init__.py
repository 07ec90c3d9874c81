"""Which entries hold the words of a query, or words near them, whatever the tape is kept in (T13).

searchable the text of an entry
folding    letters that are searched as one: case, traditional and simplified
terms      what a text is found by, and what a query needs
fuzzy      words near those of a query
tiers      hits, the exact ones first
scanning   all that over a tape that has no index
"""

from __future__ import annotations
