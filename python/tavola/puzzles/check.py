"""Confirms puzzles, independently of how they were found."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

import tavola
from tavola._core import CHANCE, State, Stop
from tavola.executors import Executor
from tavola.lessons import LessonError, attempt, start
from tavola.puzzles.finder import GAP, SAVED, counter, gaps, price, value
from tavola.puzzles.lesson import lesson
from tavola.puzzles.puzzle import Goal, Puzzle, PuzzleFile
from tavola.puzzles.turns import TurnActions, all_ends, is_turn_over, play_fixed, settle, turns

__all__ = ["check", "check_all", "judgement_fault"]

FACTOR = 4
"""How many times the nodes of a puzzle its confirmation uses."""
MOST_ACTIONS = 100_000


def check(game: str, puzzle: Puzzle, goal: Goal | None, seed: int) -> str | None:
    """Confirm a puzzle: its solution, that no other turn solves it, and the wrong turns.

    Forced results are proven again by a plain exhaustive search in Python, which shares no code
    with the compiled one. Other results are searched with four times the nodes and another seed.

    Args:
        game: The name of the game.
        puzzle: The puzzle.
        goal: The goal of its theme, for a theme of one game.
        seed: The random seed.

    Returns:
        The fault; `None` if the puzzle is confirmed.
    """
    try:
        return judgement_fault(game, puzzle, goal) or _uniqueness_fault(game, puzzle, goal, seed)
    except (LessonError, tavola.TavolaError) as error:
        return str(error)


def check_all(
    game: str, file: PuzzleFile, puzzles: Sequence[Puzzle], seed: int, executor: Executor
) -> Generator[tuple[Puzzle, str | None]]:
    """Confirm puzzles in the processes of an executor.

    Args:
        game: The name of the game.
        file: The file of the puzzles, with its goals.
        puzzles: The puzzles to confirm.
        seed: The random seed.
        executor: Runs the checks.

    Yields:
        Each puzzle with its fault, as `check`.
    """
    begin = partial(_begin, game, file.goals, seed)
    with contextlib.closing(executor.run(begin, enumerate(puzzles, 1))) as results:
        yield from results


@contextmanager
def _begin(
    game: str, goals: tuple[Goal, ...], seed: int, _: Stop
) -> Iterator[Callable[[Puzzle], tuple[Puzzle, str | None]]]:
    """Yield a function that confirms a puzzle."""
    file = PuzzleFile(goals)
    yield lambda puzzle: (puzzle, check(game, puzzle, file.goal(puzzle.theme), seed))


def judgement_fault(game: str, puzzle: Puzzle, goal: Goal | None) -> str | None:
    """Return what the judge of lessons answers otherwise than the puzzle.

    Args:
        game: The name of the game.
        puzzle: The puzzle.
        goal: The goal of its theme, for a theme of one game.

    Returns:
        The fault: a solution or a wrong turn that the judge answers otherwise; `None` without.

    Raises:
        LessonError: If the position cannot be read, or another seat is to act.
        TavolaError: If an action is illegal.
    """
    one = lesson(puzzle, goal)
    for number, step in enumerate(one.steps):
        for line in step.accept:
            tried = attempt(game, one, number, line.split())
            if tried.status != "done":
                return f"step {number + 1}: {line!r} is {tried.status}"
    for wrong in one.steps[0].wrong:
        tried = attempt(game, one, 0, wrong.play.split())
        if tried.status != "wrong":
            return f"the wrong turn {wrong.play!r} is {tried.status}"
        played = [action.token for action in tried.played if action.seat != CHANCE]
        if played != [*wrong.play.split(), *wrong.reply.split()]:
            return f"the reply {wrong.reply!r} to {wrong.play!r} is not legal"
    return None


def _uniqueness_fault(game: str, puzzle: Puzzle, goal: Goal | None, seed: int) -> str | None:
    """Return why the solution is not the only one; `None` if it is."""
    first, seat = start(game, lesson(puzzle, goal), 0), puzzle.seat
    solution = tuple(puzzle.play.split())
    solved = play_fixed(first, solution)
    if goal is not None:
        return _goal_fault(first, solved, seat, goal, puzzle)
    if puzzle.theme == "best":
        found = gaps(first, FACTOR * puzzle.nodes, seed)
        if found is None or play_fixed(first, found[0]) != solved:
            return "the search prefers another turn"
        if found[1] - found[2] < GAP / 2:
            return f"the second turn is worth {found[2]:.2f}, the solution {found[1]:.2f}"
        return None
    ends = turns(first, MOST_ACTIONS)
    if ends is None or solved not in ends:
        return "the solution is not a whole turn"
    others = {end: line for end, line in ends.items() if end != solved}
    if puzzle.theme == "save":
        solver = Solver(set(range(first.game.seats)) - {seat})
        for end, line in others.items():
            if not solver.wins(end, puzzle.plies):
                return f"{' '.join(line)!r} saves too"
        if value(solved, seat, FACTOR * puzzle.nodes, seed) < SAVED / 2:
            return "the solution loses"
        return None
    return _win_fault(first, others, solution, puzzle)


def _win_fault(
    first: State, others: Mapping[State, TurnActions], solution: TurnActions, puzzle: Puzzle
) -> str | None:
    """Return why the solution is not the only turn that wins in time; `None` if it is."""
    solver = Solver({puzzle.seat})
    plies = puzzle.plies - len(solution)
    if any(end is None or not solver.wins(end, plies) for end in all_ends(first, solution)):
        return "the solution does not win in time"
    for end, line in others.items():
        if solver.wins(end, plies):
            return f"{' '.join(line)!r} wins too"
    return None


def _goal_fault(first: State, solved: State, seat: int, goal: Goal, puzzle: Puzzle) -> str | None:
    """Return why the solution is not the only turn that reaches the goal; `None` if it is."""
    before = counter(first, seat, goal.counter)
    value = puzzle.value or 0
    claim = (puzzle.aim, -value) if goal.cost else (value, 0)
    if None in all_ends(first, tuple(puzzle.play.split())):
        return "chance can make the solution illegal"
    for end in _turn_ends(first):
        gain = goal.sign * (counter(end, seat, goal.counter) - before)
        cost = price(first, end, seat, goal)
        if (end == solved) != ((gain, -cost) == claim) or (gain, -cost) > claim:
            return f"a turn reaches {gain} at cost {cost}, the solution {claim[0]} at {-claim[1]}"
    return None


def _turn_ends(first: State) -> Iterator[State]:
    """Yield every position in which the turn can end."""
    open_, seen = [first], {first}
    while open_:
        state = open_.pop()
        after = {settle(state.play(token)) for token in state.legal_actions} - seen
        seen |= after
        for end in after:
            if is_turn_over(first, end):
                yield end
            else:
                open_.append(end)


class Solver:
    """A plain exhaustive search for forced wins, action by action.

    Args:
        winners: The seats of which one must win.
    """

    def __init__(self, winners: Collection[int]) -> None:
        self._winners = frozenset(winners)
        self._known: dict[tuple[State, int], bool] = {}

    def wins(self, state: State, plies: int) -> bool:
        """Return whether the seats force a win within a number of actions."""
        if state.outcome is not None:
            won = state.outcome.winners
            return won != () and self._winners.issuperset(won)
        if plies <= 0:
            return False
        key = (state, plies)
        if key not in self._known:
            after = (self.wins(one, plies - 1) for one in _successors(state))
            self._known[key] = any(after) if state.to_act in self._winners else all(after)
        return self._known[key]


def _successors(state: State) -> Iterator[State]:
    """Yield the states after all actions or chance outcomes."""
    tokens = state.legal_actions or [token for token, _ in state.chance_outcomes]
    return (state.play(token) for token in tokens)
