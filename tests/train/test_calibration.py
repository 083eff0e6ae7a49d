from __future__ import annotations

import numpy as np
import pytest

import tavola
from tavola.train.calibration import calibrate, ranges
from tavola.train.learner import Learning
from tests.train.plans import tiny


def test_a_game_is_one_observation_in_each_range() -> None:
    predicted = np.array([0.11, 0.13, 0.95, 0.15], np.float32)
    actual = np.array([0.0, 0.0, 1.0, 1.0], np.float32)
    low, high = ranges(predicted, actual, np.array([1, 1, 1, 2]))
    assert low.predicted == pytest.approx(0.13)
    assert (low.actual.value, low.actual.count) == (0.5, 2)
    assert (high.actual.value, high.actual.count) == (1.0, 1)


def test_fresh_games_are_played_to_their_ends() -> None:
    plan = tiny()
    game = plan.load()
    network = tavola.Network.from_weights(game, Learning.begin(game, plan).average)
    found = calibrate(plan, network, 3)
    assert found
    assert all(0 <= one.predicted <= 1 and 1 <= one.actual.count <= 3 for one in found)
