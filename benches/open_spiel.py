"""OpenSpiel, the peer: its loops run in C++ here as well."""

from __future__ import annotations

import random
from typing import Any

import pyspiel  # type: ignore[import-not-found, unused-ignore]

from benches.comparison import Candidate


def bot(
    game: Any,
    *,
    simulations: int,
    rollouts: int = 1,
    exploration: float = 1.4,
    solve: bool = False,
    seed: int = 1,
) -> Any:
    """Its tree search with uniform rollouts; `solve`: what is certain is known to it."""
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    # The 2,000 are megabytes; at the end: silent.
    return pyspiel.MCTSBot(game, evaluator, exploration, simulations, 2000, solve, seed, False)


def loaded(name: str) -> Any:
    """A game by its name."""
    return pyspiel.load_game(name)


def mean_length(game: Any, *, count: int = 2000) -> float:
    """The mean number of actions of a random game."""
    rng = random.Random(1)
    actions = 0
    for _ in range(count):
        state = start(game)
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            actions += 1
    return actions / count


def start(game: Any) -> Any:
    """The first position in which a player acts."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def rollouts(name: str, *, count: int) -> Candidate:
    """Random games of one of OpenSpiel's games, counted in actions.

    The evaluator of its tree search plays `count` games in C++ at a time. Two simulations make it
    do so twice: from the start, and from a position one action later.
    """
    game = pyspiel.load_game(name)
    actions = count * (2 * mean_length(game) - 1)

    def run() -> float:
        bot(game, rollouts=count, simulations=2).step(start(game))
        return actions

    return Candidate(name=f"OpenSpiel {name}", ours=False, run=run)


def tree_search(name: str, *, simulations: int) -> Candidate:
    """Its tree search with one random game per leaf, counted in actions of games of mean length."""
    game = pyspiel.load_game(name)
    actions = simulations * mean_length(game)

    def run() -> float:
        bot(game, rollouts=1, simulations=simulations).step(start(game))
        return actions

    return Candidate(name=f"OpenSpiel {name}", ours=False, run=run)
