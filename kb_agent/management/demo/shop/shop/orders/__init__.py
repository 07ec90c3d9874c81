"""Orders: their totals, life and numbers."""
