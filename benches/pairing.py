"""The pairing of each round of a tournament, by the director's own functions."""

from __future__ import annotations

import time

from rich.console import Console

from benches.serving import Figure, Serving
from tavola.server.tournaments.settings import Format
from tests.server.tournaments.simulation import Simulation

PLAYERS = 1000
ROUNDS = 7
TABLE_PLAYERS = 40
TABLE_SEATS = 4
SECONDS = 2.0
"""The bar of a round: 500 pairings."""


def measure(*, quick: bool, console: Console) -> Serving:
    """Measures the slowest round of each size; `quick` plays one tournament instead of three."""
    seeds = range(1 if quick else 3)
    figures = []
    sizes: list[tuple[str, Format, int, int]] = [
        ("Swiss", "swiss", PLAYERS, 2),
        ("Swiss with byes", "swiss", PLAYERS + 1, 2),
        ("Tables of four", "tables", TABLE_PLAYERS, TABLE_SEATS),
        ("Tables of four", "tables", PLAYERS // 5, TABLE_SEATS),
    ]
    for name, form, players, size in sizes:
        console.print(f"Pairing {players:,} players: {name} ...")
        slowest = tuple(max(_rounds(form, players, size, seed)) for seed in seeds)
        figures.append(
            Figure(
                name=f"{name} of {players:,} players"
                if size == 2
                else f"{name}, {players} players",
                rounds=slowest,
                unit=f"s of the processor for the slowest of {ROUNDS} rounds",
                bar=SECONDS,
                most=True,
            )
        )
    return Serving(tuple(figures), title="Pairing")


def _rounds(form: Format, players: int, size: int, seed: int) -> list[float]:
    """Play a tournament with random results; return the seconds of each pairing."""
    played = Simulation(form, players, size=size, rounds=ROUNDS, seed=seed)
    played.start()
    seconds: list[float] = []
    while True:
        begun = time.process_time()
        more = played.begin_round()
        if not more:
            return seconds
        seconds.append(time.process_time() - begun)
        played.play_round()
