"""The product's settings for tests: servers of their own under var/test, and no connection pool."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("KB_AGENT_VAR", str(Path(__file__).resolve().parent.parent / "var" / "test"))
os.environ.setdefault("KB_AGENT_DATABASE_POOL", "0")
os.environ.setdefault("KB_AGENT_DURABLE", "0")
os.environ.setdefault("KB_AGENT_LOG_LEVEL", "WARNING")

from kb_agent.settings import *
from kb_agent.settings import DATABASES

# Hashing a password properly takes 0.2 s, and tests make many people.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# A statement whose test has run out of time ends before the next test waits for its locks.
for database in DATABASES.values():
    given = database["OPTIONS"].get("options", "")
    database["OPTIONS"]["options"] = f"{given} -c statement_timeout=150s".strip()
