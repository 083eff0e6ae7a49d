from __future__ import annotations

import numpy as np
import pytest

import tavola
from tavola.train.learner import CLIP, Learner, Learning, Loss, forward
from tavola.train.self_play import play_round
from tests.train.plans import tiny


def test_training_lowers_the_loss() -> None:
    plan = tiny(games=8, teacher_nodes=200, batch=64)
    game = plan.load()
    samples = play_round(game, plan, 0, None).samples
    learner, learning = Learner(game, plan), Learning.begin(game, plan)
    learning = learner.train(learning, samples, 5, np.random.default_rng(1))
    before = learning.loss
    learning = learner.train(learning, samples, 150, np.random.default_rng(2))
    learning = learner.train(learning, samples, 5, np.random.default_rng(1))
    assert learning.step == 160
    assert learning.loss.policy < before.policy - 0.05
    assert learning.loss.shares < before.shares - 0.05
    assert max(abs(one).max() for one in learning.weights.values()) <= CLIP


def test_equal_training_gives_equal_weights_and_survives_its_file() -> None:
    plan = tiny()
    game = plan.load()
    samples = play_round(game, plan, 0, None).samples
    learner, begun = Learner(game, plan), Learning.begin(game, plan)
    once = learner.train(begun, samples, 6, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    part = Learning.from_bytes(learner.train(begun, samples, 3, rng).to_bytes())
    again = learner.train(part, samples, 3, rng)
    assert once.to_bytes()[:100] == again.to_bytes()[:100]
    for one, other in zip(once[:4], again[:4], strict=True):
        assert isinstance(one, dict)
        assert all(np.array_equal(one[name], other[name]) for name in one)


def test_the_compiled_network_computes_what_was_trained() -> None:
    plan = tiny(hidden=32)
    game = plan.load()
    samples = play_round(game, plan, 0, None).samples
    learning = Learner(game, plan).train(
        Learning.begin(game, plan), samples, 40, np.random.default_rng(1)
    )
    network = tavola.Network.from_weights(game, learning.average)
    states = [game.start(), game.start().play("Pnw")]
    found = network.evaluate(states)
    high = game.observation_space.high("flat").astype(np.float32)
    inputs = np.stack([state.observation(layout="flat", dtype=np.uint8) for state in states]) / high
    logits, values = (np.asarray(one, float) for one in forward(learning.average, inputs))
    for row, state in enumerate(states):
        odds = np.exp(logits[row]) * state.mask()
        assert np.abs(found.policies[row] - odds / odds.sum()).max() < 0.02
        shares = np.exp(values[row]) / np.exp(values[row]).sum()
        assert np.abs(np.roll(found.values[row], -(state.to_act or 0)) - shares).max() < 0.02


@pytest.mark.parametrize("content", [b"", b"PK", b"\x93NUMPY"])
def test_a_damaged_state_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="not a state of the optimizer"):
        Learning.from_bytes(content)


def test_a_new_state_has_no_loss() -> None:
    assert Learning.begin(tiny().load(), tiny()).loss == Loss(0.0, 0.0)
