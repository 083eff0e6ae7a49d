"""`tavola check`: the conformance suite of games written in Python."""

from __future__ import annotations

from rich.console import Console

import tavola
from tavola.cli.exit_codes import FAILED
from tavola.cli.locales import Translator
from tavola.cli.progress import show_progress


def run(translate: Translator, file: str, *, games: int, seed: int) -> int:
    """Check the rules of a game in a file and print every breach of the contract.

    Args:
        translate: The language of messages.
        file: The path of a Python file with a game.
        games: The number of random games.
        seed: The random seed.

    Returns:
        The exit code: 0 if the rules keep the contract, else 1.

    Raises:
        GameFailed: If the file contains no game.
    """
    console = Console(stderr=True, highlight=False)
    with show_progress(console, file, total=games) as update:
        report = tavola.check(
            file, games=games, seed=seed, progress=lambda done: update(done, file)
        )
    for breach in report.breaches:
        print(translate.translate_part(breach))
    key = "check.kept" if report else "check.broken"
    print(
        translate(
            key,
            game=report.game,
            games=f"{report.games:,}",
            states=f"{report.states:,}",
            breaches=len(report.breaches),
        )
    )
    return 0 if report else FAILED
