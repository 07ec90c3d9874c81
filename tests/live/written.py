"""What Redis remembers of a turn's live text, for tests to read."""

from __future__ import annotations

import redis
from django.conf import settings

from kb_agent import live
from kb_agent.live.following import text_key


def text_so_far(turn_id: int) -> dict[int, str]:
    """What the model has written in each step, as a reader who comes now would see it."""
    written = live.Writing()
    written.add(redis.Redis.from_url(settings.REDIS_URL).lrange(text_key(turn_id), 0, -1))
    return {step: each.text for step, each in written.steps.items()}
