"""The seats of a match as viewers see them, cached until a seat changes."""

from __future__ import annotations

from tavola.server.matches.log import Seat
from tavola.server.schema import responses

REPLACEMENT = Seat(kind="engine", name="", seconds=None, level=5, token_hash=None)
"""The engine that plays on for a player who has left."""


class Seating:
    """The seats of a match.

    Args:
        began: The seats of the header.
        replaced: The seats in which engines play on for players who have left.
    """

    def __init__(self, began: tuple[Seat, ...], replaced: frozenset[int]) -> None:
        self.seats = tuple(
            REPLACEMENT if number in replaced else seat for number, seat in enumerate(began)
        )
        self.persons = frozenset(
            number for number, seat in enumerate(self.seats) if seat.kind == "person"
        )
        self.has_accounts = any(seat.account is not None for seat in began)
        # Seats that wait for a player.
        self.vacant = frozenset(number for number, seat in enumerate(self.seats) if seat.is_open)
        self._shown: dict[frozenset[int], tuple[responses.SeatInfo, ...]] = {}

    def seat_infos(self, mine: frozenset[int]) -> tuple[responses.SeatInfo, ...]:
        """Return the seats as the holder of some of them sees them."""
        if mine not in self._shown:
            self._shown[mine] = tuple(
                responses.SeatInfo(
                    number,
                    seat.kind,
                    seat.name,
                    number in mine,
                    seat.seconds,
                    seat.level,
                    seat.is_open,
                    seat.member,
                    seat.deleted,
                    seat.agent,
                )
                for number, seat in enumerate(self.seats)
            )
        return self._shown[mine]
