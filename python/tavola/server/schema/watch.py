"""Messages of the Live page and of the channels."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tavola.server.schema.responses import EncodedView, SeatInfo


class LiveBoard(Struct, frozen=True):
    """A match on the Live page.

    Attributes:
        seq: The number of the shown event.
        acting: The seat to act; `None` if the match is over, or chance is to act.
        over: Whether the match has ended.
        watching: The number of spectators.
        delay: How many seconds later spectators see the match.
    """

    match: str
    game: str
    seq: int
    seats: tuple[SeatInfo, ...]
    acting: int | None
    over: bool
    watching: int
    delay: int


class LiveMessage(Struct, frozen=True, tag_field="type", tag="live"):
    """The boards now, the best first, and their views, by match."""

    boards: tuple[LiveBoard, ...]
    views: dict[str, EncodedView]


class LiveChangeMessage(Struct, frozen=True, tag_field="type", tag="change"):
    """An update for a viewer that has the boards before it; `changes`: as in `patch.py`.

    `views` loses the views of matches that have no board any more.
    """

    changes: dict[str, Any]
