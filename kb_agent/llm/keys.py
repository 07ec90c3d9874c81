"""Seals provider keys with a key derived from SECRET_KEY, so that the database alone reveals none."""

from __future__ import annotations

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


class SealBroken(ValueError):
    """A stored key cannot be opened: SECRET_KEY has changed since it was sealed."""


def _fernet() -> Fernet:
    digest = hashlib.sha256(b"kb_agent.llm.keys:" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))


def seal(key: str) -> str:
    """Encrypt a provider key; an empty key (a local server) stays empty."""
    return _fernet().encrypt(key.encode()).decode() if key else ""


def unseal(sealed: str) -> str:
    """Decrypt a sealed key. Raises SealBroken."""
    if not sealed:
        return ""
    try:
        return _fernet().decrypt(sealed.encode()).decode()
    except InvalidToken as error:
        raise SealBroken(
            "a model key cannot be decrypted: SECRET_KEY has changed, enter the key again"
        ) from error
