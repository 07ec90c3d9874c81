"""The company's code: its mirrors, its index, its vocabulary, its grants, and evidence in it."""
