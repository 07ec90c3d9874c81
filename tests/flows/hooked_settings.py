"""The product's settings with hooks that stand still until their worker was killed once (`still_hooks`)."""

from __future__ import annotations

import os

from tests.flows.child_settings import *  # noqa: F403 — all of them

TOPIC_HOOKS = {
    # Which point is to stand still, a test says by the environment of its workers.
    "pre_topic_initial": ["topics.finalize_prev.topic_finalize_prev"],
    os.environ["STILL_STAGE"]: ["tests.flows.still_hooks.stand_still"],
}
