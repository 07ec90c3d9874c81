"""Commands: they translate, make one call, and answer."""
