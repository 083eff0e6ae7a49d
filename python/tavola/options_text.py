"""Options of a game as records have them: `NAME=VALUE`, separated by spaces."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["options_text", "parse_options"]


def options_text(options: Mapping[str, object]) -> str:
    """Return options as a text.

    >>> options_text({"players": 3, "balance": 1})
    'players=3 balance=1'
    """
    return " ".join(f"{name}={value}" for name, value in options.items())


def parse_options(text: str) -> dict[str, str]:
    """Return the options that a text names. The game checks them: a word without `=` is a name.

    >>> parse_options("players=3 balance=1")
    {'players': '3', 'balance': '1'}
    """
    return {name: value for name, _, value in (word.partition("=") for word in text.split())}
