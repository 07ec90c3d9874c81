"""What a person at a browser does, over HTTP and nothing else."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from tests.api.company import browser

if TYPE_CHECKING:
    from rest_framework.test import APIClient

    from kb_agent.accounts.models import User

ENDED = ("done", "stopped", "failed")
Found = dict[str, Any]


@dataclass
class Person:
    """Someone signed in; every method is one thing they do."""

    user: User
    keys: Any = field(default_factory=lambda: count(1))
    client: APIClient = field(init=False)

    def __post_init__(self) -> None:
        self.client = browser(self.user)

    def asks(self, text: str, **said: Any) -> Found:
        """Send a question; the turn, topic and what it continues."""
        key = f"{self.user.username}-{next(self.keys)}"
        response = self.client.post(
            "/api/questions",
            {"text": text, **said},
            format="json",
            headers={"Idempotency-Key": key},
        )
        assert response.status_code == 202, response.content
        return self._json(response)

    def waits_for(self, turn: Found, *statuses: str, within: float = 60) -> Found:
        """Look until the turn stands like that."""
        deadline = time.monotonic() + within
        while (now := self.sees(f"/api/turns/{turn['id']}"))["status"] not in (statuses or ENDED):
            assert time.monotonic() < deadline, now
            time.sleep(0.05)
        return now

    def waits_for_end(self, topic: Found, *, within: float = 60) -> Found:
        """Look until the topic is finished, which comes after its last turn's end."""
        deadline = time.monotonic() + within
        while (now := self.sees(f"/api/topics/{topic['id']}"))["status"] != "finalized":
            assert time.monotonic() < deadline, now
            time.sleep(0.05)
        return now

    def is_answered(self, text: str, **said: Any) -> Found:
        """Ask and wait for the answer's entry."""
        asked = self.asks(text, **said)
        turn = self.waits_for(asked["turn"])
        entries = self.sees(f"/api/topics/{turn['topic']}/entries")["results"]
        answer = [entry for entry in entries if entry["seq"] == turn["answer_seq"]]
        return {"turn": turn, "topic": asked["topic"], "answer": answer[0] if answer else None}

    def sees(self, path: str, **query: Any) -> Found:
        """Open an address."""
        response = self.client.get(path, query)
        assert response.status_code == 200, (path, response.content)
        return self._json(response)

    def stops(self, turn: Found) -> Found:
        """Press Stop."""
        return self._json(self.client.post(f"/api/turns/{turn['id']}/stop"))

    def finishes(self, topic: Found) -> Found:
        """Press Finish topic."""
        return self._json(self.client.post(f"/api/topics/{topic['id']}/finalize"))

    @staticmethod
    def _json(response: Any) -> Found:
        found: Found = response.json()
        return found
