"""The weights of a network: their shapes, their first values, and their file."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tavola._core import Game

__all__ = ["LAYERS", "Floats", "Weights", "first_weights", "layer_shapes"]

Floats = NDArray[np.float32]
Weights = dict[str, Floats]
"""The weights by name, such as `policy.weight` and `policy.bias`."""

LAYERS = ("input", "value", "shares", "policy")
"""The layers: the hidden layer, the two layers of the value, and the policy."""


def layer_shapes(game: Game, hidden: int, second: int) -> Mapping[str, tuple[int, int]]:
    """Return the inputs and outputs of each layer.

    Args:
        game: The game.
        hidden: The size of the hidden layer.
        second: The size of the second layer of the value.
    """
    (inputs,) = game.observation_space.shape("flat")
    return {
        "input": (inputs, hidden),
        "value": (hidden, second),
        "shares": (second, game.seats),
        "policy": (hidden, game.action_count),
    }


def first_weights(game: Game, hidden: int, second: int, rng: np.random.Generator) -> Weights:
    """Return random weights, with a nearly uniform policy and nearly equal shares.

    Args:
        game: The game.
        hidden: The size of the hidden layer.
        second: The size of the second layer of the value.
        rng: The source of the random values.
    """
    weights: Weights = {}
    for name, (rows, columns) in layer_shapes(game, hidden, second).items():
        # Few inputs are not 0, so the first layer may begin with larger values.
        scale = {"input": 0.1, "value": np.sqrt(2 / rows)}.get(name, 0.1 / np.sqrt(rows))
        weights[f"{name}.weight"] = rng.normal(0, scale, (rows, columns)).astype(np.float32)
        weights[f"{name}.bias"] = np.zeros(columns, np.float32)
    return weights
