"""The product's settings for tests: servers of their own under var/test, and no connection pool."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("KB_AGENT_VAR", str(Path(__file__).resolve().parent.parent / "var" / "test"))
os.environ.setdefault("KB_AGENT_DATABASE_POOL", "0")
os.environ.setdefault("KB_AGENT_DURABLE", "0")
os.environ.setdefault("KB_AGENT_LOG_LEVEL", "WARNING")
# What a developer's own git is told to do (sign, run hooks, change line ends) makes no repository of a test.
os.environ.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1")

from kb_agent.settings import *
from kb_agent.settings import DATABASES

# Hashing a password properly takes 0.2 s, and tests make many people.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# A statement whose test has run out of time ends before the next test waits for its locks.
for database in DATABASES.values():
    database["ENGINE"] = "tests.backwards"
    given = database["OPTIONS"].get("options", "")
    database["OPTIONS"]["options"] = f"{given} -c statement_timeout=150s".strip()
