"""What a newcomer reads when everything is up: address, people, what to type."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kb_agent.launcher import address

if TYPE_CHECKING:
    from kb_agent.launcher.place import Place


def show(where: Place) -> None:
    """Print it; passwords only the first time, since terminals are scrolled back."""
    print(f"\nKB Agent is ready: {address.url()}\n", flush=True)
    passwords = where.var / "demo-passwords"
    if passwords.exists():
        shown = where.locks / "passwords-shown"
        if shown.exists():
            print(f"  sign in with the passwords kept in {passwords}")
        else:
            print("  sign in as (also kept in " + str(passwords) + "):")
            print("".join(f"    {line}\n" for line in passwords.read_text().splitlines()), end="")
            shown.touch(mode=0o600)
    samples = where.var / "demo-questions.json"
    if samples.exists():
        print("  and ask, for example:")
        for sample in json.loads(samples.read_text()):
            print(f"    {sample}")
    print(f"\n  logs: {where.logs}   stop: Ctrl-C\n", flush=True)
