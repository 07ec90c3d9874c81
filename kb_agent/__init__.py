"""KB Agent answers business questions from a company's code."""
