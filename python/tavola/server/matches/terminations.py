"""How a match ends otherwise than by the rules of its game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tavola.server.schema.responses import MatchResult


@dataclass(frozen=True, slots=True)
class Termination:
    """An end that no action brought about.

    Attributes:
        reason: What did.
        loser: The seat that has lost; `None` for a draw.
    """

    reason: Literal["resigned", "time", "agreed", "aborted"]
    loser: int | None = None

    def result(self, seats: int) -> MatchResult:
        """Return the result for every seat."""
        if self.loser is None:
            return MatchResult((), (0.0,) * seats, self.reason, None, None)
        winners = tuple(seat for seat in range(seats) if seat != self.loser)
        # As in the rule books' "Ends": all other seats have won.
        won, lost = 1.0 / (seats - 1) ** 2, -1.0 / (seats - 1)
        returns = tuple(won if seat in winners else lost for seat in range(seats))
        return MatchResult(winners, returns, self.reason, None, self.loser)
