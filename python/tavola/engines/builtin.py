"""Engines of our own: any legal action, and the searches of the compiled core."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tavola._core import CHANCE, Analysis, Game, Line, Searcher, State, Stop
from tavola.engines.engine import Choice, Engine, Info, Limits

__all__ = ["SEARCHES", "RandomEngine", "SearchEngine"]

SEARCHES: Mapping[str, Mapping[str, Any]] = {
    "auto": {},
    "tree": {"method": "tree"},
    "alphabeta": {"method": "alphabeta"},
    "uct": {"method": "tree", "uniform": True, "lookahead": 0},
}
"""The searches by name, with what they give to `tavola.search` beside limits."""

PLAIN = {"uct"}
"""The searches that keep nothing from one action to the next, and use all that they may."""

FIRST_SLICE = 0.1
LONGEST_SLICE = 1.0


class _Seeded(Engine):
    """An engine whose choices follow from a seed."""

    def __init__(self, text: str, *, seed: int | None) -> None:
        super().__init__(text)
        self._seed = seed
        self.new_game()

    def new_game(self, seed: int = 0, *, stop: Stop | None = None) -> None:
        """Begins another game."""
        self._random = random.Random(seed if self._seed is None else self._seed)

    def close(self) -> None:
        """Nothing is held."""


class RandomEngine(_Seeded):
    """Plays any legal action, all equally likely.

    Args:
        text: How the engine is named.
        seed: What its choices follow from in every game; if `None`, each game has a seed.
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
        """Any legal action.

        Raises:
            ValueError: If no seat is to act.
        """
        _check_choice(state)
        return Choice(token=self._random.choice(state.legal_actions))


class SearchEngine(_Seeded):
    """Plays what a search in the compiled core finds best.

    Args:
        text: How the engine is named.
        game: The game that it is to play.
        search: Which search, one of `SEARCHES`.
        limits: What it may use for an action.
        lookahead: The depth in actions to which it finds every forced result; the default of the
            search if `None`.
        blunders: The blunder rate: it plays each action as often as its visits to the power of
            one over this, and always the best at 0. Above 0 it keeps no tree between turns.
        contempt: What part of its share of a draw it counts as lost, from 0 to 0.9, when it is to
            choose.
        threads: How many threads it thinks with.
        memory: How many megabytes its tree may take; if `None`, as many as is usual.
        seed: What its choices follow from in every game; if `None`, each game has a seed.
    """

    def __init__(
        self,
        text: str,
        game: Game,
        *,
        search: str,
        limits: Limits,
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
        told = {"threads": threads, "lookahead": lookahead, "memory": memory}
        self._settings = {
            **SEARCHES[search],
            **{name: value for name, value in told.items() if value is not None},
        }
        self._limits = limits

    def new_game(self, seed: int = 0, *, stop: Stop | None = None) -> None:
        """Begins another game."""
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
        """What the search finds best.

        Raises:
            ValueError: If no seat is to act; for a limit of depth, if the search has none.
        """
        _check_choice(state)
        used = self._limits if limits is None else limits
        if used.depth is not None and self._settings.get("method") != "alphabeta":
            raise ValueError(f"the engine {self.text} takes no limit of depth")
        if self._plain:
            self._searcher.forget()
        if used == Limits():
            return self._choose_at_leisure(state, stop, tell)
        analysis = self._search(state, used, stop, choose=not self._plain, contempt=self._contempt)
        return _choice(analysis, self._pick(analysis.lines))

    def _pick(self, lines: Sequence[Line]) -> Line:
        """Return the best line, or a random one at the blunder rate."""
        best, most = lines[0], max(line.visits for line in lines)
        if self._blunders == 0.0 or best.proven or most == 0:
            return best
        weights = [(line.visits / most) ** (1.0 / self._blunders) for line in lines]
        return self._random.choices(lines, weights)[0]

    def _choose_at_leisure(
        self, state: State, stop: Stop | None, tell: Callable[[Choice], None] | None
    ) -> Choice:
        """Searches until it is stopped, in slices of time, and tells what each has brought."""
        nodes, seconds, slice_ = 0, 0.0, FIRST_SLICE
        while True:
            analysis = self._search(state, Limits(seconds=slice_), stop, choose=False)
            nodes, seconds = nodes + analysis.nodes, seconds + analysis.seconds
            choice = _choice(analysis, analysis.lines[0], nodes=nodes, seconds=seconds)
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


def _check_choice(state: State) -> None:
    """Refuses a state in which there is nothing to choose."""
    if state.to_act is None or state.to_act == CHANCE:
        raise ValueError(f"no seat is to act, so there is nothing to choose: {state.text}")


def _choice(
    analysis: Analysis, line: Line, *, nodes: int | None = None, seconds: float | None = None
) -> Choice:
    """The action of a line of an analysis, and what is thought of it in short."""
    info = Info(
        shares=line.shares,
        proven=line.proven,
        worth=analysis.shares,
        variation=line.variation,
        nodes=analysis.nodes if nodes is None else nodes,
        seconds=analysis.seconds if seconds is None else seconds,
    )
    return Choice(token=line.action, analysis=analysis, info=info)
