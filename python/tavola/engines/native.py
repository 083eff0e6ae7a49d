"""Engines of our own: any legal action, and the searches of the compiled core."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tavola import _core
from tavola._core import State, Stop
from tavola.engines.engine import Choice, Engine, Info, Limits

__all__ = ["SEARCHES", "Random", "Searching"]

SEARCHES: Mapping[str, Mapping[str, Any]] = {
    "auto": {},
    "tree": {},
    "uct": {"uniform": True},
}
"""The searches by name, with what they give to `tavola.search` beside the limits."""


class _Seeded(Engine):
    """An engine whose choices follow from a seed."""

    def __init__(self, text: str, *, seed: int | None) -> None:
        super().__init__(text)
        self._seed = seed
        self.new_game()

    def new_game(self, seed: int = 0) -> None:
        """Begins another game."""
        self._random = random.Random(seed if self._seed is None else self._seed)

    def close(self) -> None:
        """Nothing is held."""


class Random(_Seeded):
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
    ) -> Choice:
        """Any legal action."""
        return Choice(token=self._random.choice(state.legal_actions))


class Searching(_Seeded):
    """Plays what a search in the compiled core finds best.

    Args:
        text: How the engine is named.
        search: Which search, one of `SEARCHES`.
        limits: What it may use for an action.
        threads: How many threads it thinks with.
        seed: What its choices follow from in every game; if `None`, each game has a seed.
    """

    def __init__(
        self, text: str, *, search: str, limits: Limits, threads: int = 1, seed: int | None = None
    ) -> None:
        super().__init__(text, seed=seed)
        self._manner = SEARCHES[search]
        self._limits = limits
        self._threads = threads

    def choose(
        self,
        state: State,
        *,
        moves: Sequence[str] | None = None,
        limits: Limits | None = None,
        stop: Stop | None = None,
    ) -> Choice:
        """What the search finds best."""
        used = self._limits if limits is None else limits
        forever = float("inf") if used.nodes is None else None
        analysis = _core.search(
            state,
            seconds=forever if used.seconds is None else used.seconds,
            nodes=used.nodes,
            threads=self._threads,
            seed=self._random.getrandbits(63),
            stop=stop,
            **self._manner,
        )
        assert analysis.best is not None, "a seat is to act"
        line = analysis.lines[0]
        info = Info(
            shares=line.shares,
            proven=line.proven,
            variation=line.variation,
            nodes=analysis.nodes,
            seconds=analysis.seconds,
        )
        return Choice(token=analysis.best, analysis=analysis, info=info)
