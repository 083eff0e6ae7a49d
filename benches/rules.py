"""Random play: how many actions a second, in one thread."""

from __future__ import annotations

from rich.console import Console

import tavola
from benches import open_spiel
from benches.comparison import Candidate, Comparison, compare

PEERS = ("havannah(board_size=4)", "y(board_size=9)", "hex(board_size=5)")
CHANCE_PEERS = ("backgammon",)

BARS = {"passtally": 1, "potlatch": 5, "proteus": 5}
"""How many times as fast as the fastest of the peers each game is to be played."""

CHANCE_BARS = {"montana": 10}
"""The same beside the peers with chance."""


def measure(*, quick: bool, console: Console) -> tuple[Comparison, ...]:
    """Random games of ours, of OpenSpiel's fastest board games and its nearest game of chance."""
    ours_count, peers_count = (100_000, 10_000) if quick else (400_000, 40_000)
    rounds = 3 if quick else 7
    board = compare(
        title="Random play, one thread",
        unit="actions",
        candidates=[
            *(_ours(name, bar, count=ours_count) for name, bar in BARS.items()),
            *(open_spiel.rollouts(name, count=peers_count) for name in PEERS),
        ],
        rounds=rounds,
        console=console,
    )
    chance = compare(
        title="Random play with chance, one thread",
        unit="actions",
        candidates=[
            *(_ours(name, bar, count=ours_count // 20) for name, bar in CHANCE_BARS.items()),
            *(open_spiel.rollouts(name, count=peers_count // 40) for name in CHANCE_PEERS),
        ],
        rounds=rounds,
        console=console,
    )
    return board, chance


def _ours(name: str, bar: float, *, count: int) -> Candidate:
    state = tavola.load(name).start()

    def run() -> float:
        return tavola.playouts(state, count, seed=1, threads=1).actions

    return Candidate(name=f"Tavola {name}", ours=True, run=run, bar=bar)
