"""The positions of an archive: what was played in them, and in which games they occur."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from tavola import _core
from tavola._core import Game, State
from tavola.archive.archive import Archive, ArchiveError, archive, token_of
from tavola.archive.tally import Result
from tavola.errors import Message

__all__ = ["Positions", "positions"]


@dataclass(frozen=True, eq=False)
class Positions:
    """The positions of an archive by key. Positions that different actions reach are one.

    Attributes:
        archive: The archive.
        keys: The keys of all positions of all games, ascending: uint64.
        places: For each key its index among all positions, game by game: uint32.
    """

    archive: Archive
    keys: NDArray[np.uint64]
    places: NDArray[np.uint32]

    @classmethod
    def of(cls, archive: Archive) -> Positions:
        """Replay the games of an archive, outside the interpreter lock.

        Args:
            archive: The archive.

        Raises:
            ArchiveError: If the rules have changed, or a game cannot be replayed.
        """
        game = archive.load()
        try:
            keys = _core._replay_keys(game, archive.lengths, archive.choices)
        except ValueError as error:
            raise ArchiveError(
                Message("the games cannot be replayed ({fault})", fault=str(error))
            ) from error
        order = np.argsort(keys, kind="stable")
        return cls(archive, keys[order], order.astype(np.uint32))

    def _found(self, state: State) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the games in which a position occurs, and after how many actions."""
        key = np.uint64(state.key)
        first, last = (
            np.searchsorted(self.keys, key, "left"),
            np.searchsorted(self.keys, key, "right"),
        )
        places = self.places[first:last].astype(np.int64)
        starts = self.archive.starts + np.arange(len(self.archive.starts))
        games = np.searchsorted(starts, places, "right") - 1
        return games, places - starts[games]

    def games(self, state: State) -> NDArray[np.int64]:
        """Return the indices of the games in which a position occurs, ascending.

        Args:
            state: The position, of the game and options of the archive.
        """
        return np.unique(self._found(state)[0])

    def first_ply(self, state: State, place: int) -> int:
        """Return the number of actions after which a game first reaches a position.

        Args:
            state: The position.
            place: The index of a game in which it occurs.
        """
        games, plies = self._found(state)
        return int(plies[games == place].min())

    def results(self, state: State) -> Iterator[Result]:
        """Yield what was played in a position, and how those games ended.

        A game in which the position occurs twice counts once for each different action.

        Args:
            state: The position, of the game and options of the archive.
        """
        games, plies = self._found(state)
        going_on = plies < self.archive.lengths[games]
        games, plies = games[going_on], plies[going_on]
        choices = self.archive.choices[self.archive.starts[games] + plies].astype(np.int64)
        # One number for each choice of a game; then for each choice with each result.
        pairs = np.unique(choices * len(self.archive) + games)
        choices, games = np.divmod(pairs, max(len(self.archive), 1))
        ended, counts = np.unique(
            choices << 16 | self.archive.won[games].astype(np.int64), return_counts=True
        )
        for both, count in zip(ended.tolist(), counts.tolist(), strict=True):
            token = token_of(state, both >> 16)
            if token is not None:
                seats = range(state.game.seats)
                winners = tuple(seat for seat in seats if both >> seat & 1)
                yield Result(token=token, winners=winners, count=count)


_lock = Lock()


def positions(game: Game) -> Positions | None:
    """Return the positions of the archive that a game contains; made at the first call.

    Args:
        game: The game with its options.

    Returns:
        The positions; `None` if the game has no archive, or one with other options or rules.

    Raises:
        ArchiveError: If the archive is damaged.
    """
    found = archive(game.name)
    if found is None or found.rules_version != game.rules_version:
        return None
    if found.options != {name: str(value) for name, value in game.options.items()}:
        return None
    # One thread makes them, the others wait.
    with _lock:
        return _positions(game.name, _core._registrations())


@cache
def _positions(game: str, registrations: int) -> Positions:
    found = archive(game)
    assert found is not None, "the caller has just read it"
    return Positions.of(found)
