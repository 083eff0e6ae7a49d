"""One state from Python: legal actions, mask, observation and action, one call each."""

from __future__ import annotations

import random

import numpy as np
from rich.console import Console

import tavola
from benches import open_spiel
from benches.comparison import Candidate, Comparison, compare

PEERS = {
    "havannah(board_size=4)": ("potlatch", "proteus"),
    "backgammon": ("passtally", "montana"),
}
"""For each game of OpenSpiel the games that are compared with it: without and with chance."""

BAR = 1
"""How many times as fast as the peer each game must be."""


def measure(*, quick: bool, console: Console) -> tuple[Comparison, ...]:
    """Random games that ask every position for all that a learner needs."""
    return tuple(_beside(peer, games, quick, console) for peer, games in PEERS.items())


def _beside(peer: str, games: tuple[str, ...], quick: bool, console: Console) -> Comparison:
    actions = 1_000 if quick else 10_000
    return compare(
        title=f"One state from Python beside {peer}",
        unit="actions",
        candidates=[
            *(_ours(name, actions=actions) for name in games),
            _open_spiel(peer, actions=actions),
        ],
        rounds=3 if quick else 15,
        console=console,
    )


def _ours(name: str, *, actions: int) -> Candidate:
    start = tavola.load(name).start()

    def run() -> float:
        rng, chance, state = random.Random(1), np.random.default_rng(1), start
        for _ in range(actions):
            while (to_act := state.to_act) is None or to_act == tavola.CHANCE:
                state = start if to_act is None else state.play(state.sample_chance(chance))
            state.mask()
            state.observation(layout="flat")
            state = state.play_id(int(rng.choice(state.legal_ids)))
        return actions

    return Candidate(name=f"Tavola {name}", ours=True, run=run, bar=BAR)


def _open_spiel(name: str, *, actions: int) -> Candidate:
    game = open_spiel.loaded(name)

    def run() -> float:
        rng, state = random.Random(1), game.new_initial_state()
        for _ in range(actions):
            while state.current_player() < 0:
                if state.is_terminal():
                    state = game.new_initial_state()
                else:
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, weights)[0])
            state.legal_actions_mask()
            # A list of Python's numbers: a learner needs an array, as ours is.
            np.asarray(state.observation_tensor(), np.float32)
            state.apply_action(rng.choice(state.legal_actions()))
        return actions

    return Candidate(name=f"OpenSpiel {name}", ours=False, run=run)
