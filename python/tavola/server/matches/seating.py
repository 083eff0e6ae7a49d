"""The seats of a match: which are persons, and which are open."""

from __future__ import annotations

from typing import NamedTuple

from tavola.server.matches.log import Seat

REPLACEMENT = Seat(kind="engine", name="", seconds=None, level=5, token_hash=None)
"""The engine that plays on for a player who has left."""


class SeatRating(NamedTuple):
    """The rating of an account at a seat."""

    value: int
    provisional: bool


class Seating:
    """The seats of a match.

    Args:
        began: The seats of the header.
        replaced: The seats in which engines play on for players who have left.
        ratings: The ratings of their accounts by seat; empty: unknown.
    """

    def __init__(
        self,
        began: tuple[Seat, ...],
        replaced: frozenset[int],
        ratings: tuple[SeatRating | None, ...] = (),
    ) -> None:
        self.seats = tuple(
            REPLACEMENT if number in replaced else seat for number, seat in enumerate(began)
        )
        self.ratings = tuple(
            None if number in replaced else rating for number, rating in enumerate(ratings)
        ) or (None,) * len(began)
        self.persons = frozenset(
            number for number, seat in enumerate(self.seats) if seat.kind == "person"
        )
        self.has_accounts = any(seat.account is not None for seat in began)
        # Seats that wait for a player.
        self.vacant = frozenset(number for number, seat in enumerate(self.seats) if seat.is_open)
