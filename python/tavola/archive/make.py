"""Makes archives: engines of several strengths play games from random openings."""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

import msgspec
import numpy as np

from tavola._core import Game, Stop, load
from tavola.archive.archive import MOST_RANKS, Archive, PlayedGame, rank
from tavola.engines import Engine, engine
from tavola.executors import Executor
from tavola.match import Match
from tavola.self_play import play_out

__all__ = ["ENGINES", "PLIES", "Plan", "collect", "play_games"]

ENGINES = ("level:1", "level:2", "level:3", "level:4")
"""The engines that play, if no others are named."""
PLIES = 8
"""The maximum number of random actions at the start of a game."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The plan of an archive. Equal plans give equal archives.

    Attributes:
        game: The name of the game.
        options: All options of the game.
        rules_version: The version of the rules.
        engines: The specifications of the engines. Each seat of a game gets one of them at random.
        count: The number of games.
        seed: The random seed of engines, openings and chance.
        plies: The maximum number of random actions at the start of a game.
    """

    game: str
    options: dict[str, str]
    rules_version: int
    engines: tuple[str, ...] = ENGINES
    count: int = 10_000
    seed: int = 0
    plies: int = PLIES

    @classmethod
    def of(cls, game: Game, **fields: object) -> Plan:
        """Return the plan for a game.

        Args:
            game: The game with its options.
            **fields: The other fields of the plan.
        """
        options = {name: str(value) for name, value in game.options.items()}
        known = {"game": game.name, "options": options, "rules_version": game.rules_version}
        return msgspec.convert({**known, **fields}, cls)

    def load(self) -> Game:
        """Return the game with its options."""
        return load(self.game, **self.options)

    def matches(self, archive: Archive) -> bool:
        """Return whether the games of an archive are games of this plan."""
        return (
            (archive.game, archive.options, archive.rules_version)
            == (self.game, self.options, self.rules_version)
            and (archive.engines, archive.seed, archive.plies)
            == (self.engines, self.seed, self.plies)
            and (not len(archive) or int(archive.numbers[-1]) <= self.count)
        )


def play_games(
    plan: Plan, existing: frozenset[int], executor: Executor
) -> Generator[PlayedGame | None]:
    """Play the games of a plan. The games do not depend on the executor.

    Closing the generator stops the running games.

    Args:
        plan: The plan.
        existing: The numbers of games that exist.
        executor: Runs the games.

    Yields:
        Each game when it ends; `None` for a game that was too long.

    Raises:
        WorkerProcessDied: If three processes exit during the same game.
        EngineFailed: If an engine fails.
    """
    numbers = (number for number in range(1, plan.count + 1) if number not in existing)
    tasks = ((number, number) for number in numbers)
    with contextlib.closing(executor.run(partial(_begin, plan), tasks)) as results:
        for (played,) in results:
            yield played


@contextmanager
def _begin(plan: Plan, stop: Stop) -> Iterator[Callable[[int], tuple[PlayedGame | None] | None]]:
    """Create the engines; yield a function that plays the game of a number."""
    game = plan.load()
    with ExitStack() as stack:
        engines = [stack.enter_context(engine(text, game)) for text in plan.engines]
        yield partial(_play, plan, game, engines, stop)


def _play(
    plan: Plan, game: Game, engines: Sequence[Engine], stop: Stop, number: int
) -> tuple[PlayedGame | None] | None:
    """Play the game of a number; return nothing if it was stopped."""
    rng = random.Random(f"{plan.seed}/{number}")
    lineup = tuple(rng.randrange(len(engines)) for _ in range(game.seats))
    for place in sorted(set(lineup)):
        engines[place].new_game(rng.getrandbits(63), stop=stop)
    opening = rng.randrange(plan.plies + 1)
    acted = itertools.count()

    match = Match(game, seed=rng)

    def choose(_: Sequence[Match]) -> list[str]:
        state = match.state
        assert state.to_act is not None
        if next(acted) < opening:
            return [rng.choice(state.legal_actions)]
        return [engines[lineup[state.to_act]].choose(state, stop=stop).token]

    if not play_out([match], choose, stop):
        return None
    outcome = match.state.outcome
    choices = tuple(map(rank, match.states, match.actions))
    if outcome is None or max(choices) >= MOST_RANKS:
        return (None,)
    return (PlayedGame(number=number, engines=lineup, winners=outcome.winners, choices=choices),)


def collect(plan: Plan, games: Sequence[PlayedGame]) -> Archive:
    """Return the archive of games, in the order of their numbers.

    Args:
        plan: The plan that the games follow.
        games: The games, with different numbers.
    """
    ordered = sorted(games, key=lambda game: game.number)
    seats = plan.load().seats
    players = np.array([game.engines for game in ordered], np.uint8).reshape(len(ordered), seats)
    won = [sum(1 << seat for seat in game.winners) for game in ordered]
    choices = [np.array(game.choices, np.uint16) for game in ordered]
    return Archive(
        game=plan.game,
        options=plan.options,
        rules_version=plan.rules_version,
        engines=plan.engines,
        seed=plan.seed,
        plies=plan.plies,
        numbers=np.array([game.number for game in ordered], np.uint32),
        players=players,
        won=np.array(won, np.uint16),
        lengths=np.array([len(one) for one in choices], np.uint32),
        choices=np.concatenate([np.empty(0, np.uint16), *choices]),
    )
