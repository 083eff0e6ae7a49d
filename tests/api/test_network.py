"""Neural networks: files, evaluations, and searches with them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tavola

HIDDEN, SECOND = 32, 8


def weights(
    game: tavola.Game, seed: int = 1, *, reads: bool = False
) -> dict[str, NDArray[np.float32]]:
    """Random weights of a network that reads the observation, and the evaluation if `reads`."""
    rng = np.random.default_rng(seed)
    inputs = game.start().observation(0, layout="flat").size
    shapes = {
        "input": (inputs + game.seats * len(game.weights) * reads, HIDDEN),
        "value": (HIDDEN, SECOND),
        "shares": (SECOND, game.seats + reads),
        "policy": (HIDDEN, game.action_count + reads),
    }
    arrays = {}
    for layer, shape in shapes.items():
        arrays[f"{layer}.weight"] = rng.normal(0, 0.3, shape).astype(np.float32)
        arrays[f"{layer}.bias"] = rng.normal(0, 0.1, shape[1]).astype(np.float32)
    return arrays


def positions(game: tavola.Game, count: int = 40) -> list[tavola.State]:
    """Positions of random games in which seats act."""
    env = tavola.vector(game, 8, seed=3)
    found: list[tavola.State] = []
    while len(found) < count:
        env.step(env.random_ids())
        found += [env.state(number) for number in range(env.count)]
    return found[:count]


@pytest.fixture(params=tavola.games())
def game(request: pytest.FixtureRequest) -> tavola.Game:
    return tavola.load(request.param)


@pytest.fixture
def network(game: tavola.Game) -> tavola.Network:
    return tavola.Network.from_weights(game, weights(game), "random weights")


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    powers: NDArray[np.float32] = np.exp(logits - logits.max(axis=1, keepdims=True))
    powers /= powers.sum(axis=1, keepdims=True)
    return powers


def test_a_network_computes_the_formula_of_its_documentation(
    game: tavola.Game, network: tavola.Network
) -> None:
    states = positions(game)
    own = network.weights

    def layer(x: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        return x @ own[f"{name}.weight"] + own[f"{name}.bias"]

    x = np.stack([state.observation(layout="flat") for state in states])
    hidden = np.maximum(layer(x, "input"), 0)
    masks = np.stack([state.mask() for state in states])
    policies = softmax(np.where(masks, layer(hidden, "policy"), -np.inf))
    relative = softmax(layer(np.maximum(layer(hidden, "value"), 0), "shares"))
    shares = [np.roll(row, state.to_act or 0) for row, state in zip(relative, states, strict=True)]
    result = network.evaluate(states)
    np.testing.assert_allclose(result.policies, policies, atol=2e-5)
    np.testing.assert_allclose(result.values, shares, atol=2e-5)
    assert np.ptp(result.values[:, 0]) > 0.01  # It distinguishes positions.


def test_a_network_with_features_computes_the_formula_of_its_documentation(
    game: tavola.Game,
) -> None:
    network = tavola.Network.from_weights(
        game, weights(game, reads=True), features=game.weights, looks=True
    )
    network = tavola.Network(network.to_bytes())
    assert (network.features, network.looks) == (game.weights, True)
    own = network.weights

    def layer(x: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        return x @ own[f"{name}.weight"] + own[f"{name}.bias"]

    for state in positions(game, 10):
        seat = state.to_act or 0
        features = np.array(list(state.features.values()), np.float32).T
        terms = features * np.array(list(network.features.values()), np.float32)
        terms = np.roll(terms - terms.mean(axis=0), -seat, axis=0)
        x = np.concatenate([state.observation(layout="flat"), terms.clip(-4, 4).ravel()])
        hidden = np.maximum(layer(x, "input"), 0)
        *logits, factor = layer(hidden, "policy")
        policy = np.zeros((1, game.action_count), np.float32)
        ids = state.legal_ids
        looks = tavola._core._looks(state, network.features)
        policy[0, ids] = softmax((np.array(logits)[ids] + factor * looks)[None])
        *values, factor = layer(np.maximum(layer(hidden, "value"), 0), "shares")
        shares = np.roll(softmax((np.array(values) + factor * terms.sum(axis=1))[None]), seat)
        result = network.evaluate([state])
        np.testing.assert_allclose(result.policies, policy, atol=1e-4)
        np.testing.assert_allclose(result.values, shares, atol=1e-4)


def test_looks_need_features() -> None:
    game = tavola.load("potlatch")
    with pytest.raises(ValueError, match="looks need the features"):
        tavola.Network.from_weights(game, weights(game), looks=True)
    with pytest.raises(ValueError, match=r"input.weight must have shape \[\d+, 32\]"):
        tavola.Network.from_weights(game, weights(game), features=game.weights)


def test_weights_of_8_bits_are_near_the_given_ones(
    game: tavola.Game, network: tavola.Network
) -> None:
    for name, given in weights(game).items():
        scale = np.abs(given).max(axis=0) / 127 if given.ndim == 2 else np.zeros_like(given)
        assert (np.abs(network.weights[name] - given) <= 0.501 * scale + 1e-6).all()


def test_a_network_file_reads_back(game: tavola.Game, network: tavola.Network) -> None:
    data = network.to_bytes()
    for copy in (tavola.Network(data), pickle.loads(pickle.dumps(network))):
        assert copy.to_bytes() == data
        assert copy.game == game
        assert copy.about == "random weights"


def test_options_travel_with_the_network() -> None:
    game = tavola.load("passtally", players=3)
    network = tavola.Network.from_weights(game, weights(game))
    assert tavola.Network(network.to_bytes()).game == game
    with pytest.raises(ValueError, match=r"the network is for .*players=3.*, and the position is"):
        tavola.search(tavola.load("passtally").start(), nodes=2, evaluate=network)


def test_a_finished_game_has_its_result(game: tavola.Game, network: tavola.Network) -> None:
    rng = np.random.default_rng(5)
    state = game.start()
    while state.outcome is None:
        if state.to_act == tavola.CHANCE:
            state = state.play(state.sample_chance(rng))
        else:
            state = state.play_id(int(rng.choice(state.legal_ids)))
    policies, values = network.evaluate([state])
    assert not policies.any()
    np.testing.assert_allclose(
        values[0], (np.array(state.returns) * (game.seats - 1) + 1) / game.seats
    )


def test_a_search_in_the_core_equals_the_search_with_a_function(
    game: tavola.Game, network: tavola.Network
) -> None:
    def ask(batch: tavola.LeafBatch) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return network.evaluate(batch.states)

    for state in positions(game, 6):
        inside = tavola.search(state, nodes=60, seed=4, evaluate=network, batch=1)
        outside = tavola.search(state, nodes=60, seed=4, evaluate=ask, batch=1)
        assert inside.best == outside.best
        assert [line.visits for line in inside.lines] == [line.visits for line in outside.lines]


def test_the_number_of_threads_changes_nothing(game: tavola.Game, network: tavola.Network) -> None:
    states = positions(game)
    nodes = [5 + number for number in range(len(states))]
    results = [
        tavola.search_batch(
            states, nodes, evaluate=network, noise=(0.3, 0.25), threads=threads, seed=2
        )
        for threads in (1, 3)
    ]
    np.testing.assert_array_equal(results[0].policies, results[1].policies)
    np.testing.assert_array_equal(results[0].values, results[1].values)


def test_damaged_and_foreign_files_are_named() -> None:
    game = tavola.load("potlatch")
    data = tavola.Network.from_weights(game, weights(game)).to_bytes()
    faults = {
        b"": "not a network file",
        b"PNG" + data: "not a network file",
        data[:-1]: "damaged: it has",
        data + b"\0": "damaged: it has",
        data[:8] + b"\x09" + data[9:]: "format 9, and this version of Tavola reads format 3",
        data[:2000] + bytes([data[2000] ^ 1]) + data[2001:]: "checksum",
    }
    for given, fault in faults.items():
        with pytest.raises(ValueError, match=fault):
            tavola.Network(given)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"policy.bias": None}, "weights must contain the array policy.bias"),
        (
            {"input.weight": np.zeros((3, HIDDEN), np.float32)},
            r"input.weight must have shape \[\d+, 32\]",
        ),
        ({"shares.bias": np.array([0.0, np.nan], np.float32)}, "shares.bias contains NaN"),
    ],
)
def test_wrong_weights_are_named(change: dict[str, NDArray[np.float32] | None], fault: str) -> None:
    game = tavola.load("potlatch")
    changed = {**weights(game), **change}
    given = {name: value for name, value in changed.items() if value is not None}
    with pytest.raises(ValueError, match=fault):
        tavola.Network.from_weights(game, given)


@pytest.mark.parametrize(
    ("c_puct", "rollouts", "fault"),
    [
        (-1.0, None, "c_puct must be from 0 to 100, not -1"),
        (None, 1.5, r"rollouts must be from 0 to 1, not 1\.5"),
    ],
)
def test_wrong_settings_of_the_search_are_named(
    c_puct: float | None, rollouts: float | None, fault: str
) -> None:
    game = tavola.load("potlatch")
    with pytest.raises(ValueError, match=fault):
        tavola.Network.from_weights(game, weights(game), c_puct=c_puct, rollouts=rollouts)


def test_a_stop_ends_the_search() -> None:
    game = tavola.load("potlatch")
    network = tavola.Network.from_weights(game, weights(game))
    stop = tavola.Stop()
    stop.set()
    assert tavola.search(game.start(), nodes=10**6, evaluate=network, stop=stop).nodes < 10**4


def test_a_search_of_one_tree_is_deterministic_and_proves(
    game: tavola.Game, network: tavola.Network
) -> None:
    def visits(analysis: tavola.Analysis) -> list[tuple[str, int]]:
        return [(line.action, line.visits) for line in analysis.lines]

    for state in positions(game, 4):
        first, again = (
            tavola.search(state, nodes=200, threads=1, seed=4, evaluate=network) for _ in range(2)
        )
        assert visits(first) == visits(again)
        assert first.best in state.legal_actions
        two = tavola.search(state, nodes=200, threads=2, seed=4, evaluate=network)
        assert two.nodes == 200 or two.lines[0].proven


def test_a_searcher_keeps_its_tree_for_the_same_network_only(
    game: tavola.Game, network: tavola.Network
) -> None:
    state = positions(game, 1)[0]
    searcher = tavola.Searcher(game)

    def visits(evaluate: tavola.Network | None) -> int:
        analysis = searcher.search(state, nodes=50, threads=1, lookahead=0, evaluate=evaluate)
        return sum(line.visits for line in analysis.lines)

    assert [visits(network), visits(network)] == [50, 100]
    assert visits(tavola.Network(network.to_bytes())) == 50
    assert visits(None) == 50
    assert visits(network) == 50


def test_a_searcher_refuses_what_does_not_suit() -> None:
    game = tavola.load("potlatch")
    network = tavola.Network.from_weights(game, weights(game))
    state, searcher = game.start(), tavola.Searcher(game)
    no_network: Any = 3
    with pytest.raises(TypeError, match="must be a Network, not int; for a function, call tavola"):
        searcher.search(state, nodes=1, evaluate=no_network)
    with pytest.raises(ValueError, match="c_puct needs evaluate"):
        searcher.search(state, nodes=1, c_puct=1.0)
    with pytest.raises(ValueError, match="c_puct must be from 0 to 100, not -1"):
        searcher.search(state, nodes=1, evaluate=network, c_puct=-1.0)
    with pytest.raises(ValueError, match="evaluate searches by the tree: omit method"):
        searcher.search(state, nodes=1, evaluate=network, method="alphabeta")
    with pytest.raises(ValueError, match="depth does not suit evaluate: omit it"):
        searcher.search(state, depth=2, evaluate=network)
    other = tavola.load("potlatch", actions=3)
    with pytest.raises(ValueError, match=r"the network is for .*actions=2"):
        tavola.Searcher(other).search(other.start(), nodes=1, evaluate=network)


def test_batches_and_noise_leave_the_tree_of_threads() -> None:
    game = tavola.load("potlatch")
    network = tavola.Network.from_weights(game, weights(game))
    state = game.start()
    assert tavola.search(state, nodes=10**6, evaluate=network, choose=True, seconds=0.1).best
    with pytest.raises(ValueError, match="choose does not suit batch or noise: omit it"):
        tavola.search(state, nodes=10, evaluate=network, choose=True, batch=8)
    with pytest.raises(ValueError, match="contempt does not suit batch or noise: omit it"):
        tavola.search(state, nodes=10, evaluate=network, contempt=0.5, noise=(0.3, 0.25))
