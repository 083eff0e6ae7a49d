"""Engines of our own: any legal action, and the searches of the compiled core."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tavola import _core
from tavola._core import Game, Line, State, Stop
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
    """Plays what a search in the compiled core finds best, and keeps what it has found out.

    Args:
        text: How the engine is named.
        game: The game.
        search: Which search, one of `SEARCHES`.
        limits: What it may use for an action.
        sight: How many actions ahead it surely sees a forced result.
        slips: How readily it plays another action than the best: each as often as its visits to
            the power of one over this; 0: never.
        threads: How many threads it thinks with.
        memory: How many megabytes its tree may take.
        seed: What its choices follow from in every game; if `None`, each game has a seed.
    """

    SIGHT = 5
    MEMORY = 512

    def __init__(
        self,
        text: str,
        game: Game,
        *,
        search: str,
        limits: Limits,
        sight: int = SIGHT,
        slips: float = 0.0,
        threads: int = 1,
        memory: int = MEMORY,
        seed: int | None = None,
    ) -> None:
        self._searcher = _core.Searcher(game)
        super().__init__(text, seed=seed)
        self._manner = SEARCHES[search]
        self._limits = limits
        self._sight = sight
        self._slips = slips
        self._threads = threads
        self._memory = memory

    def new_game(self, seed: int = 0) -> None:
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
    ) -> Choice:
        """What the search finds best."""
        used = self._limits if limits is None else limits
        forever = float("inf") if used.nodes is None else None
        if self._slips:
            # Whoever slips has not thought about it before either.
            self._searcher.forget()
        analysis = self._searcher.search(
            state,
            seconds=forever if used.seconds is None else used.seconds,
            nodes=used.nodes,
            threads=self._threads,
            seed=self._random.getrandbits(63),
            choose=self._slips == 0.0,
            sight=self._sight,
            memory=self._memory,
            stop=stop,
            **self._manner,
        )
        assert analysis.best is not None, "a seat is to act"
        line = self._pick(analysis.lines)
        info = Info(
            shares=line.shares,
            proven=line.proven,
            variation=line.variation,
            nodes=analysis.nodes,
            seconds=analysis.seconds,
        )
        return Choice(token=line.action, analysis=analysis, info=info)

    def _pick(self, lines: Sequence[Line]) -> Line:
        """The best line, or one that a player who slips takes for it."""
        best, most = lines[0], max(line.visits for line in lines)
        if self._slips == 0.0 or best.proven or most == 0:
            return best
        weights = [(line.visits / most) ** (1.0 / self._slips) for line in lines]
        return self._random.choices(lines, weights)[0]
