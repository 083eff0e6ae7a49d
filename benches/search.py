"""Tree search: how many simulations a second, in one thread, games played out uniformly."""

from __future__ import annotations

from rich.console import Console

import tavola
from benches import open_spiel
from benches.contest import Contest, Contestant, hold


def measure(*, quick: bool, console: Console) -> Contest:
    """A search from the start of each of ours, and of OpenSpiel's from an empty board."""
    simulations = 20_000 if quick else 100_000
    return hold(
        title="Tree search, one thread, uniform rollouts",
        unit="simulations",
        bar=5,
        contestants=[
            *(_ours(tavola.load(name), simulations=simulations) for name in tavola.games()),
            open_spiel.tree_search("havannah(board_size=4)", simulations=simulations),
        ],
        rounds=3 if quick else 7,
        console=console,
    )


def _ours(game: tavola.Game, *, simulations: int) -> Contestant:
    state = game.start()

    def run() -> float:
        return tavola.search(state, nodes=simulations, threads=1, seed=1, uniform=True).nodes

    return Contestant(name=f"Tavola {game.name}", ours=True, run=run)
