"""The entries of a tournament's log.

Names and accounts of players are not in the log, so that they can be erased.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from tavola.server.matches.log import now

Points: TypeAlias = tuple[float, ...]
"""The points of a board by seat."""


class PairedBoard(Struct, frozen=True):
    """A board of a new round: its players by seat.

    Attributes:
        match: The id of its match; `None` if it is decided without one.
        points: The points of a board that is decided without a match.
    """

    players: tuple[int, ...]
    match: str | None
    points: Points | None = None


class Joined(Struct, frozen=True, tag="join"):
    """A player has entered; an engine by its `level`. A `filler` plays only where one lacks."""

    player: int
    level: int | None = None
    filler: bool = False


class Left(Struct, frozen=True, tag="leave"):
    """A player is paired no more: withdrew, was removed, or did not come."""

    player: int
    why: Literal["withdrew", "removed", "no-show"]


class Returned(Struct, frozen=True, tag="return"):
    """A player who had left is paired again."""

    player: int


class Paired(Struct, frozen=True, tag="pair"):
    """A round begins; in an arena, more boards. `byes`: players without a board."""

    boards: tuple[PairedBoard, ...]
    byes: tuple[int, ...] = ()


class Replayed(Struct, frozen=True, tag="replay"):
    """A drawn board of a knockout is played again, by players in these seats."""

    round: int
    board: int
    players: tuple[int, ...]
    match: str


class Scored(Struct, frozen=True, tag="score"):
    """A board has ended; `absent`: the player who did not come."""

    round: int
    board: int
    points: Points
    absent: int | None = None


class Corrected(Struct, frozen=True, tag="correct"):
    """The organizer set the result of a board."""

    round: int
    board: int
    points: Points


class Described(Struct, frozen=True, tag="describe"):
    """The organizer changed name and description."""

    name: str
    description: str


class Turned(Struct, frozen=True, tag="turn"):
    """The tournament was started, paused, resumed or finished."""

    to: Literal["started", "paused", "resumed", "finished"]


Change: TypeAlias = (
    Joined | Left | Returned | Paired | Replayed | Scored | Corrected | Described | Turned
)


class Event(Struct, frozen=True):
    """An entry of the log; entries are never changed or removed."""

    seq: int
    change: Change
    at: str = msgspec.field(default_factory=now)
