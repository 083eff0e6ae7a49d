"""The settings of a tournament."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tavola.server.matches.time_control import Time

Format = Literal["swiss", "round-robin", "double-round-robin", "knockout", "arena", "tables"]
"""How players are paired: `tables` with three or four seats, the others with two."""

MAX_PLAYERS = 512
MAX_ROUNDS = 20


class TournamentSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The choices of the organizer.

    Attributes:
        rounds: The number of rounds of `swiss` and `tables`.
        minutes: How long an `arena` pairs players.
        time: The time control of every match.
        forfeit_minutes: A player loses who has not made the first turn of a match after this time.
            Without a clock that lasts, it counts from the last action.
        automatic: Whether the next round begins by itself.
        late: Whether players may enter after the start.
        guests: Whether players may enter without an account.
        rated: Whether its matches count for the ratings; then without guests.
        listed: Whether the list of tournaments shows it.
        fill: The level of the engine that fills empty seats; none: byes.
    """

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    game: str
    format: Format
    description: Annotated[str, Meta(max_length=1000)] = ""
    options: dict[str, str | int] = {}
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] = 5
    minutes: Annotated[int, Meta(ge=5, le=600)] = 60
    time: Time | None = None
    forfeit_minutes: Annotated[int, Meta(ge=1, le=43_200)] = 15
    automatic: bool = True
    late: bool = True
    guests: bool = True
    rated: bool = False
    listed: bool = True
    fill: Annotated[int, Meta(ge=1, le=8)] | None = None
