"""Vector environments: how many steps a second with observation and mask, on all cores."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console

import tavola
from benches import pgx_env
from benches.comparison import Candidate, Comparison, compare

COUNT = 4096
"""The number of environments that step together."""

PEERS = {"connect_four": ("potlatch", "proteus"), "backgammon": ("passtally", "montana")}
"""For each game of PGX the games that are compared with it."""

BAR = 10
"""How many times as fast as the peer each game must be."""

MIXING = 60
"""The steps before the first run, so that the games of a batch are not all at the same stage."""


def measure(*, quick: bool, console: Console) -> tuple[Comparison, ...]:
    """Random legal steps of ours and of PGX, batch 4096; the time is that of the clock."""
    return tuple(_beside(peer, games, quick, console) for peer, games in PEERS.items())


def _beside(peer: str, games: tuple[str, ...], quick: bool, console: Console) -> Comparison:
    peer_steps, mixing = (40, 40) if peer == "connect_four" else (4, 10)
    return compare(
        title=f"Vector steps beside {peer}, batch {COUNT}",
        unit="steps",
        candidates=[
            *(_ours(game, steps=40 if quick else 200) for game in games),
            *(_planes(game, steps=10 if quick else 40) for game in games),
            pgx_env.random_steps(peer, count=COUNT, steps=peer_steps, mixing=mixing),
        ],
        rounds=5 if quick else 15,
        console=console,
        clock=time.perf_counter,
    )


def _ours(name: str, *, steps: int) -> Candidate:
    """All numbers of the observation once, as bytes; PGX has booleans or integers."""
    run = _run(tavola.vector(tavola.load(name), COUNT, seed=1, layout="flat", dtype="uint8"), steps)
    return Candidate(name=f"Tavola {name}", ours=True, run=run, bar=BAR)


def _planes(name: str, *, steps: int) -> Candidate:
    """Planes for a network: a scalar fills a plane, and every number is a float."""
    run = _run(tavola.vector(tavola.load(name), COUNT, seed=1), steps)
    return Candidate(name=f"Tavola {name}, float planes", ours=True, run=run)


def _run(env: tavola.VectorEnv, steps: int) -> Callable[[], float]:
    def run(steps: int = steps) -> float:
        for _ in range(steps):
            env.step(env.random_ids())
        return steps * COUNT

    run(MIXING)
    return run
