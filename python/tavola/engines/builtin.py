"""Built-in engines: random actions, and the searches of the compiled core."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tavola._core import CHANCE, Analysis, Game, Line, Searcher, State, Stop, _EngineSpec
from tavola.engines.engine import Choice, Engine, Info, Limits
from tavola.engines.network import network_of
from tavola.engines.solution import solved_game

__all__ = ["RandomEngine", "SearchEngine", "SeededEngine", "check_choice", "choice_of"]

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
        """Do nothing: garbage collection frees what the engine holds."""


class RandomEngine(SeededEngine):
    """Plays a random legal action, all equally likely.

    Args:
        text: The specification of the engine.
        seed: The random seed of every game; with `None` each game has a seed of its own.
    """

    def __init__(self, text: str, *, seed: int | None = None) -> None:
        super().__init__(text, seed=seed)

    def choose(self, state: State, **_: object) -> Choice:
        """Return a random legal action.

        Raises:
            ValueError: If no seat is to act.
        """
        check_choice(state)
        return Choice(token=self._random.choice(state.legal_actions))


class SearchEngine(SeededEngine):
    """A search of the compiled core. It keeps its tree from one action to the next.

    Args:
        text: The specification of the engine.
        game: The game to play.
        spec: The settings of the search. An engine that blunders discards its tree after every
            action.

    Raises:
        EngineError: If its network or solution cannot be read, or is for another game.
    """

    def __init__(self, text: str, game: Game, spec: _EngineSpec) -> None:
        self._searcher = Searcher(game)
        self._spec = spec
        self._network = network_of(text, game, spec)
        self._solved = solved_game(text, game, spec)
        super().__init__(text, seed=spec.seed)

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
        if limits is not None and limits.depth is not None and self._spec.kind != "alphabeta":
            raise ValueError(f"the engine {self.text} does not support a limit of depth")
        if self._spec.forgets:
            self._searcher.forget()
        if limits == Limits():
            return self._choose_without_limits(state, stop, tell)
        best = self._best(state, stop)
        if best is not None and len(best) == 1:
            return Choice(token=best[0])
        analysis = self._search(state, limits, stop)
        if best is not None:
            return choice_of(analysis, _first_of(analysis, best))
        return choice_of(analysis, analysis.lines[self._spec.pick(analysis, self._random.random)])

    def _choose_without_limits(
        self, state: State, stop: Stop | None, tell: Callable[[Choice], None] | None
    ) -> Choice:
        """Search in slices of time until it is stopped, and report the result of each slice."""
        nodes, seconds, slice_ = 0, 0.0, FIRST_SLICE
        best = self._best(state, stop)
        while True:
            analysis = self._search(state, Limits(seconds=slice_), stop, analyse=True)
            nodes, seconds = nodes + analysis.nodes, seconds + analysis.seconds
            line = analysis.lines[0] if best is None else _first_of(analysis, best)
            choice = choice_of(analysis, line, nodes=nodes, seconds=seconds)
            if tell is not None:
                tell(choice)
            if choice.info.proven or (stop is not None and stop.is_set()):
                return choice
            slice_ = min(slice_ * 1.5, LONGEST_SLICE)

    def _best(self, state: State, stop: Stop | None) -> list[str] | None:
        """Return the actions with the best result by a solution; `None` without one."""
        return None if self._solved is None else self._solved._perfect_actions(state, stop)

    def _search(
        self, state: State, limits: Limits | None, stop: Stop | None, *, analyse: bool = False
    ) -> Analysis:
        return self._searcher._search(
            state,
            self._spec,
            seed=self._random.getrandbits(63),
            limits=None if limits is None else (limits.seconds, limits.nodes, limits.depth),
            network=self._network,
            analyse=analyse,
            stop=stop,
        )


def _first_of(analysis: Analysis, actions: Sequence[str]) -> Line:
    """Return the best line among those of some actions."""
    return next(line for line in analysis.lines if line.action in actions)


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
