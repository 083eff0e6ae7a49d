"""The networks of the engine `net`."""

from __future__ import annotations

from pathlib import Path

from tavola._core import Game, Network
from tavola.errors import EngineError, Message, TavolaError, quoted

__all__ = ["network_of"]


def network_of(text: str, game: Game, file: str | None) -> Network:
    """Return the network of an engine.

    Args:
        text: The specification of the engine.
        game: The game to play.
        file: The path of the network file; `None` is the network of the game for its options.

    Raises:
        EngineError: If the file cannot be read, is damaged, or is for another game, or if the game
            has no network for its options.
    """
    if file is not None:
        return _read(text, game, file)
    if game.network is None:
        fault = Message(
            "there is no network for {game}; train one, and name its file: net:file=PATH",
            game=_named(game),
        )
        raise EngineError(text, fault)
    return game.network


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


def _named(game: Game) -> str:
    """Return the name of a game with its options."""
    return " ".join([game.name, *(f"{name}={value}" for name, value in game.options.items())])
