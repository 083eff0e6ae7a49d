"""PGX, the peer for training: its games step in compiled JAX code on the processor here as well."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental.wrappers import auto_reset

from benches.comparison import Candidate


def random_steps(name: str, *, count: int, steps: int, mixing: int) -> Candidate:
    """Random legal steps of many games: choice, step, observation, mask and reset in one program.

    Args:
        name: The name of a game of PGX.
        count: The number of games that step together.
        steps: The number of steps in one run.
        mixing: The number of steps before the first run, so that the games differ in length.
    """
    env = pgx.make(name)
    step_each = jax.vmap(auto_reset(env.step, env.init))

    def one(key: Any, state: Any) -> tuple[Any, Any]:
        key, choice, reset = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choice, logits, axis=-1)
        return key, step_each(state, actions, jax.random.split(reset, count))

    step = jax.jit(one)
    key = jax.random.PRNGKey(1)
    now = key, jax.jit(jax.vmap(env.init))(jax.random.split(key, count))

    def run(steps: int = steps) -> float:
        nonlocal now
        for _ in range(steps):
            now = step(*now)
        jax.block_until_ready(now)
        return steps * count

    run(mixing)
    return Candidate(name=f"PGX {name}", ours=False, run=run)
