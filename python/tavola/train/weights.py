"""The weights of a network: their shapes, their first values, and their file."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tavola._core import Game, Network
from tavola.train.plan import Plan

__all__ = [
    "LAYERS",
    "MOST_TERM",
    "Floats",
    "Weights",
    "first_weights",
    "layer_shapes",
    "network_of",
]

Floats = NDArray[np.float32]
Weights = dict[str, Floats]
"""The weights by name, such as `policy.weight` and `policy.bias`."""

LAYERS = ("input", "value", "shares", "policy")
"""The layers: the hidden layer, the two layers of the value, and the policy."""

MOST_TERM = 4.0
"""The largest absolute value of a term of the evaluation as an input of the hidden layer."""

FIRST_LOOK = 4.0
"""The factor of the looks before training. Search prefers one action more clearly than odds do."""


def layer_shapes(game: Game, plan: Plan) -> Mapping[str, tuple[int, int]]:
    """Return the inputs and outputs of each layer.

    Args:
        game: The game.
        plan: The plan of the run.
    """
    (inputs,) = game.observation_space.shape("flat")
    return {
        "input": (inputs + game.seats * len(plan.features), plan.hidden),
        "value": (plan.hidden, plan.second),
        "shares": (plan.second, game.seats + bool(plan.features)),
        "policy": (plan.hidden, game.action_count + plan.looks),
    }


def first_weights(game: Game, plan: Plan, rng: np.random.Generator) -> Weights:
    """Return random weights, with a nearly uniform policy and nearly equal shares.

    With features the shares are nearly those of the game's evaluation, and with looks the policy
    is nearly a softmax of them.

    Args:
        game: The game.
        plan: The plan of the run.
        rng: The source of the random values.
    """
    weights: Weights = {}
    for name, (rows, columns) in layer_shapes(game, plan).items():
        # Few inputs are not 0, so the first layer may begin with larger values.
        scale = {"input": 0.1, "value": np.sqrt(2 / rows)}.get(name, 0.1 / np.sqrt(rows))
        weights[f"{name}.weight"] = rng.normal(0, scale, (rows, columns)).astype(np.float32)
        weights[f"{name}.bias"] = np.zeros(columns, np.float32)
    factors = {"shares": 1.0} if plan.features else {}
    if plan.looks:
        factors["policy"] = FIRST_LOOK
    for name, factor in factors.items():
        weights[f"{name}.weight"][:, -1] = 0
        weights[f"{name}.bias"][-1] = factor
    return weights


def network_of(game: Game, plan: Plan, weights: Weights, about: str = "") -> Network:
    """Return the network of trained weights.

    Args:
        game: The game.
        plan: The plan of the run.
        weights: The weights.
        about: A line on where the network comes from.
    """
    return Network.from_weights(
        game,
        weights,
        about,
        features=plan.features,
        looks=plan.looks,
        c_puct=plan.c_puct,
        rollouts=plan.rollouts,
    )
