"""Tree search: actions simulated a second, in one thread, games played out uniformly."""

from __future__ import annotations

from rich.console import Console

import tavola
from benches import open_spiel, rules
from benches.comparison import Candidate, Comparison, compare

PEERS = rules.PEERS

BARS = dict.fromkeys(("montana", "passtally", "potlatch", "proteus"), 5)
"""How many times as fast as the fastest of them each game is to be searched."""


def measure(*, quick: bool, console: Console) -> Comparison:
    """A search from the start of each of ours, and of OpenSpiel's from an empty board.

    A simulation is a game to its end, and games differ in length: what counts is simulated actions,
    as many a simulation as a random game has on average.
    """
    simulations = 20_000 if quick else 100_000
    return compare(
        title="Tree search, one thread, uniform rollouts",
        unit="simulated actions",
        candidates=[
            *(_ours(tavola.load(name), simulations=simulations) for name in tavola.games()),
            *(open_spiel.tree_search(name, simulations=simulations) for name in PEERS),
        ],
        rounds=3 if quick else 15,
        console=console,
    )


def _ours(game: tavola.Game, *, simulations: int) -> Candidate:
    state = game.start()
    games = tavola.playouts(state, 20_000, seed=1, threads=1)
    length = games.actions / games.count

    def run() -> float:
        analysis = tavola.search(state, nodes=simulations, threads=1, seed=1, uniform=True)
        return analysis.nodes * length

    return Candidate(name=f"Tavola {game.name}", ours=True, run=run, bar=BARS.get(game.name))
