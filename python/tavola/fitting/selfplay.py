"""Games that an engine plays against itself, and the positions that are learnt from."""

from __future__ import annotations

import multiprocessing
import random
import signal
from collections.abc import Generator, Sequence
from typing import ClassVar

import msgspec

from tavola import _core
from tavola._core import CHANCE, Game, State
from tavola.engines import Engine, engine

__all__ = ["Games", "Sample", "played"]

LONGEST = 2000
"""After how many actions a game is given up: nothing is learnt from it."""


class Games(msgspec.Struct, frozen=True, kw_only=True):
    """Which games are played; the same games follow from the same values.

    Attributes:
        game: The game's name.
        options: Its options.
        engine: The engine for every seat, limited by nodes so that its actions can be repeated.
        count: How many games.
        seed: What everything random follows from.
        plies: With how many random actions a game begins at most.
        strays: How often a random action is played instead of the engine's, from 0 to 1.
        samples: How many positions are kept of each game at most.
    """

    game: str
    options: dict[str, str | int] = {}
    engine: str = "auto:nodes=200"
    count: int = 1000
    seed: int = 0
    plies: int = 6
    strays: float = 0.05
    samples: int = 16

    def load(self) -> Game:
        """The game under its options."""
        return _core.load(self.game, **self.options)


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A position and what became of it.

    Attributes:
        number: The game that it was part of.
        features: For each seat its features, in the order of the game's weights.
        shares: What each seat got of the game, 1 in sum.
    """

    number: int
    features: tuple[tuple[float, ...], ...]
    shares: tuple[float, ...]


class _Player:
    """Plays games one after the other.

    Args:
        games: Which.
    """

    _only: ClassVar[_Player]

    def __init__(self, games: Games) -> None:
        self._games = games
        self._game = games.load()
        self._engine: Engine = engine(games.engine, self._game)

    def play(self, number: int) -> list[Sample]:
        """Plays the game with this number; the positions that are kept of it."""
        games = self._games
        chance = random.Random(f"{games.seed}/{number}")
        self._engine.new_game(chance.getrandbits(63))
        opening = chance.randrange(games.plies + 1)
        state, states = self._game.start(), []
        for taken in range(LONGEST):
            if state.to_act is None:
                break
            if state.to_act != CHANCE and (taken < opening or chance.random() < games.strays):
                # A position says nothing if what follows it is nobody's choice.
                state = state.play(chance.choice(state.legal_actions))
                continue
            states.append(state)
            state = state.play(self._token(state, chance))
        else:
            return []
        kept = sorted(chance.sample(range(len(states)), min(games.samples, len(states))))
        shares = state.estimate
        return [
            Sample(number=number, features=_features(states[place]), shares=shares)
            for place in kept
        ]

    def _token(self, state: State, chance: random.Random) -> str:
        """The engine's action, or an outcome of chance."""
        if state.to_act == CHANCE:
            outcomes = state.chance_outcomes
            ((token, _),) = chance.choices(outcomes, [weight for _, weight in outcomes])
            return token
        return self._engine.choose(state).token

    @classmethod
    def begin(cls, games: Games) -> None:
        """Makes the player of this process; Ctrl-C is left to the process that started it."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        cls._only = _Player(games)

    @classmethod
    def play_one(cls, number: int) -> list[Sample]:
        """Plays a game with the player of this process."""
        return cls._only.play(number)


def _features(state: State) -> tuple[tuple[float, ...], ...]:
    """For each seat its features."""
    return tuple(zip(*state.features.values(), strict=True))


def played(games: Games, *, processes: int = 1) -> Generator[Sequence[Sample]]:
    """Plays the games, in order; the result does not depend on the number of processes.

    Args:
        games: Which games.
        processes: How many at the same time.

    Yields:
        The positions kept of each game; none if it was given up.
    """
    if processes == 1:
        player = _Player(games)
        yield from map(player.play, range(games.count))
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, initializer=_Player.begin, initargs=(games,)) as pool:
        yield from pool.imap(_Player.play_one, range(games.count), chunksize=1)
