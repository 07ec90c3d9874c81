"""The company's code: its mirrors, its index, its vocabulary, its grants, and evidence in it.

models       the rows
access       who may read which code: half of permission
mirror       the bare mirror: sources, fetching, git, credentials
branches     the branch a question is about
files        the indexed files of a branch
text         a blob's bytes as lines, everywhere the same
structure    how a text is made: language, chunks, symbols, role
terms        text cut into what the index keeps
indexing     a run over a repository, and what it keeps of each commit
catalogues   where business words meet the code's words
vocabulary   what a question's words may stand for
vectors      what chunks mean, where an endpoint is set up
search       the places a question is about
measuring    search with some of its signals left out
evaluation   questions with known places, and how well search finds them
evidence     places that stay: minted, checked, opened, compared
facts        what accepted facts are to code
recall       the earlier topics a question is near to
secrets      keys, tokens and passwords masked
secret_forms the forms they have
warming      the lists of words, read before the first question
apps         the Django app
"""

from __future__ import annotations
