"""Self-play: a round is split into tasks, each with games that are searched together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import numpy as np

import tavola
from tavola._core import Game, Network, State, Stop, _looks
from tavola.executors import Executor, run_in_order
from tavola.match import Match
from tavola.self_play import play_out
from tavola.train.plan import Plan
from tavola.train.samples import Position, Round, Samples
from tavola.train.weights import Floats

__all__ = ["play_round", "record", "solved_target", "with_solved_ends"]

STREAK = 4
"""The number of searches in a row that must find a game won before it ends early."""

PLAYED_ON = 10
"""One of this many games is always played to its end, to check the early ends of the others."""

TEACHER_FAST = 8
"""A fast search of the teacher has this part of the simulations of a full one."""


class _Game(Match):
    """A game in progress."""

    def __init__(self, game: Game, number: int, rng: np.random.Generator) -> None:
        super().__init__(game, seed=rng)
        self.rng, self.number = rng, number
        self.positions: list[Position] = []
        self.acted = 0
        self.leader: tuple[int, int] = (-1, 0)
        self.claimed: int | None = None

    def lead(self, shares: Floats, certain: float) -> None:
        """Note which seat has won by a search, and in how many searches in a row."""
        best = int(shares.argmax())
        if shares[best] < certain:
            self.leader = (-1, 0)
            return
        seat, streak = self.leader
        self.leader = (best, streak + 1 if seat == best else 1)
        if self.leader[1] >= STREAK and self.claimed is None:
            self.claimed = best


def record(plan: Plan, state: State, policy: Floats, root: Floats) -> Position:
    """Return a position with everything that the network reads.

    Args:
        plan: The plan of the run.
        state: The position, in which a seat acts.
        policy: The share of the visits of each legal action.
        root: The share of each seat by the search.
    """
    features = np.zeros((state.game.seats, 0), np.float32)
    if plan.features:
        features = np.array(list(state.features.values()), np.float32).T
    return Position(
        observation=state.observation(layout="flat", dtype=np.uint8),
        features=features,
        ids=state.legal_ids,
        looks=_looks(state, plan.features) if plan.looks else np.zeros(0, np.float32),
        policy=policy,
        root=root,
        seat=int(state.to_act or 0),
    )


def play_round(
    plan: Plan,
    number: int,
    evaluate: Network | None,
    *,
    early: bool = False,
    solution: Path | None = None,
    executor: Executor | None = None,
    tell: Callable[[int], None] = lambda done: None,
) -> Round:
    """Play the games of a round. The result does not depend on the executor.

    Args:
        plan: The plan of the run.
        number: The number of the round.
        evaluate: The network; `None` plays with the compiled search.
        early: Whether games end when a seat has certainly won.
        solution: The file of a solution that gives the targets of the positions that it knows.
        executor: Runs the tasks; `None` runs them in this process.
        tell: Gets the number of finished games after each task.

    Raises:
        WorkerProcessDied: If three processes exit during the same task.
        SolutionError: If a process cannot read the solution.
    """
    begin = partial(_begin, plan, number, evaluate, early, solution)
    tasks = [
        range(first, min(first + plan.together, plan.games))
        for first in range(0, plan.games, plan.together)
    ]
    parts: list[Round] = []
    with closing(run_in_order(begin, [(one[0] + 1, one) for one in tasks], executor)) as playing:
        for games, part in zip(tasks, playing, strict=True):
            parts.append(part)
            tell(games.stop)
    return Round.joined(parts)


@contextmanager
def _begin(
    plan: Plan,
    number: int,
    evaluate: Network | None,
    early: bool,
    solution: Path | None,
    stop: Stop,
) -> Iterator[Callable[[range], Round | None]]:
    """Yield a function that plays a task: the games of a round with some numbers."""
    solved = None if solution is None else plan.load()._solved_by(solution)
    yield lambda games: _Playing(plan, number, games, evaluate, early, solved).run(stop)


def solved_target(solved: Game, state: State, position: Position) -> Position:
    """Return a position with the targets of perfect play, if the solution knows them.

    Args:
        solved: The game with its solution.
        state: The position.
        position: The same with the targets of a search.
    """
    known = solved._solved_actions(state)
    if known is None:
        return position
    shares, best = np.array(known[0], np.float32), np.isin(position.ids, known[1])
    return position._replace(
        policy=best.astype(np.float32) / best.sum(), root=shares, shares=shares
    )


def with_solved_ends(positions: Sequence[Position]) -> list[Position]:
    """Return the positions of a game, each unsolved one with the shares of the next solved one.

    So the errors that the players make after it do not count.
    """
    result: list[Position] = []
    shares = None
    for one in reversed(positions):
        shares = shares if one.shares is None else one.shares
        result.append(one._replace(shares=shares))
    return result[::-1]


class _Playing:
    """The games of a task while they are played.

    Args:
        plan: The plan of the run.
        number: The number of the round.
        games: The numbers of the games within the round.
        evaluate: The network; `None` plays with the compiled search.
        early: Whether games end when a seat has certainly won.
        solved: The game with its solution; `None` without one.
    """

    def __init__(
        self,
        plan: Plan,
        number: int,
        games: range,
        evaluate: Network | None,
        early: bool,
        solved: Game | None,
    ) -> None:
        self._solved = solved
        self._game, self._plan, self._evaluate, self._early = plan.load(), plan, evaluate, early
        self._rng = np.random.default_rng((plan.seed, 4, number, games.start))
        self._numbers = [number * plan.games + one for one in games]

    def run(self, stop: Stop) -> Round | None:
        """Play all games; return `None` if they were stopped."""
        games = [
            _Game(self._game, number, np.random.default_rng((self._plan.seed, 1, number)))
            for number in self._numbers
        ]
        if not play_out(games, self._choose, stop, self._is_over):
            return None
        finished: list[tuple[int, list[Position], Floats]] = []
        checked = wrong = 0
        for one in games:
            if one.state.outcome is not None:
                shares = np.array(one.state.outcome.shares(self._game.seats), np.float32)
                if one.claimed is not None:
                    checked += 1
                    wrong += bool(shares[one.claimed] < 0.99)
            elif self._is_over(one):
                shares = np.zeros(self._game.seats, np.float32)
                shares[one.claimed] = 1
            else:  # It was too long.
                continue
            finished.append((one.number, with_solved_ends(one.positions), shares))
        return Round(
            samples=Samples.of_games(
                finished,
                inputs=self._game.observation_space.shape("flat")[0],
                seats=self._game.seats,
                features=len(self._plan.features),
            ),
            actions=sum(one.acted for one in games),
            checked=checked,
            wrong=wrong,
        )

    def _is_over(self, one: _Game) -> bool:
        """Return whether a game has ended, or ends early."""
        claimed = self._early and one.claimed is not None and one.number % PLAYED_ON > 0
        return claimed or one.state.is_terminal

    def _choose(self, playing: Sequence[_Game]) -> list[str]:
        """Search every game, and return an action of each."""
        full = self._rng.random(len(playing)) < self._plan.full
        tokens: dict[int, str] = {}
        for is_full in (True, False):
            games = [one for one, chosen in zip(playing, full, strict=True) if chosen == is_full]
            if games:
                chosen = self._search(games, is_full)
                tokens.update(zip((one.number for one in games), chosen, strict=True))
        return [tokens[one.number] for one in playing]

    def _search(self, games: list[_Game], full: bool) -> Iterator[str]:
        """Search games, store the samples, and yield an action of each."""
        plan, states = self._plan, [one.state for one in games]
        seed = int(self._rng.integers(2**32))
        if self._evaluate is None:
            nodes = plan.teacher_nodes if full else max(1, plan.teacher_nodes // TEACHER_FAST)
            policies, values = tavola.search_batch(states, nodes, threads=1, seed=seed)
        else:
            policies, values = tavola.search_batch(
                states,
                plan.nodes if full else plan.fast_nodes,
                evaluate=self._evaluate,
                c_puct=plan.c_puct,
                noise=plan.noise if full else None,
                threads=1,
                seed=seed,
            )
        for one, policy, shares in zip(games, policies, values, strict=True):
            ids = one.state.legal_ids
            chances = policy[ids].astype(float)
            if full and len(ids) > 1:
                position = record(plan, one.state, policy[ids], shares)
                if self._solved is not None:
                    position = solved_target(self._solved, one.state, position)
                one.positions.append(position)
            if full:
                one.lead(shares, plan.certain)
            if one.acted < plan.free:
                action = int(one.rng.choice(ids, p=chances / chances.sum()))
            else:
                action = int(ids[chances.argmax()])
            one.acted += 1
            yield self._game.actions[action]
