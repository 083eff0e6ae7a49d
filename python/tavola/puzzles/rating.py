"""The level of a puzzle, and its plausible wrong turns with their refutations."""

from __future__ import annotations

import contextlib
import math
import statistics
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

from msgspec.structs import replace

from tavola._core import Analysis, Game, State, Stop, load, prove, search
from tavola.engines import Engine, engine, levels
from tavola.executors import Executor
from tavola.lessons import attempt, start
from tavola.options_text import parse_options
from tavola.puzzles.finder import MOST_WRONG, NODES, value, wins
from tavola.puzzles.lesson import lesson
from tavola.puzzles.puzzle import THEMES, Puzzle, Try
from tavola.puzzles.turns import TurnActions, is_turn_over, play_fixed, settle, turns

__all__ = ["Rater", "measure_all", "with_least_levels"]

TRIALS = 4
FOUND = 3
"""A level finds a solution reliably in at least this many of its trials."""
RELIABLE = 0.75
"""A level finds a solution reliably in at least this part of many trials."""
MOST_ACTIONS = 20_000


class Rater:
    """Rates puzzles by the levels of the game. It is a context manager that closes its engines.

    Args:
        game: The game of all puzzles.
    """

    def __init__(self, game: Game) -> None:
        self._game = game.name
        self._stack = ExitStack()
        self._last = len(levels(game.name))
        # The strongest level thinks for a time: a puzzle that no other level solves is its own.
        self._engines = [
            self._stack.enter_context(engine(f"level:{number}", game))
            for number in range(1, self._last)
        ]

    def __enter__(self) -> Rater:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def rate(self, puzzle: Puzzle, first: State, stop: Stop) -> Puzzle:
        """Return a puzzle with its level and its wrong turns.

        Args:
            puzzle: The puzzle.
            first: The state of its position.
            stop: Ends the work early; the result is then useless.

        Returns:
            The puzzle.
        """
        solution = tuple(puzzle.play.split())
        solved = play_fixed(first, solution)
        wrong: Counter[State] = Counter()
        lines: dict[State, TurnActions] = {}
        level = self._last
        for number, player in enumerate(self._engines, start=1):
            found = missed = 0
            while found < FOUND and missed <= TRIALS - FOUND and not stop.is_set():
                line = _turn(player, first, number * TRIALS + found + missed, stop)
                end = play_fixed(first, line)
                if end == solved:
                    found += 1
                else:
                    missed += 1
                    wrong[end] += number
                    lines[end] = line
            if found == FOUND:
                level = number
                break
        seat = puzzle.seat
        for line in _searched(first, stop):
            end = play_fixed(first, line)
            if end != solved:
                wrong[end] += 1
                lines.setdefault(end, line)
        tries = tuple(
            _refuted(puzzle, first, lines[end], stop)
            for end, _ in wrong.most_common(MOST_WRONG)
            if end.outcome is None or seat not in end.outcome.winners
        )
        return replace(puzzle, level=level, wrong=tries)

    def measure(self, puzzle: Puzzle, trials: int, stop: Stop) -> Puzzle:
        """Return a puzzle with the level that many trials give.

        A level must find every turn of the puzzle in three of four trials, and so must the level
        above it. A weak level that finds a turn by chance does not count.

        Args:
            puzzle: The puzzle, of a theme of all games.
            trials: The number of trials of each level.
            stop: Ends the work early; the result is then useless.

        Returns:
            The puzzle.
        """
        below = False
        level = self._last
        for number, player in enumerate(self._engines, start=1):
            found = missed = 0
            most = trials - math.ceil(RELIABLE * trials)
            while found + missed < trials and missed <= most and not stop.is_set():
                seed = number * trials + found + missed
                if _is_solved(player, self._game, puzzle, seed, stop):
                    found += 1
                else:
                    missed += 1
            reliable = missed <= most
            if reliable and below:
                level = number - 1
                break
            below = reliable
        else:
            level = self._last - 1 if below else self._last
        return replace(puzzle, level=level, trials=trials)


def measure_all(
    game: str, puzzles: Sequence[Puzzle], trials: int, executor: Executor
) -> Generator[Puzzle]:
    """Measure the levels of puzzles in the processes of an executor.

    Engines do not play for the goals of one game, so puzzles of goals are left out.

    Args:
        game: The name of the game.
        puzzles: The puzzles.
        trials: The number of trials of each level.
        executor: Runs the trials.

    Yields:
        Each puzzle with its level, as `Rater.measure`.

    Raises:
        WorkerProcessDied: If three processes exit during the same puzzle.
    """
    begin = partial(_begin, game, trials)
    chosen = [puzzle for puzzle in puzzles if puzzle.theme in THEMES]
    with contextlib.closing(executor.run(begin, enumerate(chosen, 1))) as results:
        yield from results


