"""OpenSpiel's C++ tree search over Tavola's adapter: simulated actions a second, in one thread."""

from __future__ import annotations

import importlib

from rich.console import Console

import tavola
from benches import open_spiel
from benches.comparison import Candidate, Comparison, compare

PEER = "python_tic_tac_toe"
"""OpenSpiel's own worked example of a game in Python, which its search plays in the same way."""

BARS = dict.fromkeys(("montana", "passtally", "potlatch", "proteus"), 1)
"""How many times as fast as the peer each game is to be searched."""

LENGTHS = 30
"""The random games that give the mean length of a game."""


def measure(*, quick: bool, console: Console) -> Comparison:
    """A search of `MCTSBot` with one random game per leaf, from the start of every game."""
    importlib.import_module("tavola.adapters.openspiel")
    importlib.import_module("open_spiel.python.games.tic_tac_toe")
    actions = 5_000 if quick else 40_000
    return compare(
        title="OpenSpiel's MCTSBot over games in Python, one thread",
        unit="simulated actions",
        candidates=[
            *(_search(f"tavola_{name}", actions, bar=BARS.get(name)) for name in tavola.games()),
            _search(PEER, actions, ours=False),
        ],
        rounds=3 if quick else 9,
        console=console,
    )


def _search(name: str, actions: int, *, ours: bool = True, bar: float | None = None) -> Candidate:
    """A search of about this number of simulated actions."""
    game = open_spiel.loaded(name)
    length = open_spiel.mean_length(game, count=LENGTHS)
    simulations = max(2, round(actions / length))

    def run() -> float:
        open_spiel.bot(game, simulations=simulations).step(open_spiel.start(game))
        return simulations * length

    label = f"Tavola {name.removeprefix('tavola_')}" if ours else f"OpenSpiel {name}"
    return Candidate(name=label, ours=ours, run=run, bar=bar)
