"""The files of solved games."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

from tavola import _core
from tavola._core import Game
from tavola.errors import EngineError, SolutionError

__all__ = ["solution_file", "solved_game"]


def solution_file(game: Game) -> Path:
    """Return the file of the solution of a game and its options, in the user's data folder."""
    options = [f"{name}={value}" for name, value in game.options.items()]
    name = ",".join([game.name, *options, f"rules_version={game.rules_version}"])
    return user_data_path("tavola", appauthor=False) / "solutions" / f"{name}.solution"


def solved_game(text: str, game: Game, spec: _core._EngineSpec) -> Game | None:
    """Return the game with the solution that an engine plays by; `None` for other engines.

    Args:
        text: The specification of the engine.
        game: The game to play.
        spec: The engine.

    Raises:
        EngineError: If the file of the solution cannot be read, is damaged, or is for another game.
    """
    if spec.kind != "perfect":
        return None
    try:
        return game._solved_by(Path(spec.file) if spec.file else solution_file(game))
    except SolutionError as error:
        raise EngineError(text, error.fault) from None
