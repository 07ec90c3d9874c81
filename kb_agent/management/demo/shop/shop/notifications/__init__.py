"""Messages to customers and staff."""
