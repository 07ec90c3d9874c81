"""Members, their points and levels."""
