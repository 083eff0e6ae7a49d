"""Ladder: finds the levels from the top down, each beaten by the one above as it should be.

One dial goes from a wide sight to a short one: the doublings of nodes. With few of them an engine
also sees forced results less far ahead, and slips. Below a level, the dial is turned until the
level above gets its share: a guess that gets nearer with every batch of games (Robbins and Monro).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from rich.console import Console

from benches.levels import play

AIM = 0.68
"""What each level is to get against the one below."""

STEPS = (5.0, 4.0, 3.0, 2.5, 2.0, 1.5)
"""How many doublings the dial is turned after each batch, for a whole share that is missing."""

STEADY = 11.0
"""From so many doublings of nodes on nothing slips, and forced results are seen as far as ever."""


def engine(dial: float) -> str:
    """The engine at a place of the dial, in doublings of nodes."""
    nodes = max(round(2**dial), 4)
    missing = max(STEADY - dial, 0.0)
    settings = [f"nodes={nodes}"]
    if missing > 0:
        settings += [f"sight={max(5 - math.ceil(missing), 0)}", f"slips={0.12 * missing:.2f}"]
    return "tree:" + ",".join(settings)


def descend(
    game: str, top: str, dial: float, *, levels: int, batch: int, processes: int, console: Console
) -> Iterator[tuple[str, float]]:
    """Engines below a top one, each with what the one above it got in the last batch.

    Args:
        game: The game.
        top: The strongest engine.
        dial: Where its match is supposed to be on the dial.
        levels: How many to find.
        batch: How many games are played before the dial is turned.
        processes: How many games at the same time.
        console: Where progress is shown.
    """
    above = top
    for level in range(levels):
        dial -= 1.5
        for turn, step in enumerate(STEPS):
            row = play(
                game,
                above,
                engine(dial),
                games=batch,
                seed=1000 * level + turn,
                processes=processes,
                console=console,
            )
            console.print(f"{game} {level + 1} below: {engine(dial)}: {row.share:.0%}")
            dial = max(dial + step * (row.share - AIM), 2.0)
        above = engine(dial)
        yield above, row.share
