"""Self-play games of an engine, and the positions sampled from them."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import msgspec

from tavola import _core
from tavola._core import Game, State, Stop
from tavola.engines import Engine, engine
from tavola.executors import Executor, run_in_order
from tavola.match import Match
from tavola.self_play import play_out

__all__ = ["Sample", "SelfPlay", "play_games"]


class SelfPlay(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of self-play. Equal parameters give equal games.

    Attributes:
        game: The name of the game.
        options: The options of the game.
        engine: The engine of all seats, limited by nodes so that the games are reproducible.
        count: The number of games.
        seed: The random seed.
        plies: The maximum number of random actions at the start of a game.
        strays: The probability of a random action in place of the engine's, from 0 to 1.
        samples: The maximum number of sampled positions per game.
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
        """Return the game with its options."""
        return _core.load(self.game, **self.options)


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A position and the result of its game.

    Attributes:
        number: The number of the game.
        features: The features by seat, in the order of the weights of the game.
        shares: The shares of the win by seat, 1 in sum.
    """

    number: int
    features: tuple[tuple[float, ...], ...]
    shares: tuple[float, ...]


@contextmanager
def _player(games: SelfPlay, stop: Stop) -> Iterator[Callable[[int], list[Sample] | None]]:
    """Create the engine; yield a function that plays the game of a number."""
    game = games.load()
    with engine(games.engine, game) as player:
        yield partial(_play, games, game, player, stop)


def _play(
    games: SelfPlay, game: Game, player: Engine, stop: Stop, number: int
) -> list[Sample] | None:
    """Play the game of a number; return its sampled positions, or `None` if it was stopped."""
    chance = random.Random(f"{games.seed}/{number}")
    player.new_game(chance.getrandbits(63))
    opening = chance.randrange(games.plies + 1)
    match = Match(game, seed=chance)
    random_at = set[int]()

    def choose(_: Sequence[Match]) -> list[str]:
        taken = len(match.actions)
        if taken < opening or chance.random() < games.strays:
            random_at.add(taken)
            return [chance.choice(match.state.legal_actions)]
        return [player.choose(match.state, stop=stop).token]

    if not play_out([match], choose, stop):
        return None
    if not match.state.is_terminal:
        return []
    # Positions before random actions are not sampled.
    states = [state for place, state in enumerate(match.states[:-1]) if place not in random_at]
    sampled = sorted(chance.sample(range(len(states)), min(games.samples, len(states))))
    shares = match.state.estimate
    return [
        Sample(number=number, features=_features(states[place]), shares=shares) for place in sampled
    ]


def _features(state: State) -> tuple[tuple[float, ...], ...]:
    """Return the features by seat."""
    return tuple(zip(*state.features.values(), strict=True))


def play_games(games: SelfPlay, *, executor: Executor | None = None) -> Generator[list[Sample]]:
    """Play self-play games. The result does not depend on the executor.

    Args:
        games: The parameters.
        executor: Runs the games; `None` plays them in this process.

    Yields:
        The sampled positions of each game, in the order of the games; empty for discarded games.

    Raises:
        WorkerProcessDied: If three processes exit during the same game.
        EngineFailed: If the engine fails.
    """
    numbered = ((number + 1, number) for number in range(games.count))
    return run_in_order(partial(_player, games), numbered, executor)
