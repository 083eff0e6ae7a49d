"""Time control: the remaining time after every event.

An event says how long the clock that ran had run since the event before it (`spent`), as the server
measured it. So the times of a match follow from its log alone, and a replay gives the same.
"""

from __future__ import annotations

from copy import copy
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, structs

DAY = 86_400


class TurnTime(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="turn"):
    """Seconds per turn; after that, the server plays the rest of the turn."""

    seconds: Annotated[int, Meta(ge=1, le=3600)]


MainSeconds = Annotated[int, Meta(ge=1, le=6 * 3600)]


class MainTime(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="main"):
    """Seconds for the match, and an increment per turn; a player without time loses.

    Attributes:
        odds: The seconds of each seat, if they differ.
    """

    seconds: MainSeconds
    increment: Annotated[int, Meta(ge=0, le=600)] = 0
    odds: tuple[MainSeconds, ...] | UnsetType = UNSET


class DaysTime(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="days"):
    """Days per turn; a player without time loses."""

    days: Annotated[int, Meta(ge=1, le=30)]


Time = TurnTime | MainTime | DaysTime


def initial_seconds(time: Time, seat: int) -> float:
    """Return the seconds that a seat begins with."""
    if isinstance(time, MainTime) and time.odds is not UNSET:
        return float(time.odds[seat])
    return float(time.days * DAY if isinstance(time, DaysTime) else time.seconds)


def of_next_seats(time: Time | None) -> Time | None:
    """Return the time control of a match in which every player sits one seat before."""
    if not isinstance(time, MainTime) or time.odds is UNSET:
        return time
    return structs.replace(time, odds=(*time.odds[1:], *time.odds[:1]))


class RemainingTime:
    """The remaining time of every seat.

    Args:
        time: What the match allows.
        seats: How many seats there are.
    """

    def __init__(self, time: Time, seats: int) -> None:
        self.time = time
        self._left = [initial_seconds(time, seat) for seat in range(seats)]
        # The turn of each seat to which its time belongs; the latest that has had its increment.
        self._given = [0] * seats
        # With time per turn: what was left of the other turns, by the turn and its seat.
        self._others: dict[tuple[int, int], float] = {}
        # Times and turns at the start of each turn, by the turn and its seat, in their order.
        self._starts: dict[tuple[int, int], tuple[list[float], list[int]]] = {}

    def left(self, seat: int) -> float:
        """Return the seconds that a seat has left; below 0 if it has used more than it had."""
        return self._left[seat]

    def left_in(self, seat: int, turn: int) -> float:
        """Return the seconds that a seat has left when it comes back to a turn."""
        if isinstance(self.time, MainTime) or turn == self._given[seat]:
            return self._left[seat]
        return self._others.get((turn, seat), initial_seconds(self.time, seat))

    def copy(self) -> RemainingTime:
        """Return a copy."""
        times = copy(self)
        times._left, times._given = list(self._left), list(self._given)
        times._starts, times._others = dict(self._starts), dict(self._others)
        return times

    def spend(self, seat: int, milliseconds: int) -> None:
        """Subtract time from the seat's clock."""
        self._left[seat] -= milliseconds / 1000

    def start_turn(self, seat: int, turn: int, *, reset: bool = False) -> None:
        """Start, continue or come back to a turn of a seat; time used in the turn stays used.

        Args:
            seat: The seat.
            turn: The turn.
            reset: Whether the players agreed to restart the turn: all times are those at its start.
        """
        if reset and (turn, seat) in self._starts:
            left, given = self._starts[turn, seat]
            self._left, self._given = list(left), list(given)
            self._others = {key: value for key, value in self._others.items() if key[0] < turn}
        if not isinstance(self.time, MainTime) and turn != self._given[seat]:
            left_now = self.left_in(seat, turn)
            self._others[self._given[seat], seat] = self._left[seat]
            self._given[seat], self._left[seat] = turn, left_now
        while self._starts and next(reversed(self._starts))[0] > turn:
            self._starts.popitem()
        self._starts.setdefault((turn, seat), (list(self._left), list(self._given)))

    def end_turn(self, seat: int, turn: int) -> None:
        """Add the increment after a seat's turn, once for each turn."""
        if isinstance(self.time, MainTime) and turn > self._given[seat]:
            self._given[seat] = turn
            self._left[seat] += self.time.increment
