"""How a match ends otherwise than by the rules of its game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tavola import Outcome
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
        outcome = (
            Outcome((), self.reason)
            if self.loser is None
            else Outcome.lost_by(self.loser, seats, self.reason)
        )
        return MatchResult(outcome.winners, outcome.returns(seats), self.reason, None, self.loser)
