"""Where the web server listens; read without Django, since the launcher must stay light."""

from __future__ import annotations

import os
import socket

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000


def host() -> str:
    """`KB_AGENT_HOST` or this machine only."""
    return os.environ.get("KB_AGENT_HOST") or DEFAULT_HOST


def port() -> int:
    """`KB_AGENT_PORT` or 8000. Raises `ValueError` on anything but a number."""
    return int(os.environ.get("KB_AGENT_PORT") or DEFAULT_PORT)


def url() -> str:
    """What to type into a browser on this machine."""
    shown = "127.0.0.1" if host() in {"0.0.0.0", "::"} else host()  # noqa: S104 — compared, not bound
    return os.environ.get("KB_AGENT_PUBLIC_URL") or f"http://{shown}:{port()}"


def why_not_free() -> str:
    """Empty when the port can be bound, else one sentence."""
    try:
        wanted = socket.getaddrinfo(host(), port(), type=socket.SOCK_STREAM)[0]
        with socket.socket(wanted[0], wanted[1]) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(wanted[4])
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return (
            f"Port {port()} on {host()} cannot be used ({reason.lower()}): stop what holds it, or"
            f" choose another, for example `KB_AGENT_PORT={port() + 1} make run`."
        )
    except ValueError:
        return f"KB_AGENT_PORT must be a number, not {os.environ['KB_AGENT_PORT']!r}."
    return ""
