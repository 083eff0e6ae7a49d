"""Games that an engine plays against itself, and the positions that are learnt from."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial

import msgspec

from tavola import _core
from tavola._core import CHANCE, Game, State, Stop
from tavola.engines import Engine, engine
from tavola.executor import run_parallel

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


_Kept = tuple[int, list[Sample]]
"""A game's number, and the positions that are kept of it."""


@contextmanager
def _player(games: Games, stop: Stop) -> Iterator[Callable[[int], _Kept | None]]:
    """The engine for every seat, which plays games by their numbers."""
    game = games.load()
    with engine(games.engine, game) as thinking:
        yield partial(_play, games, game.start(), thinking, stop)


def _play(games: Games, start: State, thinking: Engine, stop: Stop, number: int) -> _Kept | None:
    """Plays the game with this number; `None` if it was stopped."""
    chance = random.Random(f"{games.seed}/{number}")
    thinking.new_game(chance.getrandbits(63))
    opening = chance.randrange(games.plies + 1)
    state, states = start, list[State]()
    for taken in range(LONGEST):
        if state.to_act is None:
            break
        if state.to_act != CHANCE and (taken < opening or chance.random() < games.strays):
            # A position says nothing if what follows it is nobody's choice.
            state = state.play(chance.choice(state.legal_actions))
            continue
        states.append(state)
        token = _token(state, chance, thinking, stop)
        if stop.is_set():
            return None
        state = state.play(token)
    else:
        return number, []
    kept = sorted(chance.sample(range(len(states)), min(games.samples, len(states))))
    shares = state.estimate
    return number, [
        Sample(number=number, features=_features(states[place]), shares=shares) for place in kept
    ]


def _token(state: State, chance: random.Random, thinking: Engine, stop: Stop) -> str:
    """The engine's action, or an outcome of chance."""
    if state.to_act == CHANCE:
        outcomes = state.chance_outcomes
        ((token, _),) = chance.choices(outcomes, [weight for _, weight in outcomes])
        return token
    return thinking.choose(state, stop=stop).token


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

    Raises:
        WorkerProcessDied: If a process dies.
        EngineFailed: If the engine does.
    """
    numbers = range(games.count)
    if processes == 1:
        with _player(games, Stop()) as play:
            yield from _in_order(filter(None, map(play, numbers)))
        return
    numbered = ((number + 1, number) for number in numbers)
    with closing(run_parallel(partial(_player, games), numbered, processes)) as playing:
        yield from _in_order(playing)


def _in_order(playing: Iterable[_Kept]) -> Generator[list[Sample]]:
    """The positions of the first game, the second, and so on, as soon as they are known."""
    waiting: dict[int, list[Sample]] = {}
    following = 0
    for number, samples in playing:
        waiting[number] = samples
        while following in waiting:
            yield waiting.pop(following)
            following += 1
