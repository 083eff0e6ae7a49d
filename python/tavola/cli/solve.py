"""`tavola solve`: solves a game, and writes the solution for the engine `perfect`."""

from __future__ import annotations

import os
from pathlib import Path

from rich.console import Console

from tavola._core import _processors
from tavola.cli.errors import UsageError, check_writable
from tavola.cli.exit_codes import INTERRUPTED
from tavola.cli.locales import Translator
from tavola.cli.signals import interrupt_on_termination
from tavola.engines.solution import solution_file
from tavola.errors import SolutionError
from tavola.server import games


def run(
    translate: Translator,
    game: str,
    *,
    options: dict[str, str],
    threads: int | None,
    output: Path | None,
) -> int:
    """Solve the game, print each step, and write the solution.

    Args:
        translate: The language of messages.
        game: The name of the game.
        options: The options of the game.
        threads: The number of threads; `None` for all processors.
        output: The file of the solution; `None` is that of the engine `perfect`.

    Returns:
        The exit code.

    Raises:
        UsageError: If no method solves the game, memory is missing, or a file cannot be written.
        RequestError: For an unknown game, option or value.
    """
    loaded = games.load(game, options)
    path = output or solution_file(loaded)
    console = Console(stderr=True, highlight=False)

    def tell(step: str) -> None:
        console.print(translate.translate_part(step), markup=False)

    if output is None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(translate, "cannot-write", file=path, detail=error) from None
    check_writable(translate, path)
    try:
        with interrupt_on_termination():
            loaded._solve(path, threads or _processors(), _memory(), tell)
    except KeyboardInterrupt:
        console.print(translate("solve.interrupted"), markup=False)
        return INTERRUPTED
    except SolutionError as error:
        raise UsageError(translate, "solve", detail=error) from None
    console.print(translate("solve.written", path=path), markup=False)
    return 0


def _memory() -> int | None:
    """Return the memory of the machine in bytes, if it is known."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
