"""Append-only tapes: what happened, in order, provably; imports nothing else of ours.

entries     entries as values: what may happen, and what has
store       the only writer of entries
rows        how they travel to the database function that writes them
exact_text  their exact text, and what is refused before
forks       entries that no default view shows until they are merged
anchors     which anchors move the window
views       reading views of tapes, wherever they are kept
windows     views as values, and what they cover without a database
scopes      the same in SQL
source      one tape as it is read without a database
browsing    a tape page by page, as people look at it
search      search over a whole tape, by its index
matching    what an entry is found by, and search without an index or a database
spilled     huge output in pages
messages    what the model is shown, and the hash that proves it
renderers   how entries become messages, a module a version
saw         what the model saw in a recorded call
chain       what digests and hashes are made of
verify      the first entry that was changed behind the database's back
heads       the log of heads outside the database
checking    the same check of a tape in files
erasure     the words of a range taken away for good
erasures    what an erasure leaves, and what a check keeps of it
erased_form an entry without its words
stores      the stores behind one protocol
archive     copies of closed tapes outside the database
records     an entry with everything that proves it, as a line of a file
tape_info   what a list of tapes says of each
files       writing files so that they are on the disk
jsonl       bub's files
transfer    a tape of the database to such a file, and back
paging      many rows, a page at a time
text        a tape as text, a line an entry
models      the rows
partitions  ranges of tape ids, made ahead of need
privileges  what the application's role may do
projections rows that follow from events, in the append's transaction
signals     what tapes tell the world
errors      the named refusals
apps        the Django app
"""

from __future__ import annotations
