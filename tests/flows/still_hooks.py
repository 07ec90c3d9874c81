"""A hook that stands still the first time it runs, so that its worker can be killed inside it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from kb_agent.accounts.models import Audit
from tapes import entries
from topics import hooks

if TYPE_CHECKING:
    from topics.hooks import Context, Effect

DID = "stood_still"


def inside(folder: Path) -> bool:
    """Whether a worker stands inside the hook, or did."""
    return (folder / "inside").exists()


@hooks.hook(does="Stands still once.")
def stand_still(context: Context) -> Effect | None:
    """Stand until killed, the first time; then leave one entry and one row."""
    place = Path(os.environ["STILL_FOLDER"]) / "inside"
    if not place.exists():
        place.touch()
        time.sleep(60)
    said = entries.event(DID, {"topic": context.topic_id})
    return hooks.Effect(
        outcome="stood",
        entries=(said,),
        write=lambda: Audit(action=DID, object=f"topic:{context.topic_id}").save(),
    )
