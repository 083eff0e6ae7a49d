"""Makes puzzles from engine games."""

from __future__ import annotations

import contextlib
import itertools
import random
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

import msgspec

from tavola._core import CHANCE, Game, State, Stop, load
from tavola.engines import Engine, engine
from tavola.executors import Executor
from tavola.match import Match
from tavola.options_text import parse_options
from tavola.puzzles.check import check
from tavola.puzzles.finder import find
from tavola.puzzles.puzzle import Goal, Puzzle, PuzzleFile
from tavola.puzzles.rating import Rater
from tavola.self_play import play_out

__all__ = ["Plan", "generate"]

LEVELS = (2, 3, 4, 5)
"""The levels that play the games. They leave tactical chances."""
ENDS = 4
"""The number of times that the end of a game is played again: there a turn decides most."""
END_TURNS = 8
"""The greatest number of turns of an end."""
MOST_OF_A_GAME = 2
"""The greatest number of puzzles of one theme from one game."""
SEARCHED = 6
"""The number of positions of a game that are searched for their best turn."""
MOST_PART = 0.4
"""The greatest part of one theme in all puzzles, if the others are frequent enough."""
MOST_EASY = 0.3
"""The greatest part of level 1 in all puzzles."""
GAMES_AHEAD = 20
"""The number of games for other themes, after which a full theme may have as many again."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The plan of a run.

    Attributes:
        game: The name of the game.
        options: The options of the game as in a record; empty for the defaults.
        goals: The goals of the game.
        themes: The themes of new puzzles.
        count: The number of puzzles to reach.
        seed: The random seed.
    """

    game: str
    options: str
    goals: tuple[Goal, ...]
    themes: tuple[str, ...]
    count: int
    seed: int

    def load(self) -> Game:
        """Return the game."""
        return load(self.game, **parse_options(self.options))


class _Task(msgspec.Struct, frozen=True):
    """A game to play, and the themes that are still needed."""

    seed: str
    themes: frozenset[str]


def generate(plan: Plan, existing: PuzzleFile, executor: Executor) -> Generator[tuple[Puzzle, ...]]:
    """Play games and find puzzles until there are enough.

    Closing the generator stops the running games.

    Args:
        plan: The plan.
        existing: The puzzles that exist.
        executor: Runs the games.

    Yields:
        The new puzzles of each game; empty for a game without.

    Raises:
        WorkerProcessDied: If three processes exit during the same game.
    """
    themes = Counter(puzzle.theme for puzzle in existing.puzzles)
    ids = {puzzle.id for puzzle in existing.puzzles}
    easy = sum(puzzle.level == 1 for puzzle in existing.puzzles)
    ahead = 0

    def wanted() -> frozenset[str]:
        part = MOST_PART * (1 + ahead // GAMES_AHEAD)
        return frozenset(theme for theme in plan.themes if themes[theme] < part * plan.count)

    def tasks() -> Iterator[tuple[int, _Task]]:
        for number in itertools.count(1):
            if len(ids) >= plan.count:
                return
            # Another run on the same file plays other games.
            yield number, _Task(f"{plan.seed} {len(existing.puzzles)} {number}", wanted())

    with contextlib.closing(executor.run(partial(_begin, plan), tasks())) as results:
        for found in results:
            ahead += len(wanted()) < len(plan.themes)
            new = []
            for puzzle in found:
                if puzzle.level == 1 and easy + 1 > MOST_EASY * plan.count:
                    continue
                if len(ids) < plan.count and puzzle.id not in ids and puzzle.theme in wanted():
                    ids.add(puzzle.id)
                    themes[puzzle.theme] += 1
                    easy += puzzle.level == 1
                    new.append(puzzle)
            yield tuple(new)
            if len(ids) >= plan.count:
                return


@contextmanager
def _begin(plan: Plan, stop: Stop) -> Iterator[Callable[[_Task], tuple[Puzzle, ...] | None]]:
    """Yield a function that plays a game and returns its puzzles."""
    game = plan.load()
    with ExitStack() as stack:
        rater = stack.enter_context(Rater(game))

        def is_confirmed(puzzle: Puzzle) -> bool:
            goal = PuzzleFile(plan.goals).goal(puzzle.theme)
            return check(plan.game, puzzle, goal, plan.seed) is None

        def run(task: _Task) -> tuple[Puzzle, ...] | None:
            rng = random.Random(task.seed)
            found: list[Puzzle] = []
            starts = _starts(game, rng, stop)
            searched = set(rng.sample(range(len(starts)), min(SEARCHED, len(starts))))
            for place, first in enumerate(starts):
                counted = Counter(puzzle.theme for puzzle in found)
                themes = {one for one in task.themes if counted[one] < MOST_OF_A_GAME}
                if place not in searched:
                    themes.discard("best")
                for puzzle in find(first, plan.goals, themes, stop):
                    rated = puzzle if puzzle.level else rater.rate(puzzle, first, stop)
                    whole = msgspec.structs.replace(rated, options=plan.options)
                    if not stop.is_set() and is_confirmed(whole):
                        found.append(whole)
                if stop.is_set():
                    return None
            return tuple(found)

        yield run


def _starts(game: Game, rng: random.Random, stop: Stop) -> list[State]:
    """Play a game between engines, and its end several times.

    Returns:
        The states at the start of all turns.
    """
    with ExitStack() as stack:
        players = [
            stack.enter_context(engine(f"level:{rng.choice(LEVELS)}", game))
            for _ in range(game.seats)
        ]
        match = Match(game, seed=rng)
        for _ in range(rng.randrange(9)):
            if match.state.legal_actions:
                match.play(rng.choice(match.state.legal_actions))
        starts = _played(match.state, players, rng, stop)
        whole = len(starts)
        for _ in range(ENDS):
            again = starts[max(0, whole - rng.randint(1, END_TURNS)) : whole]
            starts += _played(again[0], players, rng, stop)[1:] if again else []
    return list(dict.fromkeys(starts))


def _played(state: State, players: Sequence[Engine], rng: random.Random, stop: Stop) -> list[State]:
    """Play a game to its end, and return the states at the start of its turns."""
    for player in players:
        player.new_game(rng.getrandbits(60))
    match = Match(state.game, seed=rng, position=state.text)

    def choose(_: Sequence[Match]) -> list[str]:
        assert match.state.to_act is not None
        return [players[match.state.to_act].choose(match.state, stop=stop).token]

    play_out([match], choose, stop)
    acted = [state for state in match.states if not state.is_terminal and state.to_act != CHANCE]
    turns = itertools.groupby(acted, lambda state: (state.to_act, state.turn))
    return [next(states) for _, states in turns]
