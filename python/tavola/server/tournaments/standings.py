"""Standings: points and tie-breaks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from tavola.server.tournaments.settings import Format
from tavola.server.tournaments.tournament import Board, Tournament

TieBreak = Literal["buchholz", "sonneborn", "direct", "wins"]

TIE_BREAKS: dict[Format, tuple[TieBreak, ...]] = {
    "swiss": ("buchholz", "sonneborn", "direct", "wins"),
    "round-robin": ("direct", "sonneborn", "wins"),
    "double-round-robin": ("direct", "sonneborn", "wins"),
    "knockout": (),
    "arena": ("wins", "buchholz"),
    "tables": ("wins", "buchholz", "direct"),
}
"""The tie-breaks of each format, the first one first."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place.

    Attributes:
        rank: From 1 on; players whom nothing separates share one.
        played: The number of boards that have ended.
        tie_breaks: The values of the format's tie-breaks, in their order.
    """

    player: int
    rank: int
    points: float
    played: int
    tie_breaks: tuple[float, ...]


def standings(tournament: Tournament) -> list[Standing]:
    """Return the standings, the first place first."""
    points = tournament.points()
    ended = [board for board in tournament.boards() if board.points is not None]
    own: dict[int, list[Board]] = {player: [] for player in points}
    for board in ended:
        for player in board.players:
            own[player].append(board)
    order = sorted(points, key=lambda player: -points[player])
    names = TIE_BREAKS[tournament.settings.format]
    values: dict[int, tuple[float, ...]] = {}
    for _, tied in groupby(order, key=lambda player: points[player]):
        group = frozenset(tied)
        for player in group:
            values[player] = tuple(
                round(_tie_break(name, player, own[player], points, group), 4) for name in names
            )

    def key(player: int) -> tuple[float, ...]:
        return (points[player], *values[player])

    # A filler is never before a player who is as good.
    order.sort(
        key=lambda player: (
            *(-value for value in key(player)),
            tournament.players[player].filler,
            player,
        )
    )
    found: list[Standing] = []
    for place, player in enumerate(order, start=1):
        shared = found and key(found[-1].player) == key(player)
        rank = found[-1].rank if shared else place
        found.append(Standing(player, rank, points[player], len(own[player]), values[player]))
    return found


def _tie_break(
    name: TieBreak,
    player: int,
    boards: Iterable[Board],
    points: dict[int, float],
    tied: frozenset[int],
) -> float:
    """Return the value of a tie-break.

    Args:
        name: Which.
        player: Whose.
        boards: The boards of the player that have ended.
        points: The points of all.
        tied: The players with as many points.
    """
    match name:
        case "buchholz":
            return sum(
                points[other] for board in boards for other in board.players if other != player
            )
        case "sonneborn":
            return sum(
                points[other] * board.points_of(player)
                for board in boards
                for other in board.players
                if other != player
            )
        case "direct":
            return sum(
                board.points_of(player)
                for board in boards
                if len(tied.intersection(board.players)) > 1
            )
        case "wins":
            return sum(
                board.points_of(player) == max(board.points or (0.0,))
                and (board.points or ()).count(board.points_of(player)) == 1
                for board in boards
            )
