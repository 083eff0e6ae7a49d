"""The network that searches ask about positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tavola
from tavola._core import Game
from tavola.train.weights import Floats, Weights

__all__ = ["Evaluate", "network"]

Evaluate = Callable[[tavola.LeafBatch], tuple[Any, Any]]


def network(game: Game, weights: Weights) -> Evaluate:
    """Return the network of weights, as `tavola.search` and `tavola.search_batch` use it."""
    high = game.observation_space.high("flat").astype(np.float32)
    w = dict(weights)
    seats = np.arange(game.seats)

    def evaluate(batch: tavola.LeafBatch) -> tuple[Floats, Floats]:
        x = np.stack([s.observation(layout="flat", dtype=np.uint8) for s in batch.states]) / high
        h = np.maximum(x @ w["input.weight"] + w["input.bias"], 0)
        logits = h @ w["policy.weight"] + w["policy.bias"]
        logits = np.where(batch.masks, logits, np.float32(-1e9))
        policy = np.exp(logits - logits.max(1, keepdims=True))
        v = np.maximum(h @ w["value.weight"] + w["value.bias"], 0)
        v = v @ w["shares.weight"] + w["shares.bias"]
        v = np.exp(v - v.max(1, keepdims=True))
        v /= v.sum(1, keepdims=True)
        places = (seats - batch.to_act[:, None]) % len(seats)
        return policy, np.take_along_axis(v, places, 1)

    return evaluate