def with_least_levels(puzzles: Sequence[Puzzle]) -> tuple[Puzzle, ...]:
    """Return puzzles none of which is easier than a win in one turn if it needs the other's reply.

    A weak engine finds a defence as often as a win of its own. A player sees the win first.

    Args:
        puzzles: The puzzles of a game.

    Returns:
        The same puzzles. Those of the other themes of all games have at least the median level of
        the wins in one turn.
    """
    wins_at_once = [puzzle.level for puzzle in puzzles if puzzle.theme == "win-1"]
    least = statistics.median_low(wins_at_once) if wins_at_once else 1
    return tuple(
        replace(puzzle, level=max(puzzle.level, least))
        if puzzle.theme in THEMES and puzzle.theme != "win-1"
        else puzzle
        for puzzle in puzzles
    )


@contextmanager
def _begin(game: str, trials: int, stop: Stop) -> Iterator[Callable[[Puzzle], Puzzle | None]]:
    """Yield a function that measures a puzzle; it returns `None` if it was stopped."""
    with ExitStack() as stack:
        raters: dict[str, Rater] = {}

        def run(puzzle: Puzzle) -> Puzzle | None:
            if puzzle.options not in raters:
                rater = Rater(load(game, **parse_options(puzzle.options)))
                raters[puzzle.options] = stack.enter_context(rater)
            measured = raters[puzzle.options].measure(puzzle, trials, stop)
            return None if stop.is_set() else measured

        yield run


def _is_solved(player: Engine, game: str, puzzle: Puzzle, seed: int, stop: Stop) -> bool:
    """Return whether an engine finds every turn of a puzzle."""
    whole = lesson(puzzle, None)
    for number in range(len(whole.steps)):
        line = _turn(player, start(game, whole, number), seed, stop)
        if attempt(game, whole, number, line).status != "done":
            return False
    return True


def _refuted(puzzle: Puzzle, first: State, line: TurnActions, stop: Stop) -> Try:
    """Return a wrong turn with the reply that refutes it."""
    seat, end = puzzle.seat, play_fixed(first, line)
    play = " ".join(line)
    worth = None
    if puzzle.theme == "best":
        worth = round(100 * value(end, seat, NODES, 1, stop))
    if end.outcome is not None:
        return Try(play, loses=seat not in end.outcome.winners, value=worth)
    proof = prove(end, puzzle.plies or 6, stop=stop)
    loses = proof is not None and proof.winner != seat
    reply = _win(end, proof.winner, proof.plies) if loses and proof is not None else None
    if reply is None:
        reply = _defence(puzzle, first, end, len(line), stop)
    return Try(play, " ".join(reply), loses=loses, value=worth)


def _turn(player: Engine, first: State, seed: int, stop: Stop) -> TurnActions:
    """Return the turn that an engine plays."""
    player.new_game(seed)
    state, line = first, list[str]()
    while not is_turn_over(first, state):
        line.append(player.choose(state, stop=stop).token)
        state = settle(state.play(line[-1]))
    return tuple(line)


def _searched(first: State, stop: Stop) -> Iterator[TurnActions]:
    """Yield the turns that begin with the most searched actions of a short search."""
    found = _search(first, NODES // 4, stop)
    for line in sorted(found.lines, key=lambda one: one.visits, reverse=True)[:MOST_WRONG]:
        state, played = settle(first.play(line.action)), [line.action]
        while not is_turn_over(first, state):
            best = _search(state, NODES // 8, stop).best
            assert best is not None
            state = settle(state.play(best))
            played.append(best)
        yield tuple(played)


def _search(state: State, nodes: int, stop: Stop) -> Analysis:
    return search(
        state,
        nodes=nodes,
        threads=1,
        seed=1,
        method="tree",
        evaluate=state.game.network,
        stop=stop,
    )


def _win(state: State, winner: int, plies: int) -> TurnActions | None:
    """Return the next turn of a forced win; `None` if another seat is to act."""
    if state.to_act != winner:
        return None
    for end, line in (turns(state, MOST_ACTIONS) or {}).items():
        if wins(end, winner, plies - len(line)):
            return line
    return None


def _defence(puzzle: Puzzle, first: State, end: State, length: int, stop: Stop) -> TurnActions:
    """Return the opponent's best turn, or the first one after which the player does not win."""
    state, line = end, list[str]()
    while not is_turn_over(end, state):
        found = _search(state, NODES // 2, stop).best
        assert found is not None
        line.append(found)
        state = settle(state.play(found))
    if not puzzle.theme.startswith(("win", "secure")):
        return tuple(line)
    plies = puzzle.plies - 2 * length
    if plies <= 0 or not wins(state, puzzle.seat, plies):
        return tuple(line)
    for after, other in (turns(end, MOST_ACTIONS) or {}).items():
        if not wins(after, puzzle.seat, plies):
            return other
    return tuple(line)
