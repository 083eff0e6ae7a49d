"""The score of a series of matches between the same players."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct


class SeriesScore(Struct, frozen=True):
    """The score of a match and the matches before it, of which each is the rematch.

    Attributes:
        games: The number of games that count: those that have ended without being aborted.
        points: By seat of this match. One for a win; of two players each has half for a draw.
    """

    games: int
    points: tuple[float, ...]

    def after(self, winners: Collection[int]) -> SeriesScore:
        """Return the score after one more game."""
        shared = len(self.points) == 2 and len(winners) != 1
        gained = (0.5 if shared else float(seat in winners) for seat in range(len(self.points)))
        points = tuple(had + more for had, more in zip(self.points, gained, strict=True))
        return SeriesScore(self.games + 1, points)
