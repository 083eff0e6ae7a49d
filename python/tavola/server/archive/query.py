"""A search of the archive: its limits, and the position that it names."""

from __future__ import annotations

from dataclasses import dataclass

import tavola
from tavola.errors import listed
from tavola.options_text import parse_options
from tavola.server import games
from tavola.server.errors import RequestError
from tavola.server.schema.archive import Source

__all__ = ["PAGE_SIZE", "Query", "load", "read_position"]

PAGE_SIZE = 25
"""The number of games of a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """The conditions of a search.

    Attributes:
        game: The game with its options; games of all options are found if `any_options` is set.
        any_options: Whether the options do not matter.
        source: Where games come from.
        player: A part of the name of a player or engine; empty for all.
        winner: The seat that won, -1 for a draw, or None for all.
        shortest: The minimum number of actions.
        longest: The maximum number of actions, or None.
        state: The position that occurs in the games, or None.
        after: The end of the page before, or empty.
    """

    game: tavola.Game
    any_options: bool
    source: Source
    player: str = ""
    winner: int | None = None
    shortest: int = 0
    longest: int | None = None
    state: tavola.State | None = None
    after: str = ""


def load(name: str, options: str | None) -> tavola.Game:
    """Return the game with options as a record names them.

    Args:
        name: The name of the game.
        options: `NAME=VALUE` pairs, separated by spaces; None for the defaults.

    Raises:
        RequestError: `unknown-game`, `unknown-option`, `unknown-value`.
    """
    return games.load(name, parse_options(options or ""))


def read_position(game: tavola.Game, text: str | None) -> tavola.State:
    """Return a position of a game; the start without a text.

    Raises:
        RequestError: `not-a-position`.
    """
    if text is None:
        return game.start()
    try:
        return game.parse(text)
    except tavola.PositionError as error:
        raise RequestError("not-a-position", faults=listed(error.faults)) from None
