"""The product's own way to keep passwords, worked out once: people are hired anew for every test."""

from __future__ import annotations

from functools import cache

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class HashedOnce(PBKDF2PasswordHasher):
    """Gives the same password the same hash, which takes a third of a second, and which the product reads."""

    def salt(self) -> str:
        """One for all, as long as the product wants it."""
        return "known-to-every-browser-test"

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """As the product does, once."""
        return _encoded(password, salt, iterations)


@cache
def _encoded(password: str, salt: str, iterations: int | None) -> str:
    return str(PBKDF2PasswordHasher().encode(password, salt, iterations))
