"""The networks of engines."""

from __future__ import annotations

from pathlib import Path

from tavola import _core
from tavola._core import Game, Network
from tavola.errors import EngineError, Message, TavolaError, quoted
from tavola.options_text import options_text

__all__ = ["network_of"]


def network_of(text: str, game: Game, spec: _core._EngineSpec) -> Network | None:
    """Return the network of an engine; `None` for an engine without one.

    Args:
        text: The specification of the engine.
        game: The game to play.
        spec: The engine.

    Raises:
        EngineError: If the file of the network cannot be read, is damaged, or is for another game.
    """
    file = spec.file
    if file is None or spec.kind != "net":
        return spec.network
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
    return f"{game.name} {options_text(game.options)}".rstrip()
