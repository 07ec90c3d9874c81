"""Migrations of tapes."""
