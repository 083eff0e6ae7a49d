"""The optimizer: Adam in JAX, on the policy and the shares of the samples."""

from __future__ import annotations

import io
from functools import partial
from typing import Any, NamedTuple, Self

import jax
import jax.numpy as jnp
import numpy as np

from tavola._core import Game
from tavola.train.plan import Plan
from tavola.train.samples import UNREADABLE, Samples
from tavola.train.weights import MOST_TERM, Floats, Weights, first_weights

__all__ = ["Batch", "Learner", "Learning", "Loss"]

CLIP = 1.98
"""The largest absolute weight, so that 8 bits suffice. A bias is a float and has no limit."""

AVERAGE = 0.998
"""The decay of the running average of the weights, which plays better than the newest ones."""


class Loss(NamedTuple):
    """The mean loss of some steps: two cross-entropies."""

    policy: float
    shares: float


class Learning(NamedTuple):
    """The state of the optimizer."""

    weights: Weights
    average: Weights
    """The running average of the weights."""

    means: Weights
    squares: Weights
    step: int
    loss: Loss
    """The mean loss of the last round."""

    @classmethod
    def begin(cls, game: Game, plan: Plan) -> Self:
        """Return the state before the first step."""
        rng = np.random.default_rng((plan.seed, 2))
        weights = first_weights(game, plan, rng)
        zeros = {name: np.zeros_like(one) for name, one in weights.items()}
        return cls(weights, weights, zeros, zeros, 0, Loss(0.0, 0.0))

    def to_bytes(self) -> bytes:
        """Return the content of a file with this state."""
        file = io.BytesIO()
        arrays = {
            f"{group}/{name}": one
            for group in ("weights", "average", "means", "squares")
            for name, one in getattr(self, group).items()
        }
        np.savez(file, step=np.int64(self.step), loss=np.array(self.loss), **arrays)
        return file.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Return the state of a file.

        Raises:
            ValueError: If the content is not that of such a file.
        """
        groups: dict[str, Weights] = {}
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
                for full in arrays.files:
                    group, _, name = full.partition("/")
                    if name:
                        groups.setdefault(group, {})[name] = arrays[full]
                loss = Loss(*arrays["loss"].tolist())
                return cls(**groups, step=int(arrays["step"]), loss=loss)
        except UNREADABLE as error:
            raise ValueError(f"not a state of the optimizer: {error}") from None


class Batch(NamedTuple):
    """Samples for a step of the optimizer, as arrays whose rows belong together."""

    observations: Any
    terms: Any
    """The terms of the evaluation: (batch, seats, features)."""

    looks: Any
    """The looks of all actions: (batch, actions), or (batch, 0) without looks."""

    policies: Any
    masks: Any
    """The legal actions: (batch, actions)."""

    shares: Any


def forward(weights: Any, inputs: Any, terms: Any, looks: Any) -> tuple[Any, Any]:
    """Return the logits of the policy and of the shares.

    Args:
        weights: The weights by name.
        inputs: The observations, from 0 to 1: (batch, inputs).
        terms: The terms of the evaluation: (batch, seats, features).
        looks: The looks of all actions: (batch, actions), or (batch, 0) without looks.
    """
    limited = jnp.clip(terms, -MOST_TERM, MOST_TERM).reshape(len(inputs), -1)
    inputs = jnp.concatenate([inputs, limited], axis=1)
    hidden = jax.nn.relu(inputs @ weights["input.weight"] + weights["input.bias"])
    second = jax.nn.relu(hidden @ weights["value.weight"] + weights["value.bias"])
    logits = hidden @ weights["policy.weight"] + weights["policy.bias"]
    values = second @ weights["shares.weight"] + weights["shares.bias"]
    # The last output is the factor of what the evaluation adds.
    if looks.shape[1]:
        logits = logits[:, :-1] + logits[:, -1:] * looks
    if terms.shape[2]:
        values = values[:, :-1] + values[:, -1:] * terms.sum(axis=2)
    return logits, values


def losses(weights: Any, inputs: Any, batch: Batch) -> tuple[Any, Any]:
    """Return the sum of both cross-entropies, and each of them."""
    logits, values = forward(weights, inputs, batch.terms, batch.looks)
    logits = jnp.where(batch.masks, logits, -1e9)
    of_policy = -(batch.policies * jax.nn.log_softmax(logits)).sum(axis=1).mean()
    of_shares = -(batch.shares * jax.nn.log_softmax(values)).sum(axis=1).mean()
    return of_policy + of_shares, (of_policy, of_shares)


@partial(jax.jit, donate_argnums=0)
def _step(state: Any, rate: Any, decay: Any, high: Any, batch: Any) -> Any:
    """Make a step of Adam. Return the new state, and both losses."""
    weights, average, means, squares, number = state
    inputs = batch.observations.astype(jnp.float32) / high
    slopes, parts = jax.grad(losses, has_aux=True)(weights, inputs, batch)
    number = number + 1
    tree = jax.tree_util.tree_map
    means = tree(lambda mean, one: 0.9 * mean + 0.1 * one, means, slopes)
    squares = tree(lambda square, one: 0.999 * square + 0.001 * one * one, squares, slopes)
    scale = rate * jnp.sqrt(1 - 0.999**number) / (1 - 0.9**number)

    def moved(name: str, weight: Any) -> Any:
        change = scale * means[name] / (jnp.sqrt(squares[name]) + 1e-8) + rate * decay * weight
        return weight - change if name.endswith("bias") else jnp.clip(weight - change, -CLIP, CLIP)

    weights = {name: moved(name, weight) for name, weight in weights.items()}
    kept = jnp.minimum(AVERAGE, number / (number + 10.0))
    average = tree(lambda old, new: kept * old + (1 - kept) * new, average, weights)
    return (weights, average, means, squares, number), parts


class Learner:
    """Trains on samples, each in a random one of the game's symmetries.

    Args:
        game: The game.
        plan: The plan of the run.
    """

    def __init__(self, game: Game, plan: Plan) -> None:
        self._game, self._plan = game, plan
        (inputs,) = game.observation_space.shape("flat")
        places = np.arange(inputs)
        self._symmetries = [
            (one.observation(places, layout="flat"), one.actions) for one in game.symmetries
        ]
        high = game.observation_space.high("flat").astype(np.float32)
        self._high = np.maximum(high, 1)
        weights = [plan.features[name] for name in game.weights] if plan.features else []
        self._weights = np.array(weights, np.float32)

    def train(
        self, learning: Learning, samples: Samples, steps: int, rng: np.random.Generator
    ) -> Learning:
        """Make some steps.

        Args:
            learning: The state of the optimizer.
            samples: The samples to draw from.
            steps: The number of steps.
            rng: Draws the samples and their symmetries.

        Returns:
            The new state, with the mean loss over these steps.
        """
        state: Any = jax.tree_util.tree_map(jnp.array, tuple(learning[:4]))
        state = (*state, jnp.float32(learning.step))
        sums: list[Any] = []
        for _ in range(steps):
            batch = self.batch(samples, rng)
            state, parts = _step(state, self._plan.rate, self._plan.decay, self._high, batch)
            sums.append(parts)
        found = np.array([[float(one) for one in parts] for parts in sums], float).mean(axis=0)
        weights, average, means, squares = (
            {name: np.asarray(one) for name, one in group.items()} for group in state[:4]
        )
        return Learning(
            weights, average, means, squares, learning.step + steps, Loss(*found.tolist())
        )

    def terms(self, features: Floats) -> Floats:
        """Return the terms of the evaluation.

        Args:
            features: The features of each seat: (n, seats, features).
        """
        weighted = features * self._weights
        terms: Floats = weighted - weighted.mean(axis=1, keepdims=True)
        return terms

    def batch(self, samples: Samples, rng: np.random.Generator) -> Batch:
        """Return random samples, each in a random symmetry. The evaluation has all of them."""
        count, actions = self._plan.batch, self._game.action_count
        rows = rng.integers(samples.total, size=count)
        observations = samples.observations[rows]
        policies = samples.policies(rows, actions)
        if self._plan.power != 1:
            sharp = policies.policies**self._plan.power
            policies = policies._replace(policies=sharp / sharp.sum(axis=1, keepdims=True))
        which = rng.integers(len(self._symmetries), size=count)
        for number, (places, ids) in enumerate(self._symmetries[1:], start=1):
            turned = np.flatnonzero(which == number)
            observations[turned] = observations[turned][:, places]
            policies.under(ids, turned)
        root = np.float32(self._plan.root)
        shares = (1 - root) * samples.shares[rows] + root * samples.roots[rows]
        return Batch(
            observations=observations,
            terms=self.terms(samples.features[rows]),
            looks=policies.looks,
            policies=policies.policies,
            masks=policies.masks,
            shares=shares,
        )
