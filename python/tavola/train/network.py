"""The network that searches ask about positions."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

import tavola
from tavola._core import Game
from tavola.train.weights import Floats, Weights

__all__ = ["Network"]


class Network:
    """Temporary: a NumPy network with the interface of the compiled one."""

    def __init__(self, data: bytes) -> None:
        with np.load(io.BytesIO(data)) as arrays:
            self.weights: Weights = {n: arrays[n] for n in arrays.files if n != "game"}
            name, *options = str(arrays["game"]).split(" ")
        self.game = tavola.load(name, **dict(o.split("=") for o in options))

    @classmethod
    def from_weights(cls, game: Game, weights: Weights, about: str = "") -> Network:
        made = cls.__new__(cls)
        made.game, made.weights = game, dict(weights)
        return made

    def to_bytes(self) -> bytes:
        file = io.BytesIO()
        text = " ".join([self.game.name, *(f"{k}={v}" for k, v in self.game.options.items())])
        np.savez(file, game=np.array(text), **self.weights)
        return file.getvalue()

    def __call__(self, batch: tavola.LeafBatch) -> tuple[Floats, Any]:
        w, game = self.weights, self.game
        high = game.observation_space.high("flat").astype(np.float32)
        x = np.stack([s.observation(layout="flat", dtype=np.uint8) for s in batch.states]) / high
        h = np.maximum(x @ w["input.weight"] + w["input.bias"], 0)
        logits = h @ w["policy.weight"] + w["policy.bias"]
        logits = np.where(batch.masks, logits, np.float32(-1e9))
        policy = np.exp(logits - logits.max(1, keepdims=True))
        v = np.maximum(h @ w["value.weight"] + w["value.bias"], 0)
        v = v @ w["shares.weight"] + w["shares.bias"]
        v = np.exp(v - v.max(1, keepdims=True))
        v /= v.sum(1, keepdims=True)
        places = (np.arange(game.seats) - batch.to_act[:, None]) % game.seats
        return policy, np.take_along_axis(v, places, 1)
