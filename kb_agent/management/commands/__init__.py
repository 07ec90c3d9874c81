"""A file a command."""
