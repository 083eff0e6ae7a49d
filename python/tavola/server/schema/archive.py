"""The explorer and the archive as the server sends them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tavola.server.schema.event_list import EncodedMove, EncodedText
from tavola.server.schema.responses import SeatInfo

Source = Literal["server", "engines"]
"""Where games come from: this server's matches, or the engine games that the game contains."""


class PlayedAction(Struct, frozen=True):
    """An action of a position with its results.

    Attributes:
        token: The action or random event.
        label: Its words.
        move: The action as in the list of moves, or None where `label` has none.
        count: The number of games.
        won: The number of games that each seat won.
        drawn: The number of draws.
        shares: The mean share of the win of each seat, 1 in sum.
    """

    token: str
    label: EncodedText
    move: EncodedMove
    count: int
    won: tuple[int, ...]
    drawn: int
    shares: tuple[float, ...]


class Explored(Struct, frozen=True):
    """A position with the actions that were played in it.

    Attributes:
        seat: The seat to act, -1 for chance, None after the end.
        server: The number of this server's games with the position.
        engines: The number of engine games with the position.
        has_engines: Whether there are engine games with these options.
        actions: The actions that were played, the most frequent one first.
    """

    seat: int | None
    server: int
    engines: int
    has_engines: bool
    actions: tuple[PlayedAction, ...]


class ArchivedGame(Struct, frozen=True):
    """A game of the archive.

    Attributes:
        id: The match, or the number of the engine game.
        options: The options of the game, as in a record.
        seats: The players. An engine without a level has its specification as its name.
        winners: The seats that won; empty for a draw.
        reason: Why it ended: a code of the game or of the server; empty for engine games.
        length: The number of actions and random events.
        ended: When, in ISO format; None for engine games.
        ply: The number of actions before the position that was searched, or None.
    """

    id: str
    options: str
    seats: tuple[SeatInfo, ...]
    winners: tuple[int, ...]
    reason: str
    length: int
    ended: str | None
    ply: int | None


class ArchivePage(Struct, frozen=True):
    """A page of the archive.

    Attributes:
        games: The games: this server's, the latest first, or engine games in their order.
        count: The number of all games found.
        next: The value of `after` for the next page, or None.
    """

    games: tuple[ArchivedGame, ...]
    count: int
    next: str | None
