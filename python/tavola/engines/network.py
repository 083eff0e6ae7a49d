"""The engine that searches with a trained network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tavola._core import Game, Network, State, Stop, search
from tavola.engines.builtin import SeededEngine, check_choice, choice_of
from tavola.engines.engine import Choice, Limits
from tavola.errors import EngineError, Message, quoted

__all__ = ["NetworkEngine"]

FIRST_SLICE = 0.1
LONGEST_SLICE = 30.0


class NetworkEngine(SeededEngine):
    """Plays the best action of a search with a network.

    Args:
        text: The specification of the engine.
        game: The game to play.
        file: The path of the network file.
        limits: The limits for one action.
        seed: The random seed of every game; with `None` each game has a seed of its own.

    Raises:
        EngineError: If the file cannot be read, is damaged, or is for another game.
    """

    def __init__(
        self, text: str, game: Game, *, file: str, limits: Limits, seed: int | None = None
    ) -> None:
        super().__init__(text, seed=seed)
        self._limits = limits
        try:
            self._network = Network(Path(file).read_bytes())
        except FileNotFoundError:
            raise EngineError(text, Message("there is no file {file}", file=quoted(file))) from None
        except (OSError, ValueError) as error:
            fault = Message("{path}: {fault}", path=file, fault=error)
            raise EngineError(text, fault) from None
        known = self._network.game
        if known != game:
            options = " ".join(f"{name}={value}" for name, value in known.options.items())
            fault = Message("the network is for {game} {options}", game=known.name, options=options)
            raise EngineError(text, fault)

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
            ValueError: If no seat is to act, or for a limit of depth.
        """
        check_choice(state)
        used = self._limits if limits is None else limits
        if used.depth is not None:
            raise ValueError(f"the engine {self.text} does not support a limit of depth")
        seed = self._random.getrandbits(63)
        if used != Limits():
            return self._search(state, used, stop, seed)
        # Without limits it searches longer and longer until it is stopped.
        slice_ = FIRST_SLICE
        while True:
            choice = self._search(state, Limits(seconds=slice_), stop, seed)
            if tell is not None:
                tell(choice)
            if choice.info.proven or (stop is not None and stop.is_set()):
                return choice
            slice_ = min(slice_ * 2, LONGEST_SLICE)

    def _search(self, state: State, limits: Limits, stop: Stop | None, seed: int) -> Choice:
        analysis = search(
            state,
            seconds=limits.seconds,
            nodes=limits.nodes,
            seed=seed,
            evaluate=self._network,
            stop=stop,
        )
        return choice_of(analysis, analysis.lines[0])
