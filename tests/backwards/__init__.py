"""PostgreSQL that gives rows nobody asked to be ordered in reverse.

The order of such rows is the database's affair: that of the table until rows were deleted, or until a join is planned
otherwise. Code that leans on it works in every small test and fails some night. Here it fails at once, everywhere.
"""
