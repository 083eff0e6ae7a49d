"""Observations of environments: their types, their bounds and their order of seats."""

from __future__ import annotations

import random

import numpy as np
import pytest

import tavola
from tavola.adapters import pettingzoo
from tavola.adapters.gymnasium import GameEnv
from tavola.adapters.observing import LAYOUTS, TYPES, highest, observe
from tests.adapters.option_sets import NAMES, every_option_set


@pytest.mark.sized
@every_option_set
def test_an_observation_is_within_its_bounds_until_the_end(game: tavola.Game) -> None:
    match, rng = tavola.Match(game, seed=1), random.Random(1)
    while True:
        for layout in LAYOUTS:
            for dtype in TYPES:
                seen = observe(match.state, 1, layout=layout, dtype=dtype)
                high = highest(game, layout=layout, dtype=dtype)
                assert (seen.shape, seen.dtype) == (high.shape, high.dtype)
                assert (seen <= high).all()
                assert (seen >= 0).all()
                out = np.full_like(high, 9)
                assert observe(match.state, 1, layout=layout, dtype=dtype, out=out) is out
                assert (out == seen).all()
        if match.state.is_terminal:
            break
        for _ in range(20):
            if not match.state.is_terminal:
                match.play(rng.choice(match.state.legal_actions))


@pytest.mark.parametrize("environment", [GameEnv, pettingzoo.GameEnv])
def test_an_unknown_layout_or_type_names_the_known_ones(environment: type[GameEnv]) -> None:
    name = NAMES[0]
    with pytest.raises(ValueError, match="observation is planes or flat, not 'cubes'"):
        environment(name, observation="cubes")
    with pytest.raises(ValueError, match="dtype is float32 or uint8, not 'int64'"):
        environment(name, dtype="int64")
