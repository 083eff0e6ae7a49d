"""Built-in engines: random actions, and the searches of the compiled core."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tavola._core import CHANCE, Analysis, Game, Line, Network, Searcher, State, Stop
from tavola.engines.engine import Choice, Engine, Info, Limits

__all__ = ["SEARCHES", "RandomEngine", "SearchEngine", "SeededEngine", "check_choice", "choice_of"]

SEARCHES: Mapping[str, Mapping[str, Any]] = {
    "auto": {},
    "tree": {"method": "tree"},
    "alphabeta": {"method": "alphabeta"},
    "uct": {"method": "tree", "uniform": True, "lookahead": 0},
}
"""The searches by name, with their arguments of `tavola.search` in addition to the limits."""

PLAIN = {"uct"}
"""The searches that discard their tree after every action and always use all of their limits."""

FIRST_SLICE = 0.1
LONGEST_SLICE = 1.0


class SeededEngine(Engine):
    """An engine with a random seed."""

    def __init__(self, text: str, *, seed: int | None) -> None:
        super().__init__(text)
        self._seed = seed
        self.new_game()

    def new_game(self, seed: int = 0, *, stop: Stop | None = None) -> None:
        """Start a new game."""
        self._random = random.Random(seed if self._seed is None else self._seed)

    def close(self) -> None:
        """Do nothing: the engine holds no resources."""


class RandomEngine(SeededEngine):
    """Plays a random legal action, all equally likely.

    Args:
        text: The specification of the engine.
        seed: The random seed of every game; with `None` each game has a seed of its own.
    """

    def __init__(self, text: str, *, seed: int | None = None) -> None:
        super().__init__(text, seed=seed)

    def choose(
        self,
        state: State,
        *,
        moves: Sequence[str] | None = None,
        limits: Limits | None = None,
        stop: Stop | None = None,
        tell: Callable[[Choice], None] | None = None,
    ) -> Choice:
        """Return a random legal action.

        Raises:
            ValueError: If no seat is to act.
        """
        check_choice(state)
        return Choice(token=self._random.choice(state.legal_actions))


class SearchEngine(SeededEngine):
    """Plays the best action of a search in the compiled core.

    Args:
        text: The specification of the engine.
        game: The game to play.
        search: The name of the search, one of `SEARCHES`.
        network: The network that values the leaves of a tree search; `None` for rollouts or the
            evaluation of the game.
        c_puct: The exploration constant of a search with a network; `None` is the default of the
            search.
        rollouts: The weight of a rollout in the value of a leaf; the network has the rest.
        limits: The limits for one action.
        lookahead: The depth of the exhaustive look-ahead for forced results, in actions; `None` is
            the default of the search.
        blunders: The blunder rate: the engine plays each action with a probability proportional to
            `visits ** (1 / blunders)`; 0 always plays the best. An engine that blunders discards
            its tree after every action.
        contempt: The part of its share of a draw that the engine counts as lost, from 0 to 0.9.
        threads: The number of threads.
        memory: The memory of the tree in megabytes; `None` is the default of the search.
        seed: The random seed of every game; with `None` each game has a seed of its own.
    """

    def __init__(
        self,
        text: str,
        game: Game,
        *,
        search: str,
        limits: Limits,
        network: Network | None = None,
        c_puct: float | None = None,
        rollouts: float | None = None,
        lookahead: int | None = None,
        blunders: float = 0.0,
        contempt: float = 0.0,
        threads: int = 1,
        memory: int | None = None,
        seed: int | None = None,
    ) -> None:
        self._searcher = Searcher(game)
        super().__init__(text, seed=seed)
        self._blunders = blunders
        self._plain = search in PLAIN or blunders > 0.0
        self._contempt = contempt
        given = {
            "threads": threads,
            "lookahead": lookahead,
            "memory": memory,
            "evaluate": network,
            "c_puct": c_puct,
            "rollouts": rollouts,
        }
        self._settings = {
            **SEARCHES[search],
            **{name: value for name, value in given.items() if value is not None},
        }
        self._limits = limits

    def new_game(self, seed: int = 0, *, stop: Stop | None = None) -> None:
        """Start a new game."""
        super().new_game(seed)
        self._searcher.forget()

    def choose(
        self,
        state: State,
        *,
        moves: Sequence[str] | None = None,
        limits: Limits | None = None,
        stop: Stop | None = None,
        tell: Callable[[Choice], None] | None = None,
    ) -> Choice:
        """Return the best action of the search.

        Raises:
            ValueError: If no seat is to act, or if the search does not support a limit of depth.
        """
        check_choice(state)
        used = self._limits if limits is None else limits
        if used.depth is not None and self._settings.get("method") != "alphabeta":
            raise ValueError(f"the engine {self.text} does not support a limit of depth")
        if self._plain:
            self._searcher.forget()
        if used == Limits():
            return self._choose_without_limits(state, stop, tell)
        analysis = self._search(state, used, stop, choose=not self._plain, contempt=self._contempt)
        return choice_of(analysis, self._pick(analysis.lines))

    def _pick(self, lines: Sequence[Line]) -> Line:
        """Return the best line, or another one according to the blunder rate."""
        best, most = lines[0], max(line.visits for line in lines)
        if self._blunders == 0.0 or best.proven or most == 0:
            return best
        weights = [(line.visits / most) ** (1.0 / self._blunders) for line in lines]
        return self._random.choices(lines, weights)[0]

    def _choose_without_limits(
        self, state: State, stop: Stop | None, tell: Callable[[Choice], None] | None
    ) -> Choice:
        """Search in slices of time until it is stopped, and report the result of each slice."""
        nodes, seconds, slice_ = 0, 0.0, FIRST_SLICE
        while True:
            analysis = self._search(state, Limits(seconds=slice_), stop, choose=False)
            nodes, seconds = nodes + analysis.nodes, seconds + analysis.seconds
            choice = choice_of(analysis, analysis.lines[0], nodes=nodes, seconds=seconds)
            if tell is not None:
                tell(choice)
            if choice.info.proven or (stop is not None and stop.is_set()):
                return choice
            slice_ = min(slice_ * 1.5, LONGEST_SLICE)

    def _search(
        self,
        state: State,
        limits: Limits,
        stop: Stop | None,
        *,
        choose: bool,
        contempt: float = 0.0,
    ) -> Analysis:
        return self._searcher.search(
            state,
            seconds=float("inf") if limits.seconds is None else limits.seconds,
            nodes=limits.nodes,
            depth=limits.depth,
            seed=self._random.getrandbits(63),
            choose=choose,
            contempt=contempt,
            stop=stop,
            **self._settings,
        )


def check_choice(state: State) -> None:
    """Reject a state in which no seat is to act."""
    if state.to_act is None or state.to_act == CHANCE:
        raise ValueError(f"no seat is to act, so there is nothing to choose: {state.text}")


def choice_of(
    analysis: Analysis, line: Line, *, nodes: int | None = None, seconds: float | None = None
) -> Choice:
    """Return the action of a line of an analysis with a summary."""
    info = Info(
        shares=line.shares,
        proven=line.proven,
        worth=analysis.shares,
        variation=line.variation,
        nodes=analysis.nodes if nodes is None else nodes,
        seconds=analysis.seconds if seconds is None else seconds,
    )
    return Choice(token=line.action, analysis=analysis, info=info)
