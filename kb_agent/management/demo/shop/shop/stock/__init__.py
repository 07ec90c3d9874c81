"""What is in the warehouse and what is promised."""
