"""The interface of engines: they choose actions within limits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Self

import msgspec

from tavola._core import Analysis, State, Stop

__all__ = ["Choice", "Engine", "Info", "Limits"]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of an engine for one action. Without limits it searches until it is stopped.

    Attributes:
        seconds: The time limit in seconds.
        nodes: The maximum number of nodes.
        depth: The maximum depth, in actions.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None


class Info(msgspec.Struct, frozen=True, kw_only=True):
    """The report of a search; `None` where the engine does not report a value.

    Attributes:
        shares: The expected share of the win by seat after the variation, from 0 to 1, 1 in sum.
        proven: Whether the shares are proven.
        worth: The expected share by seat of the position itself: the mean over all simulations,
            without the optimism of choosing the best of many variations.
        variation: The expected actions, beginning with the chosen one.
        nodes: The number of searched nodes.
        depth: The depth of the search, in actions.
        seconds: The time of the search.
    """

    shares: tuple[float, ...] | None = None
    proven: bool = False
    worth: tuple[float, ...] | None = None
    variation: tuple[str, ...] = ()
    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """The action that an engine chose.

    Attributes:
        token: The token of the action.
        analysis: The full result of a search in the core, or `None` for other engines.
        info: A summary of the search.
    """

    token: str
    analysis: Analysis | None = None
    info: Info = Info()


class Engine(ABC):
    """An engine chooses actions. It is a context manager that closes the engine at its end.

    Only one thread may use an engine at a time. Other threads may set the `stop` of a call.

    Args:
        text: The specification: `tavola.engine(text, game)` creates an equal engine.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @abstractmethod
    def new_game(self, seed: int = 0, *, stop: Stop | None = None) -> None:
        """Start a new game and discard all results of the last one.

        Args:
            seed: The random seed, if the specification of the engine does not contain one.
            stop: If another thread sets it, the engine stops waiting for an external program.

        Raises:
            EngineFailed: If an external engine cannot be started or does not answer.
        """

    @abstractmethod
    def choose(
        self,
        state: State,
        *,
        moves: Sequence[str] | None = None,
        limits: Limits | None = None,
        stop: Stop | None = None,
        tell: Callable[[Choice], None] | None = None,
    ) -> Choice:
        """Choose an action for the seat to act.

        Args:
            state: A state in which a seat is to act.
            moves: The actions and chance outcomes from the start of the game to the state, if they
                are known.
            limits: The limits to use in place of those of the specification.
            stop: If another thread sets it, the search ends with the best action so far. If it is
                paused, built-in engines pause; external engines continue.
            tell: A callback for the best action so far. Built-in engines call it only if they
                search without limits.

        Returns:
            The chosen action with information about the search.

        Raises:
            EngineFailed: If an external engine exits, does not answer, or plays an illegal action.
            ValueError: If no seat is to act.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the engine. Closing it twice is allowed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<engine {self.text}>"
