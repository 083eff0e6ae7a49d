"""Random play: how many actions a second, in one thread."""

from __future__ import annotations

from rich.console import Console

import tavola
from benches import open_spiel
from benches.contest import Contest, Contestant, hold

PEERS = ("havannah(board_size=4)", "y(board_size=9)", "hex(board_size=5)")

BARS = {"passtally": 1, "potlatch": 5, "proteus": 5}
"""How many times as fast as the fastest of them each game is to be played."""


def measure(*, quick: bool, console: Console) -> Contest:
    """Random games of each of ours, and of OpenSpiel's fastest board games."""
    ours_count, peers_count = (100_000, 10_000) if quick else (400_000, 40_000)
    return hold(
        title="Random play, one thread",
        unit="actions",
        contestants=[
            *(_ours(tavola.load(name), count=ours_count) for name in tavola.games()),
            *(open_spiel.rollouts(name, count=peers_count) for name in PEERS),
        ],
        rounds=3 if quick else 7,
        console=console,
    )


def _ours(game: tavola.Game, *, count: int) -> Contestant:
    state = game.start()

    def run() -> float:
        return tavola.playouts(state, count, seed=1, threads=1).actions

    return Contestant(name=f"Tavola {game.name}", ours=True, run=run, bar=BARS.get(game.name))
