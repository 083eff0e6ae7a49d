"""What an engine is: somebody who chooses actions within limits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

import msgspec

from tavola._core import Analysis, State, Stop

__all__ = ["Choice", "Engine", "Info", "Limits"]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What an engine may use for one action; without any it goes on until it is stopped.

    Attributes:
        seconds: How long it may think.
        nodes: How many nodes it may look at.
        depth: How many actions it may look ahead.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None


class Info(msgspec.Struct, frozen=True, kw_only=True):
    """What an engine tells of its thoughts; `None` where it tells nothing.

    Attributes:
        shares: What each seat can expect of the game by the variation: from 0 to 1, 1 in sum.
        proven: Whether that is certain.
        worth: What each seat can expect in the position, by all that can be played in it: without
            the hope that the best of many variations is chosen by.
        variation: What it expects to be played, its own action first.
        nodes: How many nodes it looked at.
        depth: How many actions it looked ahead.
        seconds: How long it took.
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
        token: The action.
        analysis: Everything that a search in the core found out; `None` if none was made.
        info: The thoughts in short.
    """

    token: str
    analysis: Analysis | None = None
    info: Info = Info()


class Engine(ABC):
    """Somebody who chooses actions. A context manager: leaving it closes the engine.

    One thread uses an engine at a time; only the flag that `choose` is given may be set by another.

    Args:
        text: How the engine is named: `tavola.engine(text, game)` makes another like it.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @abstractmethod
    def new_game(self, seed: int = 0, *, stop: Stop | None = None) -> None:
        """Begins another game: what was kept of the last one is forgotten.

        Args:
            seed: What random choices follow from, if the engine's name does not fix a seed.
            stop: Set by another thread, it ends the waiting for a program.

        Raises:
            EngineFailed: If the engine is a program that cannot be started or does not answer.
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
        """Chooses an action for the seat to act.

        Args:
            state: The position; a seat is to act in it.
            moves: The actions and chance outcomes that led here from the start of the game, if they
                are known.
            limits: What to use instead of the limits in the engine's name.
            stop: Set by another thread, it ends the thinking; what seems best then is chosen.
                Paused, it lets our own engines rest; a program thinks on.
            tell: Called now and then with what seems best so far; of our own engines only by one
                that has no limits.

        Raises:
            EngineFailed: If the engine is a program that dies, hangs or answers something illegal.
        """

    @abstractmethod
    def close(self) -> None:
        """Ends the engine. It may be closed twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<engine {self.text}>"
