"""The engine that searches with a trained network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tavola._core import Game, Network, State, Stop, _networks, search
from tavola.engines.builtin import SeededEngine, check_choice, choice_of
from tavola.engines.engine import Choice, Limits
from tavola.errors import EngineError, Message, TavolaError, quoted

__all__ = ["NetworkEngine"]

FIRST_SLICE = 0.1
LONGEST_SLICE = 30.0


class NetworkEngine(SeededEngine):
    """Plays the best action of a search with a network.

    Args:
        text: The specification of the engine.
        game: The game to play.
        file: The path of the network file; `None` is the network of the game for its options.
        limits: The limits for one action.
        seed: The random seed of every game; with `None` each game has a seed of its own.

    Raises:
        EngineError: If the file cannot be read, is damaged, or is for another game, or if the game
            has no network for its options.
    """

    def __init__(
        self, text: str, game: Game, *, file: str | None, limits: Limits, seed: int | None = None
    ) -> None:
        super().__init__(text, seed=seed)
        self._limits = limits
        self._network = _shipped(text, game) if file is None else _read(text, game, file)

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


def _read(text: str, game: Game, file: str) -> Network:
    """Read the network of a file."""
    try:
        network = Network(Path(file).read_bytes())
    except FileNotFoundError:
        raise EngineError(text, Message("there is no file {file}", file=quoted(file))) from None
    except (OSError, ValueError, TavolaError) as error:
        fault = Message("{path}: {fault}", path=file, fault=error)
        raise EngineError(text, fault) from None
    if network.game != game:
        fault = Message(
            "the network is for {theirs}, not for {ours}",
            theirs=_named(network.game),
            ours=_named(game),
        )
        raise EngineError(text, fault)
    return network


def _shipped(text: str, game: Game) -> Network:
    """Return the network of a game for its options."""
    for network in map(Network, _networks(game.name)):
        if network.game == game:
            return network
    fault = Message(
        "there is no network for {game}; train one, and name its file: net:file=PATH",
        game=_named(game),
    )
    raise EngineError(text, fault)


def _named(game: Game) -> str:
    """Return the name of a game with its options."""
    return " ".join([game.name, *(f"{name}={value}" for name, value in game.options.items())])
