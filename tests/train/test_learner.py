from __future__ import annotations

import numpy as np
import pytest

import tavola
from tavola._core import _looks
from tavola.train.learner import CLIP, Learner, Learning, Loss, forward
from tavola.train.self_play import play_round, record
from tavola.train.weights import network_of
from tests.train.plans import tiny


def middle_positions(game: tavola.Game) -> list[tavola.State]:
    """Positions of random games in which seats act."""
    env = tavola.vector(game, 4, seed=3)
    found: list[tavola.State] = []
    for _ in range(12):
        env.step(env.random_ids())
        found += [env.state(number) for number in range(env.count)]
    return found


def share_after(state: tavola.State, action: int) -> float:
    """The share of the seat to act after an action, by the evaluation."""
    return float(state.play_id(action).estimate[state.to_act or 0])


@pytest.mark.long
def test_training_lowers_the_loss() -> None:
    plan = tiny(games=8, teacher_nodes=200, batch=64)
    game = plan.load()
    samples = play_round(plan, 0, None).samples
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
    samples = play_round(plan, 0, None).samples
    learner, begun = Learner(game, plan), Learning.begin(game, plan)
    once = learner.train(begun, samples, 6, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    part = Learning.from_bytes(learner.train(begun, samples, 3, rng).to_bytes())
    again = learner.train(part, samples, 3, rng)
    assert once.to_bytes()[:100] == again.to_bytes()[:100]
    for one, other in zip(once[:4], again[:4], strict=True):
        assert isinstance(one, dict)
        assert all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.long
@pytest.mark.parametrize(("features", "looks"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("name", ["potlatch", "passtally"])
def test_the_compiled_network_computes_what_was_trained(
    name: str, features: bool, looks: bool
) -> None:
    game = tavola.load(name)
    plan = tiny(
        game=name,
        options=game.options,
        hidden=32,
        features=game.weights if features else {},
        looks=looks,
        teacher_nodes=4,
        games=2,
    )
    samples = play_round(plan, 0, None).samples
    learner = Learner(game, plan)
    learning = learner.train(Learning.begin(game, plan), samples, 40, np.random.default_rng(1))
    network = network_of(game, plan, learning.average)
    assert (network.features, network.looks) == (plan.features, plan.looks)
    network = tavola.Network(network.to_bytes())
    states = middle_positions(game)
    nothing = np.zeros(0, np.float32)
    positions = [record(plan, state, nothing, nothing) for state in states]
    found = network.evaluate(states)
    high = game.observation_space.high("flat").astype(np.float32)
    inputs = np.stack([one.observation for one in positions]) / np.maximum(high, 1)
    terms = learner.terms(np.stack([np.roll(one.features, -one.seat, 0) for one in positions]))
    ids = np.zeros((len(states), game.action_count if looks else 0), np.float32)
    for row, one in enumerate(positions):
        if looks:
            ids[row, one.ids] = one.looks
    outputs = forward(learning.average, inputs, terms, ids)
    logits, values = (np.asarray(one, float) for one in outputs)
    assert terms.any() == features
    for row, state in enumerate(states):
        odds = np.exp(logits[row] - logits[row].max()) * state.mask()
        assert np.abs(found.policies[row] - odds / odds.sum()).max() < 0.03
        shares = np.exp(values[row]) / np.exp(values[row]).sum()
        assert np.abs(np.roll(found.values[row], -(state.to_act or 0)) - shares).max() < 0.03


def test_a_network_has_the_settings_of_its_searches() -> None:
    game = tiny().load()
    plan = tiny(c_puct=0.75, rollouts=0.5)
    network = network_of(game, plan, Learning.begin(game, plan).average)
    assert (network.c_puct, network.rollouts) == (0.75, 0.5)


@pytest.mark.parametrize("name", tavola.games())
def test_an_untrained_network_with_features_knows_the_evaluation(name: str) -> None:
    game = tavola.load(name)
    plan = tiny(game=name, options=game.options, features=game.weights, looks=True)
    network = network_of(game, plan, Learning.begin(game, plan).average)
    for state in middle_positions(game):
        policies, values = network.evaluate([state])
        assert np.abs(values[0] - state.estimate).max() < 0.06
        after = np.array([share_after(state, action) for action in state.legal_ids])
        chosen = after[policies[0, state.legal_ids].argmax()]
        assert chosen > after.max() - 0.06


def test_looks_are_the_odds_after_each_action() -> None:
    game = tavola.load("potlatch")
    for state in middle_positions(game):
        shares = np.array([share_after(state, action) for action in state.legal_ids])
        odds = np.log(np.maximum(shares, 1e-9) / np.maximum(1 - shares, 1e-9))
        looks = _looks(state, game.weights)
        assert np.allclose(looks, odds.clip(-8, 8), atol=2e-2)
        doubled = {name: 2 * weight for name, weight in game.weights.items()}
        near = np.abs(looks) < 3.9
        assert np.allclose(_looks(state, doubled)[near], 2 * looks[near], atol=1e-3)


def test_a_power_sharpens_the_policies() -> None:
    game = tiny().load()
    samples = play_round(tiny(), 0, None).samples
    plain, sharp = (
        Learner(game, tiny(power=power)).batch(samples, np.random.default_rng(1)).policies
        for power in (1, 3)
    )
    assert np.allclose(plain.sum(axis=1), 1, atol=1e-5)
    assert np.allclose(sharp, plain**3 / (plain**3).sum(axis=1, keepdims=True), atol=1e-6)
    assert sharp.max(axis=1).mean() > plain.max(axis=1).mean() + 0.05


def test_wrong_features_are_named() -> None:
    state = tavola.load("potlatch").start()
    weights = state.game.weights
    with pytest.raises(ValueError, match='the game\'s evaluation has no feature "speed"'):
        _looks(state, {**weights, "speed": 1.0})
    with pytest.raises(ValueError, match="features must contain to_act"):
        _looks(state, {name: one for name, one in weights.items() if name != "to_act"})
    with pytest.raises(ValueError, match="the weight of to_act is NaN"):
        _looks(state, {**weights, "to_act": float("nan")})


@pytest.mark.parametrize("content", [b"", b"PK", b"\x93NUMPY"])
def test_a_damaged_state_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="not a state of the optimizer"):
        Learning.from_bytes(content)


def test_a_new_state_has_no_loss() -> None:
    assert Learning.begin(tiny().load(), tiny()).loss == Loss(0.0, 0.0)
