"""`tavola perft`: counts sequences of actions."""

from __future__ import annotations

import time

from rich.console import Console
from rich.progress import track

import tavola
from tavola.cli.errors import UsageError
from tavola.cli.locales import Translator
from tavola.errors import listed
from tavola.server import games


def count(
    translate: Translator,
    game: str,
    depth: int,
    *,
    options: dict[str, str],
    position: str | None,
    divide: bool,
) -> None:
    """Print the number of action sequences; with `divide` also the counts per first action.

    Raises:
        UsageError: If the position is not one of the game.
        RequestError: For an unknown game, option or value.
    """
    state = start(translate, game, options, position)
    firsts = list(state.legal_actions) or [token for token, _ in state.chance_outcomes]
    began = time.perf_counter()
    if depth == 0 or not firsts:
        total, counts = tavola.perft(state, depth), {}
    else:
        progress = track(
            firsts, console=Console(stderr=True), transient=True, description=f"perft {depth}"
        )
        counts = {token: tavola.perft(state.play(token), depth - 1) for token in progress}
        total = sum(counts.values())
    seconds = time.perf_counter() - began
    if divide:
        for token, number in counts.items():
            print(f"{token}: {number}")
    print(total)
    rate = f"{total / seconds:,.0f}" if seconds > 0 else "-"
    Console(stderr=True, highlight=False).print(
        translate("perft.speed", count=f"{total:,}", seconds=f"{seconds:.2f}", rate=rate),
        style="dim",
    )


def start(
    translate: Translator, game: str, options: dict[str, str], position: str | None
) -> tavola.State:
    """Return the position to start from.

    Raises:
        UsageError: If the position is not one of the game.
        RequestError: For an unknown game, option or value.
    """
    loaded = games.load(game, options)
    if position is None:
        return loaded.start()
    try:
        return loaded.parse(position)
    except tavola.PositionError as error:
        raise UsageError(translate, "position", faults=listed(error.faults)) from None
