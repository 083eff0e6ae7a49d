"""The explorer: the actions of a position in an archive, and how often and how well they went."""

from __future__ import annotations

import msgspec

from tavola._core import State
from tavola.archive.archive import Archive
from tavola.archive.positions import Positions, positions
from tavola.archive.tally import Tally, tallies

__all__ = ["Explored", "explore"]


class Explored(msgspec.Struct, frozen=True, kw_only=True):
    """A position in an archive.

    Attributes:
        games: The number of games with the position.
        actions: The actions that were played, the most frequent one first.
    """

    games: int
    actions: tuple[Tally, ...]


def explore(state: State, archive: Archive | Positions | None = None) -> Explored:
    """Find what was played in a position, and how those games ended.

    Positions that different actions reach are one. The first call for an archive replays its games.

    Args:
        state: The position.
        archive: The archive, or its `Positions`; `None` for the one that the game contains.

    Returns:
        The actions; none if the game has no archive with these options.

    Raises:
        ArchiveError: If the archive is damaged, or follows other rules.
        ValueError: If the archive is of another game or other options.

    >>> import tavola
    >>> found = explore(tavola.load("potlatch").start())
    >>> found.games, sum(action.count for action in found.actions)
    (10000, 10000)
    """
    if isinstance(archive, Archive):
        archive = Positions.of(archive)
    known = positions(state.game) if archive is None else archive
    if known is None:
        return Explored(games=0, actions=())
    if known.archive.load() != state.game:
        raise ValueError("the archive is of another game, or of other options")
    return Explored(
        games=len(known.games(state)), actions=tallies(known.results(state), state.game.seats)
    )
