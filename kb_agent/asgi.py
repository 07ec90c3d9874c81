"""What the server calls: streams beside Django, each with what suits it."""

from __future__ import annotations

import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_agent.settings")

from django.core.asgi import get_asgi_application

django_application = get_asgi_application()

from kb_agent.api.streaming import Message, Receive, Send, Streams  # noqa: E402 - needs Django set up
from kb_agent.repositories import warming  # noqa: E402 - like the line above

streams = Streams()


async def application(scope: Message, receive: Receive, send: Send) -> None:
    """Hand each request to what answers it."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
    elif scope["type"] == "http" and scope["path"] == "/api/stream":
        await streams(scope, receive, send)
    else:
        answer: Any = django_application
        await answer(scope, receive, send)


async def _live(receive: Receive, send: Send) -> None:
    """Say that the process is up, have its lists of words read, and leave Redis when it goes down."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            warming.begin()
        if message["type"] == "lifespan.shutdown":
            await streams.close()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
