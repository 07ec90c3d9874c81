"""`manage.py add_endpoint`: connect a language model or an embedding model."""

from __future__ import annotations

import getpass
import os
import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.llm import endpoints, windows

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Add an OpenAI-compatible endpoint, or change the one of that name."""

    help = (
        "Connect an OpenAI-compatible language model, or with --embedding a model that search by"
        " meaning uses; the key is asked for and stored encrypted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name, address and model; everything else is known to most endpoints."""
        parser.add_argument("name", help="what people call it")
        parser.add_argument("base_url", help="such as https://host/v1")
        parser.add_argument("model", help="the model's name at that address")
        parser.add_argument(
            "--embedding", action="store_true", help="the model makes vectors of texts"
        )
        parser.add_argument(
            "--inputs",
            choices=["plain", "input_type", "prefixed"],
            default="plain",
            help="how an embedding model is told a question from a passage",
        )
        parser.add_argument("--key-env", help="environment variable that holds the key")
        parser.add_argument(
            "--no-key", action="store_true", help="a local server that wants no key"
        )
        parser.add_argument("--window", type=int, help="tokens the model can take")
        parser.add_argument("--max-tokens", type=int, help="longest answer asked for")
        parser.add_argument("--tools", choices=["native", "text"], default="native")
        parser.add_argument(
            "--position", type=int, default=100, help="order of use; later ones are fallbacks"
        )
        parser.add_argument("--input-price", type=Decimal, help="per million tokens")
        parser.add_argument("--cached-price", type=Decimal, help="per million cached tokens")
        parser.add_argument("--output-price", type=Decimal, help="per million tokens")
        parser.add_argument("--currency", default="USD")

    def handle(self, *_: Any, **options: Any) -> None:
        """Make the one call."""
        known = ("window", "max_tokens", "tools", "inputs", "position", "currency")
        prices = ("input_price", "cached_price", "output_price")
        kind = "embedding" if options["embedding"] else "chat"
        terms = endpoints.Terms(kind=kind, **{name: options[name] for name in (*known, *prices)})
        try:
            endpoint = endpoints.add(
                options["name"],
                base_url=options["base_url"],
                model=options["model"],
                key=_key(options),
                terms=terms,
            )
        except endpoints.BadEndpoint as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{endpoint.name}: {endpoint.model} at {endpoint.base_url} is used from now on."
        )
        if kind == "chat":
            self.stdout.write(windows.told(endpoint))


def _key(options: dict[str, Any]) -> str:
    """The key from where it was said to be: never an argument, which other users could read."""
    if options["no_key"]:
        return ""
    if options["key_env"]:
        name = options["key_env"]
        if name not in os.environ:
            raise CommandError(f"there is no environment variable {name}")
        return os.environ[name].strip()
    if sys.stdin.isatty():
        return getpass.getpass("Key (empty for none, or to keep the stored one): ").strip()
    return ""
