"""An open request of a match: its kind, the seat that asks, and the seats that must agree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

MAX_PAUSE = timedelta(days=1)
"""Longest pause that a player must accept: the seat to act may have been abandoned."""

Kind = Literal["undo", "draw", "abort", "pause", "resume", "engine", "claim", "rematch"]
"""Kinds of requests. `engine:2` asks that an engine plays on for seat 2, whose player has left or
whose agent failed. `claim:1` claims victory over seat 1, whose player has left."""


@dataclass(frozen=True, slots=True)
class Request:
    """An open request.

    Attributes:
        what: A `Kind`, with its seat if it needs one.
        seat: The seat that asks.
        waiting: The seats that have not agreed yet.
    """

    what: str
    seat: int
    waiting: frozenset[int]

    def agree(self, seat: int) -> Request:
        """Return the request after this seat has agreed too."""
        return replace(self, waiting=self.waiting - {seat})


def new_request(
    what: str,
    seat: int,
    at: str,
    *,
    persons: frozenset[int],
    vacant: frozenset[int],
    acting: int | None,
    paused: str | None,
) -> Request:
    """Return a new request, which waits for every other person's seat that it concerns.

    Args:
        what: A `Kind`, with its seat if it needs one.
        seat: The seat that asks.
        at: When, in ISO format.
        persons: The seats of persons.
        vacant: The persons' seats that are still open: they are asked for nothing.
        acting: The seat to act or to confirm.
        paused: When the match was paused, in ISO format.
    """
    kind, _, subject = what.partition(":")
    match kind:
        case "abort" | "claim":
            concerned = frozenset[int]()
        case "resume":
            # The seat whose clock stands may resume at once; the others must ask, for a while.
            since = datetime.fromisoformat(paused or at)
            long = datetime.fromisoformat(at) - since >= MAX_PAUSE
            concerned = frozenset() if long else persons & {acting}
        case "engine":
            concerned = persons - {int(subject)}
        case _:
            concerned = persons
    return Request(what, seat, concerned - {seat} - vacant)
